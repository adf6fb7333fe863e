// The engine's own behaviour in Node: states, chance, secrets, errors, bounds.
import { pathToFileURL } from "node:url";
import { equal, fails, finish, holds, throws } from "./check.mjs";

const { createEngine, FerzError } = await import(pathToFileURL(`${process.argv[2]}/index.js`));
const engine = await createEngine();

// ---- states ----

const chess = engine.loadGame("chess");
equal("players", chess.players.map((one) => one.name), ["White", "Black"]);
equal("sites", [chess.sites.length, chess.sites[0], chess.sites[63]], [64, "a1", "h8"]);
const start = chess.start();
equal("moves", start.moves().length, 20);
equal("a player who does not decide has none", start.moves(1), []);
const e4 = start.clone().play("e2-e4");
equal("a clone is another game", start.status().plies, 0);
equal("decider", e4.status().decider, 1);
const move = start.moves().find((one) => one.text === "g1-f3");
equal("sites of a move", [chess.sites[move.from], chess.sites[move.to]], ["g1", "f3"]);
fails("an illegal move", () => start.play("e2-e5"), "e2-e5");
fails("no such place", () => start.play(20), "no such move");
equal("the state is as before", start.status().plies, 0);
holds("a reason", start.why("e2-e5").includes("e2"));
const unseen = engine.loadGame("little-stratego").start().why("a7-a6");
holds("a reason from what the player knows", unseen && !unseen.includes("of Blue"));
holds("a story", start.story({ index: 0 }).includes("chess.game:"));
const again = chess.start().read(e4.position());
equal("a position read is the one that was written", again.position(), e4.position());
fails("a damaged position", () => again.read("nonsense ["), "position");
holds("a record", e4.record().includes("e2-e4"));
equal("an agent's move is legal", start.moves().some((one) =>
    one.text === start.choose("mcts:50", { seed: 3 }).text), true);
equal("the same seed chooses the same", start.choose("mcts:50", { seed: 3 }),
    start.choose("mcts:50", { seed: 3 }));
fails("no such agent", () => start.choose("nobody"), "nobody");

// ---- pictures ----

const picture = start.picture();
const pieces = (svg) => [...svg.matchAll(/<use /g)].length;
equal("a place for each site", picture.sites.length, 128);
equal("32 pieces", pieces(picture.svg), 32);
holds("the turn is in the picture", picture.svg.includes("White to move"));
holds("or apart", !start.picture({ bare: true }).svg.includes("White to move"));
holds("themes differ", start.picture({ theme: "night" }).svg !== picture.svg);
fails("no such theme", () => start.picture({ theme: "x" }), "theme");

// ---- rules in English, and the use of a board ----

const fanorona = engine.loadGame("fanorona");
holds("the rules in English", /<h2>Pieces<\/h2>/.test(fanorona.rules()));
const use = fanorona.start().use({ count: 20, seed: 5 });
equal("the use of a board", [use.games, use.lines.most.length, use.sites.most.length], [20, 2, 1]);
holds("a share", use.sites.share > 1 / 45 && use.sites.share < 0.2);
holds("a picture of the lines", use.lines.svg.startsWith("<svg") && use.lines.svg.includes("stroke"));
equal("the same seed, the same use", fanorona.start().use({ count: 20, seed: 5 }), use);
equal("without a board there is none",
    Object.keys(engine.loadGame("nim").start().use({ count: 5 })), ["games"]);
fails("no such theme of use", () => fanorona.start().use({ theme: "x" }), "theme");

// ---- chance ----

const pig = engine.loadGame("pig").start({ chance: "ask" });
pig.play("roll");
equal("chance is waited for", pig.status().waiting, "chance");
equal("six pips", pig.outcomes().map((one) => [one.value, one.weight]),
    [1, 2, 3, 4, 5, 6].map((value) => [value, 1]));
equal("chance is set", pig.clone().setChance(5).moves().map((one) => one.text), ["roll", "hold"]);
fails("no such outcome", () => pig.setChance(7), "7");
const sampled = engine.loadGame("pig").start({ seed: 9 });
const asked = engine.loadGame("pig").start({ seed: 9, chance: "ask" });
for (let i = 0; i < 5; i++) {
    sampled.play(0);
    asked.play(0);
    while (asked.status().waiting === "chance") asked.sampleChance();
    equal("sampled is as drawn", asked.position(), sampled.position());
}

// ---- secrets ----

const ships = engine.loadGame("battleship").start({ seed: 4 });
for (let i = 0; i < 3; i++) ships.play(i);
holds("the other player's ships are not seen", ships.position(1) !== ships.position());
const dark = engine.loadGame("dark-chess").start();
dark.play("e2-e4").play("d7-d5");
holds("hidden squares", dark.draw(0).includes("?"));
const [hiddenSite, ownSite] = ["h8", "e4"].map((name) => dark.game.sites.indexOf(name));
equal("a hidden site is not called empty", dark.contents(0)[hiddenSite], "?");
equal("a site in sight has its piece", dark.contents(0)[ownSite], dark.contents()[ownSite]);
equal("nothing is hidden from who sees all", dark.contents().includes("?"), false);
fails("contents for no player", () => dark.contents(7), "player");
holds("the picture of a player shows no more", pieces(dark.picture({ player: 0 }).svg) < 32);

// ---- mistakes ----

const wrong = engine.check("game \"W\";\nplayers A, B;\nboard square(3);\nturn { place Ston; }\n");
holds("a diagnostic has a place", wrong.some((one) => one.line === 4 && one.severity === "error"));
try {
    engine.load("game");
    holds("it must throw", false);
} catch (error) {
    holds("errors have diagnostics", error instanceof FerzError && error.diagnostics.length > 0);
}
fails("a library", () => engine.load("library l;\n"), "library");
fails("no such game", () => engine.loadGame("no-such"), "no-such");
fails("no native code", () => engine.load(`game "N";
players A, B;
extern fn f(): int from "m" symbol "f";
board none;
turn { if f() == 1 win me; else lose me; }
`), "native");
equal("tests", engine.test(null, { path: "/games/classic/tic-tac-toe.game" })
    .every((one) => one.passed), true);
const failing = engine.readFile("/games/classic/tic-tac-toe.game")
    .replace(/test "counts" \{/, 'test "counts" { moves 7;');
holds("a test that fails", engine.test(failing).some((one) =>
    !one.passed && one.title === "counts" && one.message.includes("9")));

// ---- numbers and texts that are none ----

const small = engine.loadGame("tic-tac-toe"), first = small.start();
for (const count of [-1, 2 ** 32 + 5, 2n ** 32n])
    throws("a count", () => small.playouts({ count }), RangeError,
        `count is a number from 0 to 2^32 - 1, not ${count}`);
for (const count of ["x", 1.5, NaN, Infinity, null, true])
    throws("a count", () => small.playouts({ count }), TypeError,
        `count is a whole number, not '${count}'`);
equal("no games", small.playouts({ count: 0 }).playouts, 0);
for (const seed of [-1, 2 ** 64, -1n, 2n ** 64n]) {
    const message = `seed is a number from 0 to 2^64 - 1, not ${seed}`;
    throws("a seed", () => small.start({ seed }), RangeError, message);
    throws("a seed of playouts", () => small.playouts({ seed }), RangeError, message);
    throws("a seed of an agent", () => first.choose("random", { seed }), RangeError, message);
    throws("a seed of games on the board", () => first.use({ seed }), RangeError, message);
}
throws("a stream", () => small.start({ stream: "one" }), TypeError, "stream is a whole number");
holds("the greatest seed", small.start({ seed: 2n ** 64n - 1n }).record()
    .includes("18446744073709551615"));
holds("a seed as records have it", small.start({ seed: "18446744073709551615" }).record()
    .includes("18446744073709551615"));
throws("a depth", () => first.perft("x"), TypeError, "depth is a whole number, not 'x'");
throws("a bound", () => engine.limits({ memory: -1 }), RangeError, "memory is a number from 0");
throws("no move", () => first.play(undefined), TypeError, "a move is a text, not undefined");
throws("no place", () => first.play(-1), RangeError, "the place of a move is a number from 0");
throws("no typed move", () => first.find(5), TypeError, "a move is a text, not number");
throws("no position", () => first.read(null), TypeError, "a position is a text, not object");
throws("no text", () => first.why(), TypeError, "a move is a text, not undefined");
throws("no agent", () => first.choose(5), TypeError, "an agent is a text, not number");
equal("nothing has happened", first.status().plies, 0);

// ---- bounds ----

engine.limits({ instructions: 100000 });
const endless = `game "E";
players A, B;
board none;
var n: int = 0;
turn { while n < 1000000000 n += 1; win me; }
`;
fails("an endless turn ends", () => engine.load(endless).start(), "instruction");
engine.limits();
holds("the engine goes on", engine.loadGame("tic-tac-toe").start().moves().length === 9);
const deep = "(".repeat(200000);
try {
    engine.check(`game "D";\nlet x = ${deep};\n`);
} catch (error) {
    holds("a crash is an error", error instanceof FerzError);
}
const fresh = await createEngine();
holds("a new engine plays", fresh.loadGame("tic-tac-toe").start().moves().length === 9);

// ---- the language server ----

const text = fresh.readFile("/games/chess/chess.game");
const document = { uri: "file:///games/chess/chess.game" };
const answers = fresh.languageServer([
    { id: 1, method: "initialize", params: { capabilities: {} } },
    { method: "textDocument/didOpen",
        params: { textDocument: { ...document, languageId: "ferz", version: 1, text } } },
    { id: 2, method: "textDocument/hover", params: { textDocument: document,
        position: { line: text.split("\n").findIndex((line) => line.includes("leap(")),
            character: text.split("\n").find((line) => line.includes("leap(")).indexOf("leap") } } },
    { id: 3, method: "shutdown" }, { method: "exit" }]);
holds("hover", JSON.stringify(answers.find((one) => one.id === 2)).includes("leap("));

// A document that is a file too is not taken for other files.
const typo = { uri: "file:///games/classic/tic-tac-toe.game" };
const fixes = fresh.languageServer([
    { id: 1, method: "initialize", params: { capabilities: {} } },
    { method: "textDocument/didOpen", params: { textDocument: { ...typo, languageId: "ferz",
        version: 1, text: fresh.readFile("/games/classic/tic-tac-toe.game")
            .replace("put Mark", "put Markk") } } },
    { id: 2, method: "textDocument/codeAction", params: { textDocument: typo,
        context: { diagnostics: [] },
        range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } } },
    { id: 3, method: "shutdown" }, { method: "exit" }]).find((one) => one.id === 2).result;
equal("a fix", fixes.map((one) => one.title), ["change to 'Mark'"]);

// ---- memory ----

for (let i = 0; i < 300; i++) {
    const state = chess.start();
    for (let ply = 0; ply < 10; ply++) state.play(0);
    state.free();
}
holds("freed states do not add up", true);
fails("a freed state", () => {
    const state = chess.start();
    state.free();
    state.status();
}, "freed");
finish();
