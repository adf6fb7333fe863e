// Draws the shipped games for the gallery: a picture of each, and a list.
//     node make_gallery.mjs PACKAGE OUT
import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [, , folder, out] = process.argv;
const { createEngine } = await import(pathToFileURL(join(folder, "index.js")));
const engine = await createEngine();
const list = [];

mkdirSync(join(out, "gallery"), { recursive: true });
for (const path of engine.games()) {
    const name = path.replace("/games/", "").replace(".game", "");
    const game = engine.load(null, { path });
    const state = game.start({ seed: 1 });
    const player = game.hides ? Math.max(0, state.status().decider) : -1;
    writeFileSync(join(out, "gallery", `${name.replace("/", "-")}.svg`),
        state.picture({ player, bare: true }).svg);
    list.push({ name, title: game.title });
    state.free();
    game.free();
}
writeFileSync(join(out, "gallery.json"), JSON.stringify(list));
