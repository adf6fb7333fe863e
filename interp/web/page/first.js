// The first picture: what the address asks for, as it was drawn when the page was built, until the
// engine is there. It runs before all else.
(() => {
    const name = location.hash === "" ? "classic/tic-tac-toe"
        : /^#game=([\w-]+\/[\w-]+)(?:&|$)/.exec(location.hash)?.[1];
    const theme = localStorage.getItem("ferz-theme")
        ?? (matchMedia("(prefers-contrast: more)").matches ? "contrast"
            : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    if (!name) return;
    const picture = new Image();
    picture.alt = "";
    picture.src = `gallery/${name.replace("/", "-")}.svg`;
    picture.addEventListener("load", () => performance.mark("picture"));
    picture.addEventListener("error", () => picture.remove());
    document.getElementById("board").append(picture);
})();
