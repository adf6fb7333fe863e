// Random clicks, keys, moves and edits on the page: no error, and the game on the table is always
// what another engine makes of the same text and moves. See page.mjs; from the environment:
// FERZ_ACTIONS, FERZ_SEED, and FERZ_PACKAGE, the folder of the npm package.
import { pathToFileURL } from "node:url";
import { equal } from "./check.mjs";
import { complaints, open, pointOf, runParts } from "./page.mjs";

const { FERZ_ACTIONS = "100", FERZ_SEED = "1", FERZ_PACKAGE } = process.env;
const { createEngine } = await import(pathToFileURL(`${FERZ_PACKAGE}/index.js`));
const GAMES = ["classic/tic-tac-toe", "race/ur", "sow/kalah", "lines/yavalath", "hidden/stratego",
    "cards/kuhn", "dice/yahtzee", "draughts/english", "stacks/tak", "chess/chess"];
const LONGEST = 60; // moves: longer games are begun anew

let state = Number(FERZ_SEED);
function below(number) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * number);
}
const one = (list) => list[below(list.length)];

// What is done for a moment only (a menu, a dialog, a button that went away) may be missed.
const quickly = { timeout: 300, noWaitAfter: true };

async function clickOne(page, selector) {
    const all = await page.locator(selector).all();
    if (all.length) await one(all).click(quickly).catch(() => {});
}

const actions = {
    async site(page) {
        const sites = await page.evaluate(() => window.ferz.view.picture.sites.length
            ? window.ferz.game.sites : []);
        const point = sites.length ? await pointOf(page, one(sites)) : [NaN];
        // While another game is opened, a site may have no place yet.
        if (point.every(Number.isFinite)) await page.mouse.click(...point);
    },
    legalSite(page) {
        return page.evaluate((number) => {
            const { view, selected } = window.ferz;
            const sites = view.moves.filter((move) => selected < 0 || move.from === selected)
                .map((move) => (selected < 0 && move.from >= 0 ? move.from : move.to))
                .filter((site) => site >= 0);
            if (sites.length) window.ferz.choose(sites[number % sites.length]);
        }, below(2 ** 30));
    },
    choice: (page) => clickOne(page, "#choices button, #chance button"),
    record: (page) => clickOne(page, "#record button"),
    steps: (page) => clickOne(page, "#controls button:not(:disabled, [hidden])"),
    tab: (page) => clickOne(page, "#tabs button"),
    look: (page) => clickOne(page, "#theme, #flip, #problem:not([hidden]), #sides button"),
    panel: (page) => clickOne(page, "#tools button, #read-position, #run-tests, #format"),
    async typed(page) {
        const moves = await page.evaluate(() => window.ferz.view.moves.map((move) => move.text));
        const text = one(below(4) && moves.length ? moves : ["", "a1", "e2e4", "??", "é\t{}"]);
        await page.fill("#move", text, quickly).catch(() => {});
        await page.press("#move", "Enter", quickly).catch(() => {});
    },
    async key(page) {
        await page.focus("#board");
        await page.keyboard.press(one(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter",
            "Escape", "u", "r", "n", "f", ",", ".", "Home", "End"]));
    },
    async edit(page) {
        const from = below((await page.evaluate(() => window.ferz.editor.text)).length + 1);
        await page.evaluate(([from, to, insert]) => {
            const { view } = window.ferz.editor;
            const end = view.state.doc.length;
            const changes = { from: Math.min(from, end), to: Math.min(to, end), insert };
            view.dispatch({ changes });
        }, [from, from + below(4), one(["", " ", "x", "}", "\"", "put ", "1", "\n"])]);
    },
    async undoEdit(page) {
        await page.locator(".cm-content").press("Control+z", quickly).catch(() => {});
    },
    original: (page) => clickOne(page, "#original:not([hidden])"),
    async seats(page) {
        await page.click("#tab-players", quickly).catch(() => {});
        const select = one(await page.locator("#viewer, #options select").all());
        const values = select && await select.evaluate((box) =>
            [...box.options].map((option) => option.value)).catch(() => []);
        if (values?.length) await select.selectOption(one(values), quickly).catch(() => {});
        if (!below(3)) await page.click("#asks", quickly).catch(() => {});
    },
    async position(page) {
        await page.click("#tab-position", quickly).catch(() => {});
        const text = await page.inputValue("#position", quickly).catch(() => "");
        const at = below(text.length + 1);
        if (!below(3)) await page.fill("#position", text.slice(0, at) + one(["", "x", "\n", "9"])
            + text.slice(at + below(3)), quickly).catch(() => {});
        await page.click("#read-position", quickly).catch(() => {});
    },
    async game(page) {
        await page.evaluate((name) => { location.hash = `#game=${name}`; }, one(GAMES));
    },
};
// How often each is done.
const weights = { site: 12, legalSite: 25, choice: 8, record: 5, steps: 12, tab: 4, look: 3,
    panel: 3, typed: 10, key: 8, edit: 6, undoEdit: 5, original: 3, seats: 3, position: 3,
    game: 2 };
const drawn = Object.entries(weights).flatMap(([name, weight]) => Array(weight).fill(name));

// The table once nothing is under way; null while the text of the editor is no game, or a person is
// to take the device.
async function settled(page) {
    return page.evaluate(async () => {
        const { ferz } = window;
        let before;
        do {
            before = ferz.doing;
            await ferz.compiled;
            await ferz.doing;
            await new Promise((go) => setTimeout(go));
        } while (ferz.compiling || before !== ferz.doing);
        await ferz.refresh();
        const { view, copy, options, path, editor } = ferz;
        if (document.querySelector("#table.stale") || view.covered) return null;
        return { text: editor.text, path, options, copy, viewer: view.viewer, at: view.at,
            moves: view.moves.map((move) => move.shown ?? move.text),
            waiting: view.status.waiting, drawing: document.querySelector("#drawing").textContent,
            record: document.querySelectorAll("#record button").length };
    });
}

// The same from an engine that has seen nothing of what led there.
function made(engine, { text, path, options, copy, viewer, at, record }) {
    const game = engine.load(text, { path, options });
    const table = game.start({ seed: copy.seed, chance: "ask" });
    if (copy.position !== null && copy.position !== undefined) table.read(copy.position);
    for (const entry of copy.entries.slice(0, at)) {
        const same = (one) => one.text === entry.text;
        if (entry.chance) table.setChance(table.outcomes().find(same).value);
        else table.play(table.moves().findIndex(same));
    }
    const { waiting } = table.status();
    const moves = (waiting === "move" ? table.moves(viewer) : [])
        .map((move) => move.shown ?? move.text);
    const found = { text, path, options, copy, viewer, at, moves, waiting,
        drawing: table.draw(viewer), record };
    table.free();
    game.free();
    return found;
}

async function random() {
    const page = await open(`#game=${GAMES[0]}`);
    const engine = await createEngine(), begun = Date.now();
    let compared = 0, last = [];
    for (let number = 0; number < Number(FERZ_ACTIONS); number++) {
        const name = one(drawn);
        last = [...last.slice(-9), name];
        if (number % 500 === 499) console.log(`${number + 1} actions, ${compared} compared`);
        await actions[name](page);
        if (await page.locator("dialog[open]").count()) await page.keyboard.press("Escape");
        const table = await settled(page);
        if (table) {
            let wanted;
            try {
                wanted = made(engine, table);
            } catch (error) {
                wanted = error.message;
            }
            compared++;
            if (JSON.stringify(wanted) !== JSON.stringify(table)) {
                equal(`action ${number}, after ${last.join(", ")}`, table, wanted);
                return;
            }
            if (table.at > LONGEST) await page.click("#new", quickly).catch(() => {});
        }
        if (complaints.length) {
            equal(`action ${number}, after ${last.join(", ")}`, complaints, []);
            return;
        }
        // A text that is no game any more is given up in the end.
        if (!table && !below(4)) await actions[one(["original", "original", "game"])](page);
    }
    console.log(`${FERZ_ACTIONS} actions, ${compared} compared, ${Date.now() - begun} ms`);
    equal("most of the time there is a game", compared > Number(FERZ_ACTIONS) / 3, true);
    await page.context().close();
}

await runParts([random]);
