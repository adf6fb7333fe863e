// Draws the shipped games for the gallery: a picture of each, what the page shows at its start, and a
// list.
//     node make_gallery.mjs PACKAGE OUT INDEX
// INDEX is games/index.tsv: what a search finds besides the title.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { Table } from "./page/table.js";

const [, , folder, out, index] = process.argv;
const { createEngine } = await import(pathToFileURL(join(folder, "index.js")));
const engine = await createEngine();
const list = [];
const write = (name, text) => writeFileSync(join(out, "gallery", name), text);
const rows = new Map(readFileSync(index, "utf8").trimEnd().split("\n").map((row) => {
    const [name, title, ...words] = row.split("\t");
    return [name, words.join(" ")];
}));

mkdirSync(join(out, "gallery"), { recursive: true });
for (const path of engine.games()) {
    const name = path.replace("/games/", "").replace(".game", "");
    const game = engine.load(null, { path });
    const state = game.start({ seed: 1 }), file = name.replace("/", "-");
    const player = game.hides ? Math.max(0, state.status().decider) : -1;
    const pictures = Object.fromEntries(["wood", "night", "plain"].map((theme) =>
        [theme, state.picture({ player, theme, bare: true })]));
    write(`${file}.svg`, pictures.wood.svg);
    write(`${file}.json`, JSON.stringify({ ...startOf(path), pictures }));
    list.push({ name, title: game.title, words: rows.get(name) ?? "" });
    state.free();
    game.free();
}
writeFileSync(join(out, "gallery.json"), JSON.stringify(list));

// What the page asks the engine first, and the answers, if they are the same for each seed and each
// player.
function startOf(path) {
    const table = new Table(engine), text = engine.readFile(path);
    const report = table.open({ text, path });
    const view = { ...table.view({ theme: "wood" }), picture: null }; // one of `pictures`
    const isKnown = !table.game.hides && !table.entries.length && view.status.waiting === "move";
    for (const state of table.states) state.free();
    table.game.free();
    return isKnown ? { text, report, view } : { text };
}
