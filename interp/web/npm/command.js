#!/usr/bin/env node
// `npx ferz`: the commands that need nothing but the engine, for systems without a build of Ferz.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";

import { createEngine, FerzError } from "./index.js";

const USAGE = `usage: ferz COMMAND [OPTION...] [GAME] [ARGUMENT...]

GAME is a script, or the name of a game that comes with Ferz.

  games                      list these games
  check GAME                 say what is wrong with a script
  test GAME                  run the tests in a script
  fmt GAME                   print a script formatted
  rules GAME                 print the rules in English, as HTML
  show GAME [MOVE...]        draw a position: after the moves, or at the beginning
  moves GAME [MOVE...]       list the legal moves
  why GAME MOVE... TEXT      say why a move is legal or not
  playout GAME               play random games
  perft GAME DEPTH           count the sequences of DEPTH turns
  play GAME                  play against an agent

  -o NAME=VALUE              choose an option of the game
  -n, --count N              playout: the number of games (1000)
  --seed N                   the seed of chance (1)
  --agent AGENT              play: who plays the other players (mcts:1000)
  --as PLAYER                play: the player that you are (the first)

Exit status: 0; 1 if a script or a test fails; 2 if the command cannot be done.
`;

const OPTIONS = {
    option: { type: "string", short: "o", multiple: true, default: [] },
    count: { type: "string", short: "n", default: "1000" },
    seed: { type: "string", default: "1" },
    agent: { type: "string", default: "mcts:1000" },
    as: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
    version: { type: "boolean", default: false },
};

class Failed extends Error {
    constructor(message, status) {
        super(message);
        this.status = status;
    }
}

function unusable(message) {
    throw new Failed(`ferz: ${message}\n`, 2);
}

function number(text, name, bits = 32) {
    if (!/^\d+$/.test(text) || BigInt(text) >> BigInt(bits))
        unusable(`${name}: '${text}' is no number from 0 to 2^${bits} - 1`);
    return BigInt(text);
}

// ---- scripts ----

// The script, and what may lie beside it: bases and modules.
function readFolder(engine, path) {
    const folder = dirname(path);
    engine.writeFile(`/${basename(path)}`, readFileSync(path, "utf8"));
    for (const name of readdirSync(folder).filter((one) => one.endsWith(".game")))
        engine.writeFile(`/${name}`, readFileSync(join(folder, name), "utf8"));
    return `/${basename(path)}`;
}

// Where the engine has the script: a file, or a game that comes with Ferz.
function find(engine, given) {
    if (!given) unusable("which game?");
    if (given.endsWith(".game")) {
        try {
            return readFolder(engine, given);
        } catch (error) {
            unusable(`${given}: ${error.code ?? error.message}`);
        }
    }
    return engine.games().find((one) => one.endsWith(`/${given}.game`)) ??
        unusable(`there is no game '${given}'`);
}

// A text of the engine, with the paths of files as the user knows them.
function readable(text, given) {
    const folder = dirname(given);
    return text.replaceAll(/(^|\s)\/(?=[^\s:/]+\.game:\d)/gm,
        (all, before) => before + (folder === "." ? "" : `${folder}/`));
}

function settings(values) {
    return Object.fromEntries(values.option.map((one) => {
        const [name, value] = one.split(/=(.*)/s);
        return [name, value ?? unusable(`-o ${one}: NAME=VALUE is expected`)];
    }));
}

function load(engine, values, given) {
    const found = engine.tryLoad(null, { path: find(engine, given), options: settings(values) });
    if (!found.game)
        throw new Failed(readable(found.text, given) ||
            `ferz: ${found.message ?? "a library is no game"}\n`, 1);
    return found.game;
}

// ---- positions ----

function began(engine, values, [given, ...moves]) {
    const seed = number(values.seed, "--seed", 64);
    const state = load(engine, values, given).start({ seed });
    for (const move of moves) enter(state, move, given);
    return state;
}

function enter(state, move, given) {
    const { index, several } = state.find(move);
    if (several.length > 1)
        throw new Failed(`'${move}' may be ${several.join(" or ")}\n`, 1);
    if (index < 0) throw new Failed(readable(state.why(move), given), 1);
    state.play(index);
}

function standing(state) {
    const { result } = state.status();
    return state.draw() + (result ? `${result}\n` : "");
}

// ---- commands ----

function check(engine, values, [given]) {
    const found = engine.tryLoad(null, { path: find(engine, given), options: settings(values) });
    process.stdout.write(readable(found.text, given));
    return found.game || (found.library && !found.diagnostics.length) ? 0 : 1;
}

function test(engine, values, [given]) {
    const tests = engine.test(null, { path: find(engine, given), options: settings(values) });
    const failed = tests.filter((one) => !one.passed);
    for (const one of failed) console.log(`${one.title}: ${one.message}`);
    console.log(`${tests.length - failed.length} passed, ${failed.length} failed`);
    return failed.length ? 1 : 0;
}

function playout(engine, values, [given]) {
    const game = load(engine, values, given);
    const tally = game.playouts({ count: number(values.count, "--count"),
        seed: number(values.seed, "--seed", 64) });
    const share = (games) => `${(100 * games / tally.playouts).toFixed(2)} %`;
    console.log(`${game.title}: ${tally.playouts} games, ${tally.shortest} to ${tally.longest} ` +
        `decisions, mean ${tally.mean.toFixed(2)}`);
    game.players.forEach((player, i) => console.log(`${player.name} won ${share(tally.wins[i])}`));
    console.log(`draws ${share(tally.draws)}`);
    if (tally.failed) throw new Failed(`${tally.failed} games failed: ${tally.message}\n`, 1);
}

async function play(engine, values, [given]) {
    const state = began(engine, values, [given]);
    const players = state.game.players.map((one) => one.name);
    const me = values.as ? players.indexOf(values.as) : 0;
    if (me < 0) unusable(`--as: the players are ${players.join(", ")}`);
    const reader = createInterface({ input: process.stdin, output: process.stdout });
    const lines = reader[Symbol.asyncIterator]();
    for (let { decider, waiting } = state.status(); waiting === "move";
        { decider, waiting } = state.status()) {
        if (decider !== me) {
            const { index } = state.choose(values.agent, { seed: state.status().plies });
            console.log(`${players[decider]}: ${state.told({ index })[me]}`);
            state.play(index);
            continue;
        }
        process.stdout.write(state.draw(me));
        reader.setPrompt(`${players[me]}> `);
        reader.prompt();
        const { value, done } = await lines.next();
        if (done) break;
        try {
            enter(state, value.trim(), given);
        } catch (error) {
            console.log(error.message.trimEnd());
        }
    }
    reader.close();
    process.stdout.write(state.draw(me));
    if (state.over) console.log(state.status().result);
}

const COMMANDS = {
    games: (engine) => console.log(engine.games().map((one) => basename(one, ".game")).join("\n")),
    check,
    test,
    fmt: (engine, values, [given]) => {
        const path = find(engine, given);
        process.stdout.write(engine.format(engine.readFile(path), path));
    },
    rules: (engine, values, [given]) =>
        process.stdout.write(load(engine, values, given).rules()),
    show: (engine, values, words) => process.stdout.write(standing(began(engine, values, words))),
    moves: (engine, values, words) => {
        for (const move of began(engine, values, words).moves()) console.log(move.text);
    },
    why: (engine, values, words) =>
        console.log(readable(began(engine, values, words.slice(0, -1)).why(words.at(-1)),
            words[0]).trimEnd()),
    playout,
    perft: (engine, values, [given, depth]) => console.log(String(
        began(engine, values, [given]).perft(number(depth ?? "", "perft")))),
    play,
};

async function main(words) {
    const { values, positionals } = parseArgs({ args: words, options: OPTIONS,
        allowPositionals: true });
    const [name, ...rest] = positionals;
    const engine = await createEngine();
    if (values.version) return console.log(`ferz ${engine.version}`);
    if (values.help || !name) return process.stdout.write(USAGE);
    if (!Object.hasOwn(COMMANDS, name)) unusable(`there is no command '${name}'`);
    return COMMANDS[name](engine, values, rest);
}

try {
    const status = await main(process.argv.slice(2));
    process.exitCode = typeof status === "number" ? status : 0;
} catch (error) {
    const isUsage = /^ERR_PARSE_ARGS/.test(error.code ?? "");
    if (!(error instanceof Failed) && !(error instanceof FerzError) && !isUsage) throw error;
    process.stderr.write(`${error.message.trimEnd()}\n`);
    process.exitCode = [1, "invalid", "runtime"].includes(error.status) ? 1 : 2;
}
