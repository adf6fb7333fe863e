// The table of the page, in Node: every shipped game is opened, drawn and played; what a viewer sees
// of a game with secrets; chance, undo, replays after an edit.
import { pathToFileURL } from "node:url";
import { Table } from "../../interp/web/page/table.js";
import { equal, fails, finish, holds } from "./check.mjs";

const { createEngine } = await import(pathToFileURL(`${process.argv[2]}/index.js`));
const engine = await createEngine();
const theme = "wood";

// ---- all games ----

let random = 1;
const below = (n) => (random = (random * 48271) % 2147483647) % n;

for (const path of engine.games()) {
    const table = new Table(engine);
    const name = path.split("/").pop();
    const report = table.open({ text: engine.readFile(path), path, seed: 5 });
    if (!report.ok) {
        equal(`${name} opens`, report, true);
        continue;
    }
    let view = table.view({ viewer: "mover", theme });
    for (let i = 0; i < 4 && view.status.waiting === "move" && view.moves.length; i++) {
        table.play({ index: below(view.moves.length) });
        view = table.view({ viewer: "mover", theme });
    }
    const sites = view.picture.sites.length / 2;
    holds(`${name}: a picture`, view.picture.svg.startsWith("<svg"));
    holds(`${name}: a place for each site`, sites === 0 || sites === report.game.sites.length);
    holds(`${name}: sites of moves`, view.moves.every(({ from, to }) =>
        Math.max(from, to) < report.game.sites.length));
    const story = table.story({ at: table.at - 1 });
    holds(`${name}: a story`, table.at === 0 || story.length > 0);
    const again = new Table(engine);
    again.open({ text: engine.readFile(path), path, ...table.copy() });
    equal(`${name}: a copy plays the same`, again.state.position(), table.state.position());
    for (const one of [table, again]) {
        for (const state of one.states) state.free();
        one.game.free();
    }
}

// ---- secrets ----

const secret = new Table(engine);
secret.open({ text: engine.readFile("/games/cards/whist.game"), path: "/games/cards/whist.game" });
const north = JSON.stringify(secret.view({ viewer: 0, theme }));
const view = JSON.stringify(secret.view({ viewer: 1, theme }));
holds("views differ", view !== north);
const east = /hand\[East\] = \{([^}]*)\}/.exec(secret.state.position())[1].split(", ");
holds("nothing of another hand is in a view", east.length === 13
    && east.every((card) => !new RegExp(`\\b${card}\\b`).test(north)));
holds("one's own hand is", east.every((card) => new RegExp(`\\b${card}\\b`).test(view)));
equal("the others have no list of moves", secret.view({ viewer: 1, theme }).moves, []);

// ---- chance ----

const dice = new Table(engine);
dice.open({ text: engine.readFile("/games/dice/pig.game"), path: "/games/dice/pig.game" });
dice.play({ text: "roll" });
equal("chance came by itself", dice.entries.map((entry) => entry.chance), [false, true]);
dice.asks = true;
while (dice.view({ theme }).status.waiting !== "move") dice.chance({});
dice.play({ text: "roll" });
equal("chance waits", dice.view({ theme }).outcomes.length, 6);
dice.chance({ value: 6 });
equal("chance is what was chosen", dice.entries.at(-1).text, "6");
const seen = new Set();
for (let i = 0; i < 60; i++) {
    dice.reroll();
    seen.add(dice.entries.at(-1).text);
}
equal("other results come", seen.size, 6);

// Who begins at backgammon is rolled until the dice differ: results are drawn one after the other.
const path24 = "/games/race/backgammon.game";
const backgammon = new Table(engine);
for (let seed = 1; seed <= 12; seed++) {
    backgammon.open({ text: engine.readFile(path24), path: path24, seed });
    holds("the opening rolls end", backgammon.view({ theme }).status.waiting === "move"
        && backgammon.at < 30);
}

// ---- edits, steps ----

const text = engine.readFile("/games/classic/tic-tac-toe.game");
const path = "/games/classic/tic-tac-toe.game";
const table = new Table(engine);
table.open({ text, path });
for (const move of ["a1", "b2", "c3"]) table.play({ text: move });
const kept = table.copy().entries;
equal("an edit keeps the moves", table.open({ text: `${text}\n`, path, entries: kept }).replayed, 3);
equal("up to what is no longer legal", table.open({
    text: text.replace("to in empty", "to in empty - {b2}"), path, entries: kept }).replayed, 1);
const wrong = table.open({ text: text.replace("put", "putt"), path, entries: kept });
holds("with errors the game stays", !wrong.ok && wrong.diagnostics.length > 0 && table.at === 1);
holds("a set-up that fails is told", table.open({
    text: text.replace("turn {", "setup { for s in site for t in site put Mark of X at s; "
        + "let x = 1 / (#empty); }\nturn {"), path }).failure);
table.open({ text, path, entries: kept });
table.goTo(1);
table.play({ text: "c1" });
equal("a move in the middle replaces the rest", table.entries.map((entry) => entry.text),
    ["a1", "c1"]);
fails("an illegal move has a reason", () => table.play({ text: "a1" }), "a1");
table.undo({ players: [0] });
equal("undo goes back to the person's move", table.at, 0);
fails("an empty table", () => new Table(engine).view({ theme }), "no game");

// ---- sets on the board ----

const chess = new Table(engine);
chess.open({ text: engine.readFile("/games/chess/chess.game"), path: "/games/chess/chess.game" });
const set = (expression, here = "") => chess.shade({ expression, here, theme,
    text: engine.readFile("/games/chess/chess.game") });
holds("a set", set("rank(3)").svg !== chess.view({ theme }).picture.svg);
holds("seen from a site", set("leap(here, 1, 2)", "e4").svg !== set("leap(here, 1, 2)", "d4").svg);
equal("no set", set("nonsense(1"), null);
finish();
