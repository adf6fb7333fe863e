// The page in a real browser, for the scripts that test it:
//     node SCRIPT ADDRESS MODULES [FOLDER FOR SCREENSHOTS [PART]]
// ADDRESS is what ferz web printed. MODULES has playwright-core. $BROWSER is "chromium" or "firefox".
// PART is one of the functions that the script gives to `runParts`.
import { createRequire } from "node:module";
import { join } from "node:path";
import { equal, finish } from "./check.mjs";

export const [, , address, modules, shots, wantedPart] = process.argv;
export const place = address.replace(/\?.*/, ""); // without the key, which the page keeps
export const require = createRequire(join(modules, "package.json"));
// Debian's Firefox speaks WebDriver BiDi. Newer versions of Playwright send it a command about media
// that it does not know.
const browser = await (process.env.BROWSER === "firefox"
    ? require("playwright-firefox").firefox.launch({ channel: "moz-firefox",
        executablePath: "/usr/bin/firefox-esr" })
    : require("playwright-core").chromium.launch({ executablePath: "/usr/bin/chromium",
        args: ["--no-sandbox"] }));
export const complaints = [];
export const asked = []; // dialogs of the browser

export const SCREEN = { viewport: { width: 1360, height: 860 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
    deviceScaleFactor: 2 };

export async function open(hash = "", options = SCREEN, from = address) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(15000);
    page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
    });
    page.on("dialog", (dialog) => {
        asked.push(dialog.type());
        dialog.accept();
    });
    page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
    await page.goto(from + hash);
    await page.waitForSelector("html[data-ready]");
    return page;
}

// How many times longer things take because others use the processors too: twice what a loop loses
// to them, as the browser has several processes. 1 on a quiet machine, whatever its speed.
export function slowness() {
    const begun = performance.now(), before = process.cpuUsage();
    let used = 0;
    while (used < 200e3) {
        const { user, system } = process.cpuUsage(before);
        used = user + system;
    }
    const lost = (performance.now() - begun) * 1000 / used;
    console.log(`slowness: ${lost.toFixed(2)}`);
    return lost < 1.1 ? 1 : 2 * lost;
}

export async function shot(page, name) {
    if (shots) await page.screenshot({ path: join(shots, name) });
}
export const text = (page, selector) => page.textContent(selector);
export const waitText = (page, selector, wanted) => page.waitForFunction(
    ([s, w]) => document.querySelector(s).textContent.includes(w), [selector, wanted]);
export const editor = (page) => page.evaluate(() => window.ferz.editor.text);

// The middle of a site on the screen.
export const pointOf = (page, name) => page.evaluate((site) => {
    const { board, game } = window.ferz;
    const [x, y] = board.at(game.sites.indexOf(site));
    const point = new DOMPoint(100 * x, 100 * y).matrixTransform(board.over.getScreenCTM());
    return [point.x, point.y];
}, name);

// Clicks the middle of a site.
export async function click(page, name) {
    await page.waitForFunction(() => !window.ferz.compiling);
    await page.mouse.click(...await pointOf(page, name));
}

export async function steps(page, number) {
    await page.waitForFunction((n) => window.ferz.view.at === n, number);
}

// Types at the end of the first line that has the text.
export async function type(page, after, typed) {
    await page.evaluate((wanted) => {
        const { view } = window.ferz.editor;
        const at = view.state.doc.toString().indexOf(wanted) + wanted.length;
        view.focus();
        view.dispatch({ selection: { anchor: at } });
    }, after);
    await page.keyboard.type(typed);
}

export async function runParts(parts) {
    for (const part of parts.filter((one) => !wantedPart || one.name === wantedPart)) {
        try {
            await part();
        } catch (error) {
            equal(part.name, error.stack, "");
            for (const context of browser.contexts())
                for (const page of context.pages()) {
                    console.log((await page.evaluate(() => document.body.innerText)).slice(0, 600));
                    await shot(page, `failed-${part.name}.png`);
                    await context.close();
                }
        }
    }
    equal("nothing to complain about", complaints, []);
    await browser.close();
    finish();
}
