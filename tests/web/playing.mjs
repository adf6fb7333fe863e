// Playing on the page: one screen, the pointer, typed moves, cards; see page.mjs.
import { equal, holds } from "./check.mjs";
import { click, open, pointOf, runParts, shot, steps, text, waitText } from "./page.mjs";

const DESKTOP = { viewport: { width: 1280, height: 800 } };

async function typed(page, move) {
    await page.fill("#move", move);
    await page.press("#move", "Enter");
}

// Board, tabs and panel are on one screen, notices cover nothing and go away, the end has a reason.
async function screen() {
    const page = await open("#game=chess/chess", DESKTOP);
    await page.clock.install();
    const box = (selector) => page.evaluate((one) => {
        const { top, bottom } = document.querySelector(one).getBoundingClientRect();
        return { top, bottom, height: bottom - top };
    }, selector);
    for (const tab of ["story", "rules", "players", "moves"]) {
        await page.click(`#tab-${tab}`);
        const { bottom, height } = await box(`#panel-${tab}`);
        holds(`the panel ${tab} is on the screen`, bottom <= 800 && height > 100);
    }
    holds("and so is the board", (await box("#board")).height > 350);
    await page.click("#tab-rules");
    await waitText(page, "#english", "Pawn");
    holds("the panel scrolls", await page.evaluate(() => {
        const panel = document.getElementById("panel-rules");
        panel.scrollTop = 100;
        return panel.scrollTop === 100;
    }));
    equal("and not the page", await page.evaluate(() => [document.scrollingElement, document
        .getElementById("table")].map((one) => one.scrollHeight - one.clientHeight)), [0, 0]);

    const board = await box("#board");
    await typed(page, "e2-e5");
    await waitText(page, "#said", "no rule of Pawn");
    const notice = await box("#notice"), tabs = await box("#tabs"), panel = await box("#panel-rules");
    holds("a notice covers nothing", tabs.bottom <= notice.top && notice.bottom <= panel.top
        && panel.bottom <= 800);
    equal("and moves no board", await box("#board"), board);
    await page.clock.fastForward(9000);
    await page.waitForSelector("#notice", { state: "hidden" });

    equal("what was wrong stays", await page.inputValue("#move"), "e2-e5");
    for (const move of ["f2f3", "E7 e5", "g2 g4", "d8h4"]) await typed(page, move);
    await steps(page, 4);
    equal("who won", await text(page, "#turn"), "Black won.");
    const why = await text(page, "#ended");
    holds("why", /^Checkmate: .*\(FIDE 5\.1\.1\)/.test(why) && why.includes("if checked lose me"));
    await page.click("#ended");
    const line = Number(/line (\d+)/.exec(why)[1]);
    holds("its line is shown", await page.evaluate((number) => {
        const { view } = window.ferz.editor;
        return view.state.doc.lineAt(view.state.selection.main.head).number === number;
    }, line));
    equal("what was played is gone", await page.inputValue("#move"), "");
    await typed(page, "new");
    await shot(page, "ended.png");
    await page.context().close();
}

// Presses at one site and moves to another.
async function drag(page, from, to) {
    await page.waitForFunction(() => !window.ferz.compiling);
    await page.mouse.move(...await pointOf(page, from));
    await page.mouse.down();
    await page.mouse.move(...await pointOf(page, to), { steps: 4 });
}

async function dragging() {
    const page = await open("#game=chess/chess", DESKTOP);
    const pieces = () => page.locator("#board .drawing svg > g > use").count();
    const before = await pieces();
    await drag(page, "e2", "e4");
    equal("its targets are shown", await page.locator("#marks .dot").count(), 2);
    equal("the piece has left its site", await pieces(), before - 1);
    const [x, y] = await pointOf(page, "e4");
    const { left, right, top, bottom } = await page.evaluate(() => {
        const box = document.querySelector(".lifted").getBoundingClientRect();
        return { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
    });
    holds("and is under the pointer", left < x && x < right && top < y && y < bottom
        && right - left < 80);
    await shot(page, "drag.png");
    await page.mouse.up();
    await steps(page, 1);
    await drag(page, "e7", "e2");
    await page.mouse.up();
    equal("dropped elsewhere it goes back", [await pieces(), await page.evaluate(() =>
        window.ferz.view.at)], [before, 1]);
    await click(page, "e7");
    await click(page, "e5");
    await steps(page, 2);

    await page.click("#flip");
    const [e1, e8] = [await pointOf(page, "e1"), await pointOf(page, "e8")];
    holds("the board is turned", e1[1] < e8[1]);
    await drag(page, "g1", "f3");
    await page.mouse.up();
    await steps(page, 3);
    equal("moves are those of the turned board", await page.evaluate(() =>
        window.ferz.view.entries.map((one) => one.text)), ["e2-e4", "e7-e5", "g1-f3"]);
    await page.evaluate(() => {
        const { animate } = Element.prototype;
        window.slides = 0;
        Element.prototype.animate = function (...how) {
            window.slides++;
            return animate.apply(this, how);
        };
    });
    await typed(page, "d7d5");
    await steps(page, 4);
    equal("a move slides", await page.evaluate(() => window.slides), 1);
    await typed(page, "e4d5");
    await steps(page, 5);
    equal("what was lost", await text(page, "#taken"), "Black lost: Pawn.");
    const [[h1], [a1]] = [await pointOf(page, "h1"), await pointOf(page, "a1")];
    equal("and is seen beside the board", await page.evaluate(([low, high]) =>
        [...window.ferz.board.drawing.querySelectorAll("use")].filter((one) => {
            const { left, right } = one.getBoundingClientRect();
            return (right < low || left > high) && right > left;
        }).length, [h1, a1]), 1);
    await page.context().close();

    // Pieces that are parts of one path.
    const draughts = await open("#game=draughts/international", { ...DESKTOP,
        reducedMotion: "reduce" });
    const [from, to] = await draughts.evaluate(() => {
        const { view, game } = window.ferz;
        return [game.sites[view.moves[0].from], game.sites[view.moves[0].to]];
    });
    await drag(draughts, from, to);
    holds("a man is lifted", await draughts.locator(".lifted path").count() > 0);
    await draughts.mouse.up();
    await steps(draughts, 1);
    if (process.env.BROWSER !== "firefox") // to which the driver cannot say it
        equal("nothing moves for those who ask for it", await draughts.evaluate(() =>
            document.getAnimations().length), 0);
    await draughts.context().close();
}

// A trick is played on the table alone; a code is composed of its letters.
async function cards() {
    const page = await open("#game=cards/whist", DESKTOP);
    for (let i = 0; i < 4; i++) {
        const at = await page.evaluate(() => window.ferz.view.at);
        const [name, ...point] = await page.evaluate(() => {
            const { board, view } = window.ferz;
            const thing = board.picture.things.find((one) =>
                view.moves.some((move) => move.text === one.name));
            const [left, top, , bottom] = thing.box;
            const middle = new DOMPoint(100 * left + 20, 50 * (top + bottom))
                .matrixTransform(board.over.getScreenCTM());
            return [thing.name, middle.x, middle.y];
        });
        await page.mouse.click(...point);
        await page.waitForFunction((old) => window.ferz.view.at > old, at);
        equal("the card was played", await page.evaluate((old) =>
            window.ferz.copy.entries[old].text, at), name);
        if (await page.evaluate(() => window.ferz.view.covered)) {
            await page.click("#choices button >> text=I am");
            await page.waitForFunction(() => window.ferz.view.moves.length);
        }
    }
    await page.evaluate(() => { location.hash = "#game=puzzles/mastermind"; });
    await waitText(page, "#title", "Mastermind");
    await page.waitForFunction(() => !window.ferz.compiling);
    const at = await page.evaluate(() => window.ferz.view.at);
    equal("the buttons have colours", await page.locator("#choices .swatch").evaluateAll((all) =>
        new Set(all.map((one) => one.style.backgroundColor)).size), 6);
    for (const letters of ["R…", "RB…", "RBW…", "RBWG"])
        await page.click(`#choices button >> text="${letters}"`);
    await page.waitForFunction((old) => window.ferz.view.at > old, at);
    equal("the code", await page.evaluate((old) => window.ferz.view.entries[old].text, at), "RBWG");
    await shot(page, "pegs.png");
    for (const site of ["d1", "d1", "a1", "b1"]) await click(page, site);
    await page.waitForFunction((old) => window.ferz.view.at > old + 1, at);
    equal("colours on the board are clicked", await page.evaluate((old) =>
        window.ferz.view.entries[old + 1].text, at), "GGRB");
    await page.context().close();
}

// Pieces in hand are clicked and then a site; dice are clicked to be thrown.
async function hands() {
    const page = await open("#game=chess/crazyhouse", DESKTOP);
    for (const move of ["e2e4", "d7d5", "e4d5", "d8d5"]) await typed(page, move);
    await steps(page, 4);
    const clickThing = async (role, name) => {
        const point = await page.evaluate(([wanted, called]) => {
            const { board } = window.ferz;
            const [left, top, right, bottom] = board.picture.things.find((one) =>
                one.role === wanted && one.name === called).box;
            const { x, y } = new DOMPoint(50 * (left + right), 50 * (top + bottom))
                .matrixTransform(board.over.getScreenCTM());
            return [x, y];
        }, [role, name]);
        await page.mouse.click(...point);
    };
    await clickThing("hand", "Pawn");
    holds("the sites are shown", await page.locator("#marks .dot").count() > 20);
    await click(page, "e5");
    await steps(page, 5);
    equal("it was dropped", await page.evaluate(() => window.ferz.copy.entries[4].text), "P@e5");
    equal("a game with hands shows no losses", await page.evaluate(() =>
        window.ferz.board.picture.things.filter((one) => one.role === "hand").length), 1);

    await page.evaluate(() => { location.hash = "#game=dice/pig"; });
    await waitText(page, "#title", "Pig");
    await page.waitForFunction(() => !window.ferz.compiling);
    do {
        await page.click("#choices button >> text=roll");
        await page.waitForFunction(() => window.ferz.view.status.waiting === "move");
    } while (!await page.evaluate(() => window.ferz.board.picture.things.length));
    const at = await page.evaluate(() => window.ferz.view.at);
    const { name } = await page.evaluate(() => window.ferz.board.picture.things[0]);
    await clickThing("die", name);
    await page.waitForFunction((old) => window.ferz.view.at > old, at);
    equal("a die is thrown again", await page.evaluate((old) =>
        window.ferz.view.entries[old].text, at), "roll");
    await page.context().close();
}

// No sound unless it is wanted; colours in texts are those of the pieces.
async function sound() {
    const page = await open("#game=xiangqi/xiangqi", DESKTOP);
    await page.evaluate(() => {
        window.tones = 0;
        const { start } = OscillatorNode.prototype;
        OscillatorNode.prototype.start = function (...when) {
            window.tones++;
            return start.apply(this, when);
        };
    });
    equal("the red ones begin", await text(page, "#turn"), "Red to move.");
    await typed(page, "h3e3");
    await steps(page, 1);
    equal("quiet", await page.evaluate(() => window.tones), 0);
    await page.click("#tab-players");
    await page.check("#sound");
    await typed(page, "h8e8");
    await steps(page, 2);
    equal("wanted, and a move", await page.evaluate(() => window.tones), 2);
    await page.click("#back");
    await steps(page, 1);
    equal("a step back is quiet", await page.evaluate(() => window.tones), 2);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await page.click("#tab-players");
    holds("it is remembered", await page.isChecked("#sound"));
    await page.context().close();
}

// With more processors, a search runs in several workers, whose trees are joined.
async function searching() {
    const page = await open("#game=classic/tic-tac-toe", DESKTOP);
    await page.evaluate(() => Object.defineProperty(navigator, "hardwareConcurrency",
        { value: 4 }));
    for (const move of ["a1", "b1", "a2", "c2"]) await typed(page, move);
    await steps(page, 4);
    await page.click("#hint");
    await waitText(page, "#said", "MCTS would play a3.");
    equal("three workers", await page.evaluate(() => Object.keys(window.ferz.others)),
        ["thinking0", "thinking1", "thinking2"]);
    await page.context().close();
}

// Games are found by all their names, and options are controls that refuse what is wrong.
async function choosing() {
    const page = await open("#game=classic/tic-tac-toe", DESKTOP);
    await page.click("#open-gallery");
    const found = async (words) => {
        await page.fill("#search", words);
        return page.locator(".card:visible > span").allTextContents();
    };
    equal("othello", await found("othello"), ["Reversi"]);
    equal("chinese chess", await found("Chinese chess"), ["Xiangqi"]);
    const sown = await found("mancala");
    holds("mancala", sown.length > 10 && sown.includes("Oware"));
    const four = await found("hex 2");
    holds("board and players", four.includes("Hex") && !four.includes("Chess"));
    equal("nothing", await found("zzzz"), []);
    holds("with a word", (await text(page, "#found")).includes("No game is called “zzzz”"));
    await shot(page, "nothing.png");
    await found("oware");
    await page.click(".card:visible >> text=Oware");
    await waitText(page, "#title", "Oware");
    await page.click("#tab-players");
    holds("options are described", (await text(page, "#options")).includes("a grand slam"));
    await page.selectOption("#options select", "Forbidden");
    await page.waitForFunction(() => window.ferz.game.options.find((one) =>
        one.name === "Slam").value === "Forbidden");
    equal("a switch", await page.locator("#options input[type=checkbox]").count(), 2);
    await page.evaluate(() => { location.hash = "#game=chess/chess"; });
    await waitText(page, "#title", "Chess");
    const number = page.locator("#options input[type=number] >> nth=0");
    await number.fill("1001");
    await number.press("Tab");
    equal("a wrong number is refused there", [await text(page, "#verdict"), await page.evaluate(() =>
        window.ferz.options), await number.evaluate((one) => one.matches(":invalid"))],
    ["No mistakes.", {}, true]);
    await number.fill("20");
    await number.press("Tab");
    await page.waitForFunction(() => window.ferz.options.Quiet === "20");
    await shot(page, "options.png");
    await page.context().close();
}

await runParts([screen, dragging, cards, hands, sound, searching, choosing]);
