// The page in a real browser, served by ferz web; see page.mjs.
import { equal, holds } from "./check.mjs";
import { PHONE, SCREEN, asked, click, complaints, editor, open, place, pointOf, runParts, shot,
    slowness, steps, text, type, waitText } from "./page.mjs";

// ---- the board is there before the engine ----

// A page whose engine comes when it is released.
async function withoutEngine(game) {
    const other = await open("", { ...SCREEN, serviceWorkers: "block" });
    const page = await other.context().newPage();
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    await page.route("**/ferz.wasm", async (route) => {
        await held;
        await route.continue();
    });
    await page.goto(`${place}#game=${game}`);
    await page.waitForFunction(() => window.ferz?.view);
    return { page, release };
}

async function early() {
    const { page, release } = await withoutEngine("chess/chess");
    await page.evaluate(() => { window.drawn = window.ferz.board.drawing.firstChild; });
    await page.mouse.click(...await pointOf(page, "e2"));
    equal("a piece shows where it can go", await page.locator("#marks .dot").count(), 2);
    equal("nothing runs yet", await page.evaluate(() =>
        performance.getEntriesByName("engine").length), 0);
    release();
    await page.waitForSelector("html[data-ready]");
    holds("the engine says the same: nothing is drawn again", await page.evaluate(() =>
        window.drawn === window.ferz.board.drawing.firstChild));
    equal("what was chosen is still", await page.locator("#marks .dot").count(), 2);
    await page.mouse.click(...await pointOf(page, "e4"));
    await steps(page, 1);
    await page.context().close();
}

// A move before the engine is there is played when it is.
async function patient() {
    const { page, release } = await withoutEngine("classic/tic-tac-toe");
    await page.mouse.click(...await pointOf(page, "b2"));
    release();
    await steps(page, 1);
    equal("the move is told aloud", await text(page, "#live"), "X: b2. O to move.");
    await page.context().close();
}

// ---- load, edit, see the error, fix it, play to the end ----

async function tour() {
    const page = await open();
    // Since the browser began to load the page.
    const [board, engine] = await page.evaluate(() => ["board", "engine"].map((name) =>
        performance.getEntriesByName(name)[0].startTime));
    console.log(`board: ${board.toFixed(0)} ms, engine: ${engine.toFixed(0)} ms`);
    holds("the first board comes within half a second", board < 500 * slowness());
    holds("and the engine soon after", engine < 1000 * slowness());
    equal("title", await text(page, "#title"), "Tic-Tac-Toe");
    await shot(page, "first.png");
    await click(page, "a1");
    await steps(page, 1);
    equal("it is O's turn", await text(page, "#turn"), "O to move.");
    holds("the move is told aloud", (await text(page, "#live")).includes("X: a1"));

    await type(page, "put Mark", "k");
    await waitText(page, "#problems", "error");
    await page.waitForSelector(".cm-lintRange-error");
    holds("the board waits", await page.$("#table.stale"));
    await shot(page, "error.png");
    await page.hover(".cm-lintRange-error");
    await page.click(".cm-diagnosticAction >> text=Change to");
    await waitText(page, "#problems", "No mistakes");
    equal("the moves are played again", await page.evaluate(() => window.ferz.view.at), 1);

    await type(page, "put Mark of me", "");
    const times = [];
    for (let i = 0; i < 5; i++) {
        await page.keyboard.type(" ");
        await page.waitForFunction(() => !window.ferz.compiling);
        times.push(await page.evaluate(() => window.ferz.lastCompile));
    }
    times.sort((a, b) => a - b);
    console.log(`from a key to the diagnostics: ${times[2].toFixed(1)} ms`);
    holds("diagnostics come at once", times[2] < 100 * slowness());

    let at = 1;
    for (const site of ["b1", "a2", "b2", "a3"]) {
        await click(page, site);
        await steps(page, ++at);
    }
    equal("the end", await text(page, "#turn"), "X won.");
    await shot(page, "over.png");
    await page.click("#undo");
    await steps(page, 4);
    await page.click("#first");
    await steps(page, 0);
    await page.click("#last");
    await steps(page, 5);
    await page.click("#record button >> nth=1");
    await steps(page, 2);
    await click(page, "c3");
    await steps(page, 3);
    equal("a move from the middle replaces the rest",
        await page.evaluate(() => window.ferz.view.entries.length), 3);

    await page.evaluate(() => {
        const { editor } = window.ferz;
        editor.setText(editor.text.replace("to in empty", "to in empty - {c3}"), { keep: true });
    });
    await waitText(page, "#notice", "c3");
    await page.waitForFunction(() => !window.ferz.compiling); // the view follows the notice
    equal("a move that is no longer legal ends the replay",
        await page.evaluate(() => window.ferz.view.entries.length), 2);
    await page.context().close();
}

// ---- the keyboard alone ----

async function keyboard() {
    const page = await open("#game=classic/tic-tac-toe");
    await page.focus("#board");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    equal("the focus is on a site", await page.evaluate(() =>
        document.activeElement.getAttribute("aria-label")), "b2: empty, can be played");
    await page.keyboard.press("Enter");
    await steps(page, 1);
    await page.fill("#move", "c3");
    await page.keyboard.press("Enter");
    await steps(page, 2);
    await page.fill("#move", "c3");
    await page.keyboard.press("Enter");
    await waitText(page, "#notice", "c3");
    await page.focus("#close-notice");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#notice", { state: "hidden" });
    equal("then a move can be typed", await page.evaluate(() => document.activeElement.id), "move");
    await page.focus("#board");
    await page.keyboard.press("u");
    await steps(page, 1);
    const tree = await page.locator("#table").ariaSnapshot();
    holds("a reader finds the controls",
        /button "One step back/.test(tree) && /tab "Moves/.test(tree));
    holds("and the board as text", (await text(page, "#drawing")).includes("a b c"));

    await page.evaluate(() => { location.hash = "#game=chess/chess"; });
    await waitText(page, "#title", "Chess");
    await click(page, "h2"); // which a smaller board does not have
    await page.evaluate(() => { location.hash = "#game=classic/tic-tac-toe"; });
    await waitText(page, "#title", "Tic-Tac-Toe");
    await page.evaluate(() => { location.hash = "#game=chess/chess"; });
    await waitText(page, "#title", "Chess");
    await page.fill("#move", "e2-e5");
    await page.keyboard.press("Enter");
    await waitText(page, "#said", "no rule of Pawn leads from e2 to e5");
    equal("the rest is shown when it is asked for", await page.isVisible("#details"), false);
    await page.focus("#more summary");
    await page.keyboard.press("Enter");
    const details = await page.innerText("#details");
    holds("rules by their lines", /line \d+: move to/.test(details) && !details.includes("/games/"));
    await page.context().close();
}

// ---- playouts, tests, why ----

async function panels() {
    const page = await open("#game=lines/yavalath");
    await page.click("#tab-runs");
    const begun = Date.now();
    await page.click("#run");
    await waitText(page, "#tally", "10,000 random games");
    await page.waitForSelector("#run:not([hidden])");
    console.log(`10,000 playouts: ${Date.now() - begun} ms`);
    holds("a histogram", await page.$("#tally .histogram rect"));
    holds("lines have bars", await page.$(".use"));
    await page.waitForFunction(() => [...document.querySelectorAll(".board-use img")]
        .every((one) => one.complete && one.naturalWidth));
    holds("the use of sites is drawn", (await text(page, ".board-use")).includes("A disc"));
    holds("no piece went along a line", !(await text(page, ".board-use")).includes("A line is"));
    await shot(page, "playouts.png");
    await page.click("#tab-tests");
    await page.click("#run-tests");
    await waitText(page, "#test-sum", "0 failed");
    holds("ticks beside the tests", await page.$(".cm-test .tick"));
    await page.click("#tab-story");
    await page.fill("#move", "e5");
    await page.keyboard.press("Enter");
    await steps(page, 1);
    await waitText(page, "#story", "turn 2");
    await page.hover("#story .rule");
    await page.click("#tab-rules");
    await waitText(page, "#english", "Four in a row");
    await shot(page, "english.png");
    await page.click("#tab-story");
    await page.hover("#story .rule");
    holds("the line of a rule is marked", await page.waitForSelector(".cm-told"));
    await shot(page, "why.png");
    await page.context().close();
}

// ---- the editor: names, meanings, sets on the board ----

// Points at a word of the first line that has the text, and waits until its set is on the board.
async function hoverName(page, line, word) {
    await page.mouse.move(2, 2);
    await page.waitForFunction(() => !window.ferz.shading.shaded);
    const at = await page.evaluate(([wanted, name]) => {
        const { view } = window.ferz.editor;
        const found = view.state.doc.toString().indexOf(wanted);
        const from = found + wanted.indexOf(name);
        view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
        const box = view.coordsAtPos(from + 1);
        return [box.left + 2, (box.top + box.bottom) / 2];
    }, [line, word]);
    await page.mouse.move(...at);
    await page.waitForFunction(() => window.ferz.shading.shaded);
}

async function writing() {
    const page = await open("#game=chess/chess");
    await type(page, "move to slide(here, adjacent", ");\n  move to le");
    await page.waitForSelector(".cm-tooltip-autocomplete >> text=leap");
    await shot(page, "completion.png");
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
        const { editor } = window.ferz;
        editor.setText(editor.text.replace(");\n  move to le", ""), { keep: true });
    });
    await waitText(page, "#problems", "No mistakes");
    await page.evaluate(() => window.ferz.editor.goTo(33));
    await page.hover(".cm-line >> text=/move to step/ >> nth=0", { position: { x: 100, y: 8 } });
    await page.waitForSelector(".cm-hover");
    await shot(page, "hover.png");
    const before = await page.evaluate(() => window.ferz.board.element.innerHTML);
    await page.evaluate(() => {
        const { view } = window.ferz.editor;
        const at = view.state.doc.toString().indexOf("slide(here, adjacent)");
        view.dispatch({ selection: { anchor: at, head: at + "slide(here, adjacent)".length } });
    });
    await page.waitForFunction(() => window.ferz.shading.shaded);
    holds("a set is shaded",
        await page.evaluate(() => window.ferz.board.element.innerHTML) !== before);
    await shot(page, "shaded.png");

    // Pointing at a name shades its set: a name of the game, and a local one.
    await page.goto(`${place}#game=classic/reversi`);
    await waitText(page, "#title", "Reversi");
    await hoverName(page, "flanking(empty", "empty"); // of the game
    await hoverName(page, "for to in flanking", "to"); // of a rule
    await page.goto(`${place}#game=chess/chess960`);
    await waitText(page, "#title", "960");
    await hoverName(page, "let S = rank(1)", "S"); // of a procedure
    await page.goto(`${place}#game=chess/chess`);
    await waitText(page, "#title", "Chess");
    await page.click("#format");
    await page.context().close();
}

// ---- chance, opponents, hidden information ----

async function players() {
    const dice = await open("#game=dice/pig");
    await dice.click("#choices button");
    await dice.waitForFunction(() => window.ferz.view.entries.length >= 2);
    await dice.click("#tab-players");
    await dice.check("#asks");
    await dice.click("#choices button >> text=roll");
    await dice.waitForSelector("#chance button >> text=6");
    await dice.click("#chance button >> text='6'");
    await dice.waitForFunction(() => window.ferz.view.entries.at(-1).text === "6");
    await dice.uncheck("#asks");
    await dice.click("#reroll");
    await dice.fill("#options input >> nth=0", "3");
    await dice.press("#options input >> nth=0", "Tab");
    await dice.waitForSelector("#seats select >> nth=2");
    await shot(dice, "dice.png");
    await dice.context().close();

    const chess = await open("#game=chess/chess");
    await chess.click("#tab-players");
    await chess.selectOption("#seats select >> nth=1", "mcts:200");
    await click(chess, "e2");
    holds("targets are shown", await chess.locator("#marks .dot").count() === 2);
    await shot(chess, "targets.png");
    await click(chess, "e4");
    await steps(chess, 2);
    await waitText(chess, "#turn", "White to move."); // the opponent has moved
    await chess.click("#hint");
    await waitText(chess, "#notice", "MCTS would play");
    await chess.click("#undo");
    await steps(chess, 0);
    await chess.context().close();

    const hidden = await open("#game=chess/dark-chess");
    await hidden.click("#tab-players");
    await hidden.selectOption("#seats select >> nth=1", "random");
    await hidden.fill("#move", "e2-e4");
    await hidden.keyboard.press("Enter");
    await steps(hidden, 2);
    const shown = await hidden.evaluate(() => document.body.innerText
        + window.ferz.board.element.innerHTML);
    holds("the other side is hidden", !/Black King/.test(shown)
        && await hidden.locator("#board use").count() < 32);
    const reply = await hidden.evaluate(() => window.ferz.copy.entries[1].text);
    holds("nor is its move told", !(await text(hidden, "#record")).includes(reply)
        && !(await text(hidden, "#live")).includes(reply));
    await shot(hidden, "hidden.png");
    await hidden.context().close();
}

// ---- links, files, scripts that do not end ----

async function sharing() {
    const page = await open("#game=classic/tic-tac-toe");
    await click(page, "b2");
    await steps(page, 1);
    await type(page, 'game "Tic-Tac-', "Tac-");
    await waitText(page, "#title", "Tic-Tac-Tac");
    await page.click("#share");
    await page.waitForSelector("#shared[open]");
    const link = await page.inputValue("#link");
    const other = await open(new URL(link).hash);
    equal("a link carries the text", await text(other, "#title"), "Tic-Tac-Tac-Toe");
    equal("and the moves", await other.evaluate(() => window.ferz.view.at), 1);
    equal("unchanged", await editor(other), await editor(page));
    await other.context().close();

    await page.click("#close-shared");
    await page.click("#open-gallery");
    await page.waitForFunction(() => document.querySelector(".card img")?.naturalWidth
        && [...document.querySelectorAll(".card img")].slice(0, 18).every((one) => one.complete));
    await shot(page, "gallery.png");
    await page.fill("#search", "backg");
    await page.click(".card:visible");
    await waitText(page, "#title", "Backgammon");
    await shot(page, "backgammon.png");
    await page.goto(`${place}#file=mine.game`);
    await waitText(page, "#title", "Mine");
    await page.click("#open-gallery");
    await shot(page, "folder.png");
    await page.click("#close-gallery");
    await type(page, 'game "Mine', " too");
    await waitText(page, "#title", "Mine too");
    asked.length = 0;
    await page.evaluate(() => { location.hash = "#game=classic/hex"; });
    await waitText(page, "#title", "Hex");
    await page.goBack();
    await waitText(page, "#title", "Mine too");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    equal("a changed text is there again", await text(page, "#title"), "Mine too");
    await page.click("#original");
    await page.waitForFunction(() => document.getElementById("title").textContent === "Mine");
    await type(page, 'game "Mine', " too");
    await waitText(page, "#title", "Mine too");
    await page.click("#save");
    await waitText(page, "#notice", "Saved.");
    equal("nothing was asked", asked, []);
    await page.goto(`${place}#game=classic/hex`);
    await waitText(page, "#title", "Hex");
    await page.goto(`${place}#file=mine.game`);
    await waitText(page, "#title", "Mine too");

    // A link may name a file; its text is not written there.
    await page.click("#share");
    await page.waitForSelector("#shared[open]");
    const named = new URL(await page.inputValue("#link"));
    equal("a link has no key", named.search, "");
    await page.click("#close-shared");
    await page.goto(`${place}${named.hash}`);
    await waitText(page, "#title", "Mine too");
    await page.waitForFunction(() => window.ferz.path === "/files/mine.game");
    await page.waitForSelector("#save", { state: "hidden" }); // the text of a link is not saved

    await page.click("#open-gallery");
    await page.click(".card >> text=50% #1?.game");
    await waitText(page, "#title", "Odd");
    await type(page, 'game "Odd', " one");
    await waitText(page, "#title", "Odd one");
    await page.click("#save");
    await waitText(page, "#notice", "Saved.");

    const stranger = await open("#file=mine.game", {}, place);
    await waitText(stranger, "#notice", "whole address");
    equal("without the key there is no file", await stranger.isVisible("#save"), false);
    await stranger.context().close();
    // The browser notes the two refusals.
    const refused = complaints.filter((one) => one.includes("403"));
    equal("two requests were refused", refused.length, 2);
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !one.includes("403")));

    await page.evaluate(() => window.ferz.editor.setText(`game "Endless";
players A, B;
board square(2);
piece Man "M";
var count_: int = 0;
turn { while count_ < 2000000000 count_ += 1; choose to in empty => put Man of me at to; otherwise draw; }
`, { keep: true }));
    await page.waitForFunction(() => /instruction|more than/.test(
        document.getElementById("problems").textContent), null, { timeout: 30000 });
    const begun = Date.now();
    await page.click("#tab-players");
    const waited = Date.now() - begun;
    holds("the page does not wait for it", waited < 1000 * slowness());
    await page.goto(`${place}#game=classic/hex`);
    await waitText(page, "#title", "Hex");

    // Thinking that takes too long is stopped, and the game is there again.
    await click(page, "f6");
    await steps(page, 1);
    const stopped = await page.evaluate(() => {
        const { editor, path, remote } = window.ferz;
        return remote.call("choose", { text: editor.text, path, entries: [], at: 0, seed: 1,
            agent: "mcts:100000000" }, { seconds: 1 }).catch((error) => error.message);
    });
    equal("a long call is stopped", stopped, "This took more than 1 s and was stopped.");
    await page.waitForFunction(() => !window.ferz.compiling);
    await click(page, "g6");
    await steps(page, 2);
    await page.context().close();
}

// ---- a phone ----

async function phone() {
    const page = await open("#game=chess/chess", PHONE);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    equal("nothing is wider than the screen", wide <= 390, true);
    await shot(page, "phone.png");
    await click(page, "g1");
    await click(page, "f3");
    await steps(page, 1);
    await page.click("[data-side=script]");
    holds("the rules have the screen", await page.isVisible("#editor"));
    await shot(page, "phone-rules.png");
    await page.click("#theme");
    await page.click("#sides [data-side=table]");
    await page.waitForTimeout(300);
    await shot(page, "phone-dark.png");
    await page.context().close();
}

await runParts([early, patient, tour, keyboard, panels, writing, players, sharing, phone]);
