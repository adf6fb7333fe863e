// The page from another place: installed, or below a folder of a server that knows nothing of Ferz;
// see page.mjs.
import { equal, holds } from "./check.mjs";
import { address, click, complaints, open, runParts, steps, text, waitText } from "./page.mjs";

async function game() {
    const page = await open();
    let at = 0;
    for (const site of ["a1", "b1", "a2", "b2", "a3"]) {
        await click(page, site);
        await steps(page, ++at);
    }
    equal("a whole game", await text(page, "#turn"), "X won.");
    await page.click("#share");
    await page.waitForSelector("#shared[open]");
    const link = await page.inputValue("#link");
    holds("links lead to this place", link.startsWith(`${address.replace(/\?.*/, "")}#game=classic/tic-tac-toe&play=`));
    await page.click("#close-shared");
    await page.click("#open-gallery");
    await page.waitForFunction(() => document.querySelector(".card img")?.naturalWidth);
    await page.fill("#search", "oware");
    await page.click(".card:visible");
    await waitText(page, "#title", "Oware");
    await page.click("#tab-runs");
    await page.selectOption("#run-count", "100");
    await page.click("#run");
    await waitText(page, "#tally", "100 random games");
    await page.context().close();
}

// A server of files has no list of scripts, which the browser notes.
async function files() {
    await game();
    const other = complaints.filter((one) => !one.includes("404"));
    complaints.splice(0, complaints.length, ...other);
}

await runParts([game, files]);
