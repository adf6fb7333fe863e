// The gallery of games: those that are shipped, with pictures made when the page was built, and the
// files of the folder that `ferz web` serves.
import { element, escape } from "./panels.js";
import { json } from "./parts.js";

// In the order of the shelves; others follow.
const families = { classic: "Classics", chess: "Chess and its relatives", draughts: "Draughts",
    go: "Go", lines: "Lines", race: "Races", sow: "Sowing", tafl: "Tafl", hunt: "Hunts",
    war: "War", stacks: "Stacks", icehouse: "Icehouse", shogi: "Shogi", xiangqi: "Xiangqi",
    cards: "Cards", dice: "Dice", hidden: "Hidden information", puzzles: "Puzzles" };

// Do the words begin with all that is wanted? A number must be the whole word.
function fits(words, wanted) {
    const all = words.toLowerCase().split(/[\s,/()-]+/);
    return wanted.toLowerCase().split(/\s+/).filter(Boolean).every((part) =>
        all.some((word) => (/^\d+$/.test(part) ? word === part : word.startsWith(part))));
}

function card({ title, picture, note, words = "" }, choose) {
    const button = document.createElement("button");
    button.dataset.words = `${title} ${words}`;
    button.type = "button";
    button.className = "card";
    button.innerHTML = (picture ? `<img src="${escape(picture)}" alt="" loading="lazy" `
        + 'width="140" height="140">' : "")
        + `<span>${escape(title)}</span>${note ? `<small>${escape(note)}</small>` : ""}`;
    button.addEventListener("click", choose);
    return button;
}

export class Gallery {
    // `folder`: what folder.js makes.
    constructor(folder, choose) {
        this.dialog = element("gallery");
        this.choose = (kind, value) => {
            this.dialog.close();
            choose(kind, value);
        };
        element("open-gallery").addEventListener("click", () => this.open());
        element("close-gallery").addEventListener("click", () => this.dialog.close());
        element("search").addEventListener("input", () => this.filter());
        this.dialog.addEventListener("click", (event) => {
            if (event.target === this.dialog) this.dialog.close();
        });
        this.folder = folder;
        this.games = []; // {name: "classic/hex", title}
        this.filled = false;
    }

    // Fetches what it shows.
    async load() {
        this.coming ??= Promise.all([json("gallery.json"), this.folder.ask()]);
        [this.games] = await this.coming;
    }

    async open() {
        await this.load();
        if (!this.filled) this.fill();
        element("search").value = "";
        this.filter();
        this.dialog.showModal();
        element("search").focus();
    }

    shelf(title, cards) {
        const section = document.createElement("section");
        section.innerHTML = `<h3>${escape(title)}</h3><div class="cards"></div>`;
        section.lastChild.append(...cards);
        return section;
    }

    fill() {
        const shelves = [];
        const { files, all } = this.folder;
        if (files)
            shelves.push(this.shelf(all ? "This folder" : "This folder (it has more files)",
                files.map((file) => card({ title: file }, () => this.choose("file", file)))));
        const byFamily = Map.groupBy ? Map.groupBy(this.games, (one) => one.name.split("/")[0])
            : this.games.reduce((map, one) => {
                const family = one.name.split("/")[0];
                return map.set(family, [...(map.get(family) ?? []), one]);
            }, new Map());
        const order = Object.keys(families);
        const place = ([family]) => (order.indexOf(family) + 1) || order.length + 1;
        for (const [family, games] of [...byFamily].sort((a, b) => place(a) - place(b)))
            shelves.push(this.shelf(families[family] ?? family, games.map((one) =>
                card({ title: one.title, words: `${one.name} ${one.words} ${families[family] ?? ""}`,
                    picture: `gallery/${one.name.replace("/", "-")}.svg` },
                    () => this.choose("game", one.name)))));
        element("shelves").replaceChildren(...shelves);
        element("search").placeholder = `Search ${this.games.length} games`;
        element("families").replaceChildren(...shelves.map((section) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = section.firstChild.textContent;
            button.addEventListener("click", () => {
                section.scrollIntoView();
                section.querySelector(".card:not([hidden])")?.focus({ preventScroll: true });
            });
            return button;
        }));
        this.filled = true;
    }

    filter() {
        const wanted = element("search").value.trim();
        for (const section of element("shelves").children) {
            let some = false;
            for (const one of section.querySelectorAll(".card")) {
                one.hidden = !fits(one.dataset.words, wanted);
                some ||= !one.hidden;
            }
            section.hidden = !some;
        }
        [...element("families").children].forEach((button, i) => {
            button.hidden = element("shelves").children[i].hidden;
        });
        const found = element("shelves").querySelectorAll(".card:not([hidden])").length;
        element("found").textContent = !wanted ? "" : found
            ? `${found} game${found === 1 ? "" : "s"}`
            : `No game is called “${wanted}”. Search for a name, a family such as “mancala”, a board such `
                + "as “hex”, or a number of players.";
        element("found").classList.toggle("unseen", found > 0 || !wanted);
    }
}
