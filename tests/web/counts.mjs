// Prints what the engine counts, as JSON for runner/web.py:
//     node counts.mjs PACKAGE playouts|perft '{"family/game": count or depth}'
import { pathToFileURL } from "node:url";

const [, , folder, what, asked] = process.argv;
const { createEngine } = await import(pathToFileURL(`${folder}/index.js`));
const engine = await createEngine();

function playouts(game, count) {
    const { plies, turns, wins, draws, stopped, shortest, longest } =
        game.playouts({ count, seed: 7 });
    return { plies, turns, wins, draws, stopped, shortest, longest };
}

const found = {};
for (const [name, number] of Object.entries(JSON.parse(asked))) {
    const game = engine.loadGame(`/games/${name}.game`);
    found[name] = what === "perft" ? String(game.start().perft(number)) : playouts(game, number);
    game.free();
}
console.log(JSON.stringify(found));
