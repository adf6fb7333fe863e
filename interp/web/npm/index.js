// The Ferz engine for JavaScript: libferz as WebAssembly. index.d.ts describes every call.
import { Wasi } from "./wasi.js";

const STATUS = ["ok", "invalid", "not-found", "no-memory", "runtime", "bad-input", "refused",
    "usage"];

export class FerzError extends Error {
    constructor(message, status, diagnostics = [], cause = undefined) {
        super(message, { cause });
        this.name = "FerzError";
        this.status = status;
        this.diagnostics = diagnostics;
    }
}

// A number that the engine takes in so many bits. WebAssembly would cut off the others. Texts of
// digits are numbers: the seeds of records and answers are such texts.
function whole(value, what, bits = 64) {
    if (typeof value !== "bigint" && !Number.isInteger(value) && !/^\d+$/.test(value))
        throw new TypeError(`${what} is a whole number, not '${String(value)}'`);
    const number = BigInt(value);
    if (number < 0n || number >> BigInt(bits))
        throw new RangeError(`${what} is a number from 0 to 2^${bits} - 1, not ${value}`);
    return bits === 64 ? number : Number(number);
}

function text(value, what) {
    if (typeof value !== "string") throw new TypeError(`${what} is a text, not ${typeof value}`);
    return value;
}

async function readBeside(name) {
    const url = new URL(name, import.meta.url);
    if (url.protocol === "file:") {
        const { readFile } = await import("node:fs/promises");
        return readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw new FerzError(`${name}: ${response.status}`, "not-found");
    return new Uint8Array(await response.arrayBuffer());
}

// Frees what a program forgot to free: C memory is not collected.
const forgotten = new FinalizationRegistry((free) => free());

export class Engine {
    #wasi = new Wasi();
    #calls;
    #encoder = new TextEncoder();
    #decoder = new TextDecoder();
    #own = new Set();

    constructor(module, files) {
        const names = WebAssembly.Module.imports(module).map((one) => one.name);
        const instance = new WebAssembly.Instance(module,
            { wasi_snapshot_preview1: this.#wasi.imports(names) });
        this.#calls = instance.exports;
        this.#wasi.memory = instance.exports.memory;
        this.broken = false;
        for (const [path, text] of Object.entries(files)) this.writeFile(path, text);
        this.#own = new Set(Object.keys(files));
        this.#calls._initialize();
        this.version = this.textAt(this.#calls.fz_version());
    }

    // ---- the wire ----

    // Memory may have moved; a text ends at its NUL.
    textAt(at, length = null) {
        const bytes = new Uint8Array(this.#calls.memory.buffer);
        return this.#decoder.decode(bytes.subarray(at, length === null ? bytes.indexOf(0, at)
            : at + length));
    }

    #answer() { return this.textAt(this.#calls.answer(), this.#calls.answer_length()); }

    // Calls a function; texts among the arguments are copied into its memory. Returns a number.
    call(name, ...args) {
        if (this.broken) throw new FerzError("the engine has stopped; make a new one", "usage");
        const texts = [];
        try {
            const values = args.map((arg) => {
                if (typeof arg !== "string") return arg;
                const bytes = this.#encoder.encode(arg + "\0");
                const at = this.#calls.malloc(bytes.length);
                if (!at) throw new FerzError("out of memory", "no-memory");
                new Uint8Array(this.#calls.memory.buffer).set(bytes, at);
                texts.push(at);
                return at;
            });
            return this.#calls[name](...values);
        } catch (error) {
            if (!(error instanceof FerzError)) {
                this.broken = true;
                throw new FerzError(`the engine has stopped: ${error.message}`, "runtime", [],
                    error);
            }
            throw error;
        } finally {
            if (!this.broken) for (const at of texts) this.#calls.free(at);
        }
    }

    // Calls a function that returns a status; the parsed answer.
    ask(name, ...args) {
        const status = this.call(name, ...args);
        const text = this.#answer();
        if (status) throw new FerzError(text, STATUS[status] ?? "runtime");
        return text === "" ? null : JSON.parse(text);
    }

    // Calls a function that returns a handle.
    make(name, ...args) {
        const handle = this.call(name, ...args);
        if (!handle) throw new FerzError(this.#answer(), "runtime");
        return handle;
    }

    // ---- files ----

    writeFile(path, text) { this.#wasi.files.set(path, this.#encoder.encode(text)); }

    readFile(path) {
        const bytes = this.#wasi.files.get(path);
        return bytes === undefined ? null : this.#decoder.decode(bytes);
    }

    games() {
        return [...this.#own].filter((path) => path.startsWith("/games/")).sort();
    }

    // ---- scripts ----

    // {game, diagnostics, text, library}: `game` is null when the script has errors.
    tryLoad(text, { path = "/game.game", options = {}, coverage = false } = {}) {
        if (text !== null) this.writeFile(path, text);
        const settings = Object.entries(options).map(([name, value]) => `${name}=${value}\n`);
        const handle = this.call("load", path, settings.join(""), coverage ? 1 : 0);
        const answer = this.#answer();
        if (!answer.startsWith("{")) throw new FerzError(answer, "runtime");
        const report = JSON.parse(answer);
        return { ...report, game: handle ? new Game(this, handle, path) : null };
    }

    load(text, options = {}) {
        const { game, diagnostics, text: printed, library, message } = this.tryLoad(text, options);
        if (!game)
            throw new FerzError(library ? "the script is a library, not a game"
                : message ?? printed.trimEnd(), "invalid", diagnostics);
        return game;
    }

    loadGame(name, options = {}) {
        const path = this.games().find((one) => one === name || one.endsWith(`/${name}.game`));
        if (!path) throw new FerzError(`there is no game '${name}'`, "not-found");
        return this.load(null, { ...options, path });
    }

    check(text, options = {}) {
        const { game, diagnostics } = this.tryLoad(text, options);
        game?.free();
        return diagnostics;
    }

    format(text, path = "/game.game") {
        this.writeFile(path, text);
        return this.ask("format", path).text;
    }

    test(text, { path = "/game.game", options = {} } = {}) {
        if (text !== null) this.writeFile(path, text);
        const settings = Object.entries(options).map(([name, value]) => `${name}=${value}\n`);
        return this.ask("test", path, settings.join("")).tests;
    }

    readRecord(text) {
        const { options, ...record } = this.ask("read_record", text);
        return { ...record, options: Object.fromEntries(options) };
    }

    // Bounds for games loaded from now on; what is left out is the default.
    limits({ instructions = 0, playout = 0, idleTurns = 0, memory = 0 } = {}) {
        this.call("limits", whole(instructions, "instructions"), whole(playout, "playout"),
            whole(idleTurns, "idleTurns", 32), whole(memory, "memory", 32));
    }

    // Sends messages to the language server, which forgets all of them; its answers.
    languageServer(messages) {
        if (!this.#calls.serve) throw new FerzError("there is no language server", "refused");
        const parts = messages.map((message) => {
            const text = JSON.stringify({ jsonrpc: "2.0", ...message });
            return `Content-Length: ${this.#encoder.encode(text).length}\r\n\r\n${text}`;
        });
        this.#wasi.feed(this.#encoder.encode(parts.join("")));
        this.call("serve");
        const written = this.#wasi.written();
        const answers = [];
        for (let at = 0; at < written.length;) {
            const head = this.#decoder.decode(written.subarray(at, at + 64));
            const length = Number(/Content-Length: (\d+)\r\n\r\n/.exec(head)[1]);
            at += head.indexOf("\r\n\r\n") + 4;
            answers.push(JSON.parse(this.#decoder.decode(written.subarray(at, at + length))));
            at += length;
        }
        return answers;
    }
}

// What has a handle in the engine.
class Handle {
    constructor(engine, handle, kind) {
        this.engine = engine;
        this.handle = handle;
        this.release = kind;
        forgotten.register(this, () => { if (!engine.broken) engine.call(kind, handle); }, this);
    }

    ask(name, ...args) {
        if (!this.handle) throw new FerzError("this was freed", "usage");
        return this.engine.ask(name, this.handle, ...args);
    }

    free() {
        if (!this.handle) return;
        forgotten.unregister(this);
        if (!this.engine.broken) this.engine.call(this.release, this.handle);
        this.handle = 0;
    }
}

export class Game extends Handle {
    constructor(engine, handle, path) {
        super(engine, handle, "unload");
        Object.assign(this, { path }, engine.ask("describe", handle));
    }

    start({ seed = 1, stream = 0, chance = "sample" } = {}) {
        const handle = this.engine.make("start", this.handle, whole(seed, "seed"),
            whole(stream, "stream"), chance === "ask" ? 1 : 0);
        return new State(this, handle, seed);
    }

    rules() { return this.ask("rules").html; }

    playouts({ count = 1000, seed = 1 } = {}) {
        const runs = this.runs({ seed });
        try {
            return runs.more(count);
        } finally {
            runs.free();
        }
    }

    runs({ seed = 1, coverage = false } = {}) {
        const handle = this.engine.make("runs_new", this.handle, whole(seed, "seed"),
            coverage ? 1 : 0);
        return new Runs(this, handle);
    }
}

// Playouts in portions, so that a program can stop or show what there is so far.
export class Runs extends Handle {
    constructor(game, handle) {
        super(game.engine, handle, "runs_free");
        this.game = game; // lives as long
    }

    more(count) { return this.ask("runs_more", whole(count, "count", 32)); }

    rules() { return this.ask("runs_rules"); }
}

export class State extends Handle {
    constructor(game, handle, seed) {
        super(game.engine, handle, "drop");
        this.game = game; // lives as long
        this.seed = seed;
    }

    clone() {
        return new State(this.game, this.engine.make("clone", this.handle), this.seed);
    }

    status() { return this.ask("status"); }

    get over() { return this.status().waiting === "over"; }

    moves(player = -1) { return this.ask("moves", player); }

    told({ index = -1, chance = 0 }) { return this.ask("told", index, BigInt(chance)); }

    contents(player = -1) { return this.ask("contents", player); }

    play(move) {
        if (typeof move === "number") this.ask("play", whole(move, "the place of a move", 32));
        else this.ask("play_text", text(move, "a move"));
        return this;
    }

    find(typed) { return this.ask("find", text(typed, "a move")); }

    outcomes(player = -1) { return this.ask("outcomes", player); }

    setChance(value) {
        this.ask("set_chance", BigInt(value));
        return this;
    }

    sampleChance() { return this.ask("sample_chance"); }

    position(player = -1) { return this.ask("position", player).text; }

    read(position) {
        this.ask("read", text(position, "a position"));
        return this;
    }

    observation(player) { return this.ask("observation", player).text; }

    draw(player = -1) { return this.ask("draw", player).text; }

    record(path = this.game.path) {
        return this.ask("record", path, whole(this.seed, "seed")).text;
    }

    why(move) { return this.ask("why", text(move, "a move")).text; }

    story({ index = -1, chance = 0, player = -1 }) {
        return this.ask("story", index, BigInt(chance), player).text;
    }

    picture({ player = -1, set = "", theme = "wood", bare = false, lost = [] } = {}) {
        const beside = lost.map(({ owner, kind, count }) => `${owner} ${kind} ${count}`).join(" ");
        return this.ask("picture", player, set, theme, bare ? 1 : 0, beside);
    }

    use({ count = 200, seed = 1, theme = "wood" } = {}) {
        return this.ask("use", whole(seed, "seed"), whole(count, "count", 32), theme);
    }

    perft(depth) { return BigInt(this.ask("perft", whole(depth, "depth", 32)).nodes); }

    choose(agent = "mcts:1000", { seed = 1 } = {}) {
        return this.ask("choose", text(agent, "an agent"), whole(seed, "seed"));
    }
}

// Compiles the engine, once; each call makes a new instance of it with memory of its own.
let parts = null;
export async function createEngine({ wasm = null, files = null } = {}) {
    parts ??= Promise.all([
        (wasm ? Promise.resolve(wasm) : readBeside("ferz.wasm")).then((bytes) =>
            bytes instanceof WebAssembly.Module ? bytes : WebAssembly.compile(bytes)),
        files ?? readBeside("files.json").then((bytes) =>
            JSON.parse(new TextDecoder().decode(bytes))),
    ]);
    try {
        const [module, texts] = await parts;
        return new Engine(module, texts);
    } catch (error) {
        parts = null;
        throw error;
    }
}

// The game of a script, in an engine of its own.
export async function load(text, options = {}) {
    return (await createEngine()).load(text, options);
}

// A game that is shipped with Ferz, by its path or the name of its file.
export async function loadGame(name, options = {}) {
    return (await createEngine()).loadGame(name, options);
}
