// Draws the shipped games for the gallery: a picture of each, a list, and the colours.
//     node make_gallery.mjs PACKAGE OUT
import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { Painter, boardOf } from "./page/picture.js";

const [, , folder, out] = process.argv;
const { createEngine } = await import(pathToFileURL(join(folder, "index.js")));
const engine = await createEngine();
const paints = engine.paints();
const painter = new Painter(paints, "wood");
const list = [];

mkdirSync(join(out, "gallery"), { recursive: true });
for (const path of engine.games()) {
    const name = path.replace("/games/", "").replace(".game", "");
    const game = engine.load(null, { path });
    const state = game.start({ seed: 1 });
    const viewer = game.hides ? Math.max(0, state.status().decider) : -1;
    const scene = state.scene(viewer);
    writeFileSync(join(out, "gallery", `${name.replace("/", "-")}.svg`),
        painter.file(scene.below.first ? boardOf(scene) : scene, game.title));
    list.push({ name, title: game.title });
    state.free();
    game.free();
}
writeFileSync(join(out, "gallery.json"), JSON.stringify(list));
writeFileSync(join(out, "paints.json"), JSON.stringify(paints));
