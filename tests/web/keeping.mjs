// Nothing is lost on the page: reloads, tabs, files, records, links; see page.mjs.
import { readFileSync, writeFileSync } from "node:fs";
import { equal, holds } from "./check.mjs";
import { address, asked, click, editor, open, place, runParts, steps, text, type, waitText }
    from "./page.mjs";

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
    const path = new URL(address).searchParams.get("folder") ?? process.env.FERZ_TEST_FOLDER;
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
    for (const [from, to] of [["e2", "e4"], ["e7", "e5"]]) {
        await click(page, from);
        await click(page, to);
    }
    await steps(page, 2);
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
    await page.fill("#move", card);
    await page.press("#move", "Enter");
    await waitText(page, "#turn", "Pass the device to East.");
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

await runParts([reload, files, links, passing]);
