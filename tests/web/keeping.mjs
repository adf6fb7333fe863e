// Nothing is lost on the page: reloads, tabs, files, records, links; see page.mjs.
import { readFileSync, writeFileSync } from "node:fs";
import { equal, holds } from "./check.mjs";
import { asked, click, complaints, editor, open, place, runParts, slowness, steps, text, type,
    waitText } from "./page.mjs";

const DESKTOP = { viewport: { width: 1280, height: 800 } };

// A reload brings back text and game; another tab has its own, and so has a copy of the tab.
async function reload() {
    const page = await open("#game=classic/tic-tac-toe");
    await type(page, 'game "Tic-Tac-', "Tac-");
    await waitText(page, "#title", "Tic-Tac-Tac");
    await click(page, "b2");
    await steps(page, 1);
    await click(page, "a1");
    await steps(page, 2);
    await page.click("#back");
    await steps(page, 1);
    const other = await page.context().newPage();
    await other.goto(`${place}#game=classic/tic-tac-toe`);
    await other.waitForSelector("html[data-ready]");
    equal("another tab begins anew", [await text(other, "#title"), await other.evaluate(() =>
        window.ferz.view.at)], ["Tic-Tac-Toe", 0]);
    await click(other, "c3");
    await steps(other, 1);
    asked.length = 0;
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    equal("the text is there", await text(page, "#title"), "Tic-Tac-Tac-Toe");
    equal("and the game", await page.evaluate(() => [window.ferz.view.at,
        window.ferz.view.entries.map((one) => one.text)]), [1, ["b2", "a1"]]);
    equal("without a question", asked, []);
    await page.evaluate(() => { location.hash = "#game=classic/hex"; });
    await waitText(page, "#title", "Hex");
    await page.goBack();
    await waitText(page, "#title", "Tic-Tac-Tac");
    await page.waitForFunction(() => window.ferz.view.entries.length === 2);
    await other.reload();
    await other.waitForSelector("html[data-ready]");
    equal("each tab has its own", await other.evaluate(() =>
        window.ferz.view.entries.map((one) => one.text)), ["c3"]);
    await page.context().close();
}

// A file that changed on the disk is not overwritten without a question.
async function files() {
    const page = await open("#file=mine.game");
    const path = process.env.FERZ_TEST_FOLDER; // what the server may write
    await type(page, 'game "Mine', " own");
    await waitText(page, "#title", "Mine own");
    const theirs = readFileSync(`${path}/mine.game`, "utf8").replace("Mine", "Theirs");
    writeFileSync(`${path}/mine.game`, theirs);
    asked.length = 0;
    page.removeAllListeners("dialog");
    page.on("dialog", (dialog) => {
        asked.push(dialog.message());
        dialog.dismiss();
    });
    await page.click("#save");
    await page.waitForTimeout(200);
    holds("it asks", asked.length === 1 && asked[0].includes("has changed"));
    equal("and writes nothing", readFileSync(`${path}/mine.game`, "utf8"), theirs);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    equal("the own text is there", await text(page, "#title"), "Mine own");
    holds("with a word", (await text(page, "#notice")).includes("changed elsewhere"));
    await page.context().close();
}

// Links of shipped games are short; a game whose set-up does not end has its own name.
async function links() {
    const page = await open("#game=chess/chess");
    for (const [i, [from, to]] of [["e2", "e4"], ["e7", "e5"]].entries()) {
        await click(page, from);
        await click(page, to);
        await steps(page, i + 1);
    }
    await page.click("#share");
    await page.waitForSelector("#shared[open]");
    const link = await page.inputValue("#link");
    holds(`a short link: ${link.length}`, link.length < 200);
    const other = await open(new URL(link).hash);
    equal("it carries the moves", await other.evaluate(() => [window.ferz.view.at,
        window.ferz.view.entries.map((one) => one.text)]), [2, ["e2-e4", "e7-e5"]]);
    equal("and the rules", await editor(other), await editor(page));
    await other.context().close();
    await page.click("#close-shared");

    const record = await page.evaluate(() => window.ferz.remote.call("record",
        { shipped: window.ferz.shipped }));
    holds("a record names its game", /^game: chess\/chess$/m.test(record));

    await page.evaluate(() => window.ferz.editor.setText(`game "Endless";
players A, B;
board square(2);
piece Man "M";
var count_: int = 0;
setup { while count_ < 2000000000 count_ += 1; }
turn { choose to in empty => put Man of me at to; otherwise draw; }
`, { keep: true }));
    await waitText(page, "#problems", "set-up fails");
    equal("what fails has its own name", [await text(page, "#title"), await page.title()],
        ["Endless", "Endless – Ferz"]);
    await page.context().close();
}

// Between two people at one device, nobody sees the other's hand; neither does a reload show it.
async function passing() {
    const page = await open("#game=cards/whist");
    const hand = () => page.evaluate(() => document.getElementById("table").innerHTML);
    const card = await page.evaluate(() => window.ferz.view.moves[0].text);
    await page.click("#tab-story");
    await page.waitForFunction(() => document.getElementById("story").textContent);
    await page.fill("#move", card);
    await page.press("#move", "Enter");
    await waitText(page, "#turn", "Pass the device to East.");
    equal("nor what the other read or typed", [await text(page, "#story"),
        await page.inputValue("#move"), await page.isDisabled("#undo")], ["", "", true]);
    equal("nobody plays for the other", await page.evaluate(() => {
        const { ferz } = window, field = document.getElementById("move");
        let played = false;
        ferz.act = async () => { played = true; };
        field.value = "x";
        document.getElementById("enter").requestSubmit();
        field.value = "";
        delete ferz.act;
        return played;
    }), false);
    equal("and asks the engine for no picture", await page.evaluate(async () => {
        const { remote, shading } = window.ferz;
        let asked = false;
        remote.call = async () => { asked = true; };
        await shading.sceneOf("site");
        delete remote.call;
        return asked;
    }), false);
    await page.evaluate(() => document.getElementById("save-record").click());
    await waitText(page, "#said", "can be saved when the game is over");
    const east = await page.evaluate(async () => (await window.ferz.remote.call("view",
        { viewer: 1, theme: "wood" })).picture.svg);
    holds("there is a hand to hide", (east.match(/[♠♣♥♦]/g) ?? []).length > 12);
    for (let i = 0; i < 2; i++) {
        equal("no card is there", (await hand()).match(/[♠♣♥♦]/g), null);
        await page.reload();
        await page.waitForSelector("html[data-ready]");
        await waitText(page, "#turn", "Pass the device to East.");
    }
    await page.click("#choices button >> text=I am East");
    await waitText(page, "#turn", "East to move.");
    holds("then the hand is there", (await hand()).match(/[♠♣♥♦]/g).length > 12);
    await page.context().close();
}

// Without its server the page works as before; files of the folder are not kept.
async function offline() {
    const page = await open("#file=mine.game");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    const kept = await page.evaluate(async () => (await (await caches.open("ferz-page")).keys())
        .map((one) => new URL(one.url)));
    holds("the engine is kept", kept.length > 10);
    equal("no file is, and no key", await page.evaluate(async () =>
        (await (await caches.open("ferz-page")).keys()).map((one) => one.url).filter((one) =>
            /files\/|files\.list|key=/.test(one))), []);
    await page.context().setOffline(true);
    await page.goto(`${place}#game=classic/hex`);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await waitText(page, "#title", "Hex");
    await click(page, "f6");
    await steps(page, 1);
    await page.context().close();
    // The browser notes that the server is away.
    complaints.splice(0, complaints.length, ...complaints.filter((one) =>
        !/ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(one)));
}

// Random players are not waited for, and long work does not keep an agent from its move.
async function speed() {
    const page = await open("#game=classic/hex");
    await page.click("#tab-players");
    await page.selectOption("#seats select >> nth=0", "random");
    const begun = Date.now();
    await page.selectOption("#seats select >> nth=1", "random");
    await page.waitForFunction(() => window.ferz.view.status.waiting === "over", null,
        { timeout: 30000 });
    const { at, took } = { at: await page.evaluate(() => window.ferz.view.at),
        took: Date.now() - begun };
    console.log(`${at} random moves: ${took} ms`);
    holds("more than 12 moves a second", at / took > 0.02 / slowness());

    await page.evaluate(() => { location.hash = "#game=classic/tic-tac-toe"; });
    await waitText(page, "#title", "Tic-Tac-Toe");
    await page.click("#tab-runs");
    await page.evaluate(() => {
        document.getElementById("run-count").add(new Option("100000000", "100000000"));
        document.getElementById("run-count").value = "100000000";
    });
    await page.click("#run");
    await page.waitForSelector("#stop:not([hidden])");
    await page.click("#hint");
    await waitText(page, "#notice", "MCTS would play");
    holds("the games go on", await page.isVisible("#stop"));
    await page.click("#stop");
    await page.waitForSelector("#run:not([hidden])");
    await page.emulateMedia({ media: "print" });
    equal("on paper there is the board alone", [await page.isVisible("#board"),
        await page.isVisible("#script"), await page.isVisible("#controls")], [true, false, false]);
    await page.context().close();
}

// A position is put together on the board, a record is read again, a script begins from a skeleton.
async function making() {
    const page = await open("#game=chess/chess", DESKTOP);
    await page.click("#tab-position");
    await page.click("#tools button >> text=Remove");
    for (const [i, site] of ["d8", "a1"].entries()) {
        await click(page, site);
        await page.waitForFunction((left) => window.ferz.view.contents.filter(Boolean).length === left,
            31 - i);
    }
    await page.click("#tools button >> text=White Queen");
    await click(page, "e5");
    await page.waitForFunction(() => window.ferz.view.contents.filter(Boolean).length === 31);
    // In a game with fewer kinds the piece means nothing.
    await page.evaluate(() => { location.hash = "#game=classic/tic-tac-toe"; });
    await waitText(page, "#title", "Tic-Tac-Toe");
    await page.waitForFunction(() => !window.ferz.compiling && window.ferz.tab === "position");
    await click(page, "b2");
    await steps(page, 1);
    await page.evaluate(() => { location.hash = "#game=chess/chess"; });
    await waitText(page, "#title", "Chess");
    await page.waitForFunction(() => window.ferz.view.contents.filter(Boolean).length === 31);
    await page.selectOption("#side", "Black");
    await waitText(page, "#turn", "Black to move");
    await page.click("#copy-test");
    await waitText(page, "#notice", "copied");
    const test = await page.inputValue("#position");
    await page.fill("#position", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    await page.click("#read-position");
    await page.waitForFunction(() => window.ferz.view.contents.filter(Boolean).length === 4);
    await page.fill("#move", "e1g1");
    await page.press("#move", "Enter");
    await steps(page, 1);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    equal("a position is kept", await page.evaluate(() => [window.ferz.view.at,
        window.ferz.view.contents.filter(Boolean).length]), [1, 4]);
    const record = await page.evaluate(() => window.ferz.remote.call("record", { shipped: true }));
    await page.click("#tab-position");
    await page.waitForFunction(() => document.getElementById("position").value.includes("mover"));
    await page.fill("#position", "nonsense");
    await page.click("#read-position");
    await page.waitForSelector("#notice:not([hidden])");
    equal("what is no position changes nothing", await page.evaluate(() => window.ferz.view.at), 1);

    await page.evaluate((more) => window.ferz.editor.setText(`${window.ferz.editor.text}\n${more}`,
        { keep: true }), test);
    await waitText(page, "#problems", "No mistakes");
    await page.click("#tab-tests");
    await page.click("#run-tests");
    await waitText(page, "#test-sum", "0 failed");

    await page.evaluate(() => { location.hash = "#game=classic/hex"; });
    await waitText(page, "#title", "Hex");
    await page.click("#tab-moves");
    await page.setInputFiles("#record-file", { name: "a.record", mimeType: "text/plain",
        buffer: Buffer.from(record) });
    await waitText(page, "#title", "Chess");
    await page.waitForFunction(() => window.ferz.view.entries.length === 1);
    equal("a record opens its game", await page.evaluate(() => [location.hash, window.ferz.view.at,
        window.ferz.shipped]), ["#game=chess/chess", 1, true]);

    for (const [skeleton, board] of [["march", "square(5)"], ["row", "hex(4)"], ["fill", "hex(3)"],
        ["none", ""]]) {
        await page.click("#open-gallery");
        await page.click("#open-new");
        await page.fill("#new-title", `Try ${skeleton}`);
        await page.selectOption("#new-skeleton", skeleton);
        if (board) await page.fill("#new-board", board);
        await page.click("#new-form .primary");
        await waitText(page, "#title", `Try ${skeleton}`);
        equal(`the skeleton ${skeleton}`, await text(page, "#problems"), "No mistakes.");
    }
    await page.click("#tab-tests");
    await page.click("#run-tests");
    await waitText(page, "#test-sum", "0 failed");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    equal("and is kept", await text(page, "#title"), "Try none");
    await page.context().close();
}

await runParts([making, reload, files, links, passing, offline, speed]);
