// The engine in a worker: answers one request after the other, so that the page never waits for it.
// Requests are {id, name, args}; answers {id, result} or {id, error}, and news {id, news} between.
import { createEngine } from "../npm/index.js";
import { engineParts } from "./parts.js";
import { Table } from "./table.js";

let engine, table, stopped = false, parts = null;
const thinking = { of: "", table: null };

// Fetches the engine, unless the page has its parts from another worker.
async function load(given) {
    parts ??= given ?? engineParts();
    return parts;
}

// Answers with the parts, for other workers.
async function begin(given) {
    const { wasm, files } = await load(given);
    engine = await createEngine({ wasm, files });
    // A person waits: the bounds are lower than those of the command.
    engine.limits({ instructions: 30_000_000, memory: 128 << 20, idleTurns: 5000 });
    table = new Table(engine);
    return { wasm, files };
}

const pause = () => new Promise((go) => setTimeout(go));

// Plays in portions of about 60 ms and tells what there is after each.
async function playouts({ text, path, options, count, seed, theme }, tell) {
    stopped = false;
    const loaded = engine.tryLoad(text, { path, options, coverage: true });
    if (!loaded.game) throw new Error("The script has errors.");
    const runs = loaded.game.runs({ seed, coverage: true });
    const players = loaded.game.players.map((one) => one.name);
    let tally, done = 0, portion = 20;
    const begun = performance.now();
    while (done < count && !stopped) {
        const now = Math.min(portion, count - done), start = performance.now();
        tally = runs.more(now);
        done += now;
        const ms = performance.now() - start;
        portion = Math.max(1, Math.min(5000, Math.round(now * 60 / Math.max(ms, 1))));
        tell({ players, done, count, tally, ms: performance.now() - begun,
            oneSide: loaded.game.oneSide });
        await pause();
    }
    const ms = performance.now() - begun, rules = runs.rules();
    const use = useOf(loaded.game, { seed, theme, most: done, each: ms / Math.max(1, done) });
    const { oneSide, sites } = loaded.game;
    runs.free();
    loaded.game.free();
    return { players, done, count, tally, rules, use, sites, path, ms, oneSide };
}

// The first of these games once more, measured, which takes a few times as long: about a second.
function useOf(game, { seed, theme, most, each }) {
    const count = Math.min(most, 1000, Math.max(10, Math.round(1000 / (5 * each + 0.01))));
    const start = game.start({ seed });
    try {
        return start.use({ seed, theme, count });
    } catch {
        return null; // bounds of memory or time: the page does without
    } finally {
        start.free();
    }
}

// A choice on a table of its own, which follows the game on the page.
function choose({ text, path, options, seed, at, entries, position, agent }) {
    const of = JSON.stringify([text, path, options, seed, position]);
    if (thinking.of !== of) {
        thinking.table ??= new Table(engine);
        thinking.table.asks = true;
        thinking.of = "";
        if (!thinking.table.open({ text, path, options, seed, position }).ok)
            throw new Error("The script has errors.");
        thinking.of = of;
    }
    thinking.table.follow(entries.slice(0, at));
    const { state } = thinking.table;
    const { visits, ...choice } = state.choose(agent,
        { seed: Math.floor(Math.random() * 2 ** 32) });
    const moves = visits.length ? state.moves() : [];
    return { ...choice, tried: moves.map(({ text }, i) => [text, visits[i]]) };
}

// One question about a place in the text, by the language server.
function ask({ text, path, method, params }) {
    const document = { uri: `file://${path}` };
    const answers = engine.languageServer([
        { id: 1, method: "initialize", params: { capabilities: {
            textDocument: { hover: { contentFormat: ["markdown"] } } } } },
        { method: "textDocument/didOpen",
            params: { textDocument: { ...document, languageId: "ferz", version: 1, text } } },
        { id: 2, method, params: { textDocument: document, ...params } },
        { id: 3, method: "shutdown" }, { method: "exit" }]);
    return answers.find((one) => one.id === 2)?.result ?? null;
}

const calls = {
    begin,
    open: (args) => table.open(args),
    view: (args) => table.view(args),
    play: (args) => table.play(args),
    random: (args) => table.playRandomly(args),
    chance: (args) => table.chance(args),
    reroll: () => table.reroll(),
    asks: ({ asks }) => { table.asks = asks; table.settle(); },
    go: ({ at }) => table.goTo(at),
    undo: (args) => table.undo(args),
    restart: ({ seed }) => table.restart(seed),
    story: (args) => table.story(args),
    shade: (args) => table.shade(args),
    rules: () => table.rules(),
    record: (args) => table.record(args),
    copy: () => table.copy(),
    readRecord: ({ text }) => engine.readRecord(text),
    position: ({ position }) => table.begin(position),
    positionText: () => table.state.position(),
    why: ({ text }) => table.state.why(text),
    read: ({ path }) => engine.readFile(path),
    write: ({ path, text }) => engine.writeFile(path, text),
    format: ({ text, path }) => engine.format(text, path),
    test: ({ text, path }) => engine.test(text, { path }),
    ask, choose, playouts,
    // How long the game is with all that, and nothing else: what a page measures.
    ping: () => true,
};

self.addEventListener("message", async ({ data: { id, name, args = {} } }) => {
    if (name === "stop") stopped = true;
    if (name === "load") load().catch(() => {}); // `begin` tells
    if (id === undefined) return;
    try {
        const result = await calls[name](args, (news) => self.postMessage({ id, news }));
        self.postMessage({ id, result, broken: engine?.broken ?? false });
    } catch (error) {
        self.postMessage({ id, error: error.message, broken: engine?.broken ?? true });
    }
});
