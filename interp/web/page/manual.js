// The search of the manual: sections that contain all words, the best first. A heading counts most,
// then what an entry of a table or list begins with, then other text.
const field = document.getElementById("search"), found = document.getElementById("found");
const count = document.getElementById("count");
const MOST = 40;
const plain = (node) => node.textContent.replace(/\s+/g, " ").trim();
const texts = (node, selector) => [...node.querySelectorAll(selector)].map(plain);

const sections = [...document.querySelectorAll("section")].map((node) => ({
    id: node.id, page: node.dataset.page, heading: plain(node.querySelector("h2, h3, h4")),
    text: plain(node),
    entries: texts(node, "td:first-child, li > code:first-child, li > strong:first-child").join(" ; "),
}));

/* The score of a word in a text: 1 as a whole, less as the beginning of another one, least inside;
 * 0: it is not there. */
function within(text, word) {
    const quoted = word.replace(/\W/g, "\\$&");
    const is = (pattern) => RegExp(pattern, "iu").test(text);
    if (!text.toLowerCase().includes(word)) return 0;
    return is(`(?<!\\w)${quoted}(?!\\w)`) ? 1 : is(`(?<!\\w)${quoted}`) ? 0.3 : 0.01;
}

function rank(section, words) {
    let sum = 0;
    for (const word of words) {
        const inText = within(section.text, word);
        if (!inText) return 0;
        sum += inText + 8 * within(section.heading, word) + 3 * within(section.entries, word);
    }
    return sum;
}

function excerpt(section, word) {
    const rest = section.text.slice(section.heading.length);
    const at = Math.max(0, rest.toLowerCase().indexOf(word) - 60);
    return `${at ? "…" : ""}${rest.slice(at, at + 160)}…`;
}

function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = words.length ? sections.map((section) => [rank(section, words), section])
        .filter(([sum]) => sum).sort(([a], [b]) => b - a) : [];
    found.replaceChildren(...hits.slice(0, MOST).map(([, section]) => {
        const entry = document.createElement("li"), link = document.createElement("a");
        const page = document.createElement("span"), text = document.createElement("p");
        link.href = `#${section.id}`;
        link.textContent = section.heading;
        page.textContent = section.page === section.heading ? "" : section.page;
        text.textContent = excerpt(section, words[0]);
        entry.append(link, " ", page, text);
        return entry;
    }));
    found.hidden = !words.length;
    count.textContent = words.length ? `${hits.length} section${hits.length === 1 ? "" : "s"}` : "";
}

function close() {
    field.value = "";
    search();
}

field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key === "Enter") found.querySelector("a")?.click();
});
found.addEventListener("click", (event) => {
    if (event.target.closest("a")) close();
});
document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || document.activeElement === field) return;
    event.preventDefault();
    field.focus();
});
document.documentElement.dataset.theme = localStorage.getItem("ferz-theme")
    ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
// manual.html#q=castling
const asked = /^#q=(.*)$/.exec(location.hash);
if (asked) {
    field.value = decodeURIComponent(asked[1]);
    search();
}
