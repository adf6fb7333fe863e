// Draws the shipped games for the gallery: a picture of each, and a list.
//     node make_gallery.mjs PACKAGE OUT INDEX
// INDEX is games/index.tsv: what a search finds besides the title.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [, , folder, out, index] = process.argv;
const { createEngine } = await import(pathToFileURL(join(folder, "index.js")));
const engine = await createEngine();
const list = [];
const rows = new Map(readFileSync(index, "utf8").trimEnd().split("\n").map((row) => {
    const [name, title, ...words] = row.split("\t");
    return [name, words.join(" ")];
}));

mkdirSync(join(out, "gallery"), { recursive: true });
for (const path of engine.games()) {
    const name = path.replace("/games/", "").replace(".game", "");
    const game = engine.load(null, { path });
    const state = game.start({ seed: 1 });
    const player = game.hides ? Math.max(0, state.status().decider) : -1;
    writeFileSync(join(out, "gallery", `${name.replace("/", "-")}.svg`),
        state.picture({ player, bare: true }).svg);
    list.push({ name, title: game.title, words: rows.get(name) ?? "" });
    state.free();
    game.free();
}
writeFileSync(join(out, "gallery.json"), JSON.stringify(list));
