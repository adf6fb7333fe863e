// The page for people who do not see it, who use no mouse, or whose screen is small; see page.mjs.
import { readFileSync } from "node:fs";
import { equal, holds } from "./check.mjs";
import { PHONE, click, open, require, runParts, shot, steps, text, waitText } from "./page.mjs";

const axe = readFileSync(require.resolve("axe-core"), "utf8");

// What axe finds, in a line each.
async function audit(page, where) {
    await page.evaluate(axe);
    const found = await page.evaluate(async () => (await window.axe.run(document)).violations.map(
        (one) => `${one.impact} ${one.id}: ${one.nodes.map((node) => node.target).join(" ")}`));
    equal(`axe: ${where}`, found, []);
}

// ---- what a screen reader gets from the browser ----

const sessions = new Map();

async function wholeTree(page) {
    if (!sessions.has(page)) sessions.set(page, await page.context().newCDPSession(page));
    return (await sessions.get(page).send("Accessibility.getFullAXTree")).nodes;
}

const tree = async (page) => (await wholeTree(page)).filter((node) => !node.ignored);

const valueOf = (node, name) => node.properties?.find((one) => one.name === name)?.value.value;
const ofRole = (nodes, role) => nodes.filter((node) => node.role?.value === role)
    .map((node) => node.name?.value ?? "");

// The text of the region that is read aloud when it changes.
async function aloud(page) {
    const nodes = await tree(page), byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const region = nodes.find((node) => node.role.value === "paragraph"
        && valueOf(node, "live") === "polite");
    const texts = (node) => (node.role.value === "StaticText" ? [node.name.value]
        : (node.childIds ?? []).flatMap((id) => (byId.has(id) ? texts(byId.get(id)) : [])));
    return texts(region).join("").trim();
}

// Waits until it is read aloud.
async function hears(page, wanted) {
    const end = Date.now() + 10000;
    let heard = await aloud(page);
    while (!heard.includes(wanted) && Date.now() < end) {
        await page.waitForTimeout(30);
        heard = await aloud(page);
    }
    equal("read aloud", heard.includes(wanted) ? wanted : heard, wanted);
}

// The name of what has the focus.
async function focused(page) {
    const node = (await tree(page)).filter((one) => valueOf(one, "focused")).at(-1);
    return node?.name?.value ?? "";
}

async function press(page, ...keys) {
    for (const key of keys) await page.keyboard.press(key);
}

// Tab until something has the focus.
async function tabTo(page, name) {
    for (let i = 0; i < 60; i++) {
        if ((await focused(page)).startsWith(name)) return;
        await page.keyboard.press("Escape"); // leaves the editor
        await page.keyboard.press("Tab");
    }
    equal("Tab comes to it", await focused(page), name);
}

// ---- parts ----

// Boards of squares, of hexagons, of pits; cards; a game that hides something.
async function boards() {
    const page = await open("#game=chess/chess");
    for (const [game, title] of [["classic/hex", "Hex"], ["sow/oware", "Oware"],
        ["cards/whist", "Whist"], ["chess/dark-chess", "Dark Chess"], ["chess/chess", "Chess"]]) {
        await page.evaluate((name) => { location.hash = `#game=${name}`; }, game);
        await waitText(page, "#title", title);
        await audit(page, title);
    }
    await page.context().close();
}

/* Chess after 1. e4. */
async function afterFirstMove() {
    const page = await open("#game=chess/chess");
    await click(page, "e2");
    await click(page, "e4");
    await steps(page, 1);
    return page;
}

async function colours() {
    const page = await afterFirstMove();
    for (const name of ["dark", "contrast", "light"]) {
        await page.click("#theme");
        await page.waitForSelector(`html[data-theme=${name}]`);
        await page.waitForTimeout(300); // for transitions
        await click(page, "e7");
        await audit(page, `${name}, a piece is selected`);
        await click(page, "e7");
        await page.evaluate(() => window.ferz.editor.setText(
            window.ferz.editor.text.replace("players", "playerz"), { keep: true }));
        await waitText(page, "#problems", "error");
        await audit(page, `${name}, an error`);
        await shot(page, `error-${name}.png`);
        await page.evaluate(() => window.ferz.editor.setText(
            window.ferz.editor.text.replace("playerz", "players"), { keep: true }));
        await waitText(page, "#problems", "No mistakes");
        await page.click("#open-gallery");
        await audit(page, `${name}, the gallery`);
        await page.click("#close-gallery");
    }
    await page.context().close();
}

async function tabs() {
    const page = await afterFirstMove();
    for (const [tab, ready] of [["position", "#tools button"], ["players", "#seats select"], ["story", "#story .rule"],
        ["rules", "#english h2"], ["runs", ".board-use"], ["tests", "#tests .tick"]]) {
        await page.click(`#tab-${tab}`);
        if (tab === "runs") {
            await page.selectOption("#run-count", "100");
            await page.click("#run");
        }
        if (tab === "tests") await page.click("#run-tests");
        await page.waitForSelector(ready);
        await audit(page, `the tab ${tab}`);
    }
    await page.click("#share");
    await audit(page, "a link");
    await page.context().close();
}

// A whole game without mouse or picture: all that is known comes from the tree.
async function reader() {
    const page = await open("#game=classic/tic-tac-toe");
    await hears(page, "Tic-Tac-Toe. X to move.");
    await tabTo(page, "To the board");
    await press(page, "Enter");
    equal("the first site", await focused(page), "a1: empty, can be played");
    const names = ofRole(await tree(page), "button").filter((name) => /^[a-c][1-3]:/.test(name));
    equal("each site is a button", names.length, 9);
    await press(page, "Enter");
    await hears(page, "X: a1. O to move.");
    equal("the site says what stands there", await focused(page), "a1: Mark of X");
    await press(page, "ArrowUp", "Enter");
    await hears(page, "O: a2. X to move.");
    await press(page, "ArrowRight", "ArrowDown", "Enter");
    await hears(page, "X: b1. O to move.");
    await press(page, "ArrowUp", "Enter");
    await hears(page, "O: b2. X to move.");
    await press(page, "ArrowUp", "Enter", "u");
    await hears(page, "O: b2. X to move (move 4 of 5)");
    equal("after undo the focus stays", (await focused(page)).slice(0, 3), "b3:");
    await press(page, "ArrowRight", "ArrowDown", "ArrowDown", "Enter");
    await hears(page, "X: c1. X won.");
    await press(page, "Enter");
    await press(page, "n");
    await hears(page, "X to move.");
    equal("a new game", await focused(page), "c1: empty, can be played");

    await page.evaluate(() => { location.hash = "#game=chess/chess"; });
    await hears(page, "Chess. White to move.");
    await page.focus("#board");
    for (let i = 0; i < 8; i++) await press(page, "ArrowLeft", "ArrowDown");
    equal("the corner", await focused(page), "a1: Rook of White");
    await press(page, "Enter");
    await hears(page, "No move from a1.");
    await press(page, "ArrowRight", "Enter");
    await hears(page, "b1 is selected. 2 targets: a3, c3.");
    equal("selected", await focused(page), "b1: Knight of White, selected");
    await press(page, "Escape");
    await hears(page, "Nothing is selected.");
    await press(page, "Enter", "ArrowUp", "ArrowUp", "ArrowRight");
    equal("a target", await focused(page), "c3: empty, a target");
    await press(page, "Enter");
    await hears(page, "White: b1-c3. Black to move.");

    // Chance, and buttons that are gone after they were pressed.
    await page.evaluate(() => { location.hash = "#game=dice/pig"; });
    await waitText(page, "#title", "Pig");
    await tabTo(page, "roll");
    await press(page, "Enter");
    await hears(page, ": roll. Chance: ");
    equal("the focus is on the buttons", await focused(page), "roll");
    await tabTo(page, "One step back");
    await press(page, "Enter");
    await page.waitForFunction(() => window.ferz.view.at === 1);
    await press(page, "Enter");
    await page.waitForFunction(() => window.ferz.view.at === 0);
    equal("a button that is switched off passes the focus on", await focused(page),
        "One step forward");
    await page.context().close();
}

// Every stop of Tab can be seen, and Tab leaves everything but the editor, which Escape leaves.
async function focus() {
    const page = await open("#game=chess/chess");
    const stops = [];
    for (let i = 0; i < 40; i++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement === document.body)) break;
        // The editor marks itself a moment later.
        if (await page.evaluate(() => document.activeElement.closest(".cm-editor")))
            await page.waitForSelector(".cm-focused", { timeout: 2000 }).catch(() => {});
        stops.push(await page.evaluate(() => {
            const one = document.activeElement, style = getComputedStyle(one);
            const box = one.getBoundingClientRect();
            const seen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
                || (one.dataset.site && document.querySelector("#marks .cursor"))
                || one.closest(".cm-focused");
            return [one.id || one.className.baseVal || one.className || one.dataset.site,
                Boolean(seen) && box.width > 0 && box.right > 0];
        }));
        if (await page.evaluate(() => document.activeElement.closest(".cm-editor")))
            await page.keyboard.press("Escape");
    }
    const order = stops.map(([name]) => name);
    equal("all stops are seen", stops.filter(([, seen]) => !seen), []);
    const places = ["open-gallery", "cm-content", "divider", "new", "move", "tab-moves"].map(
        (name) => order.findIndex((one) => String(one).includes(name)));
    equal("from the top to the bottom", places.every((one, i) => one >= 0
        && (!i || one > places[i - 1])), true);
    await page.focus("#divider");
    await page.keyboard.press("ArrowRight");
    equal("the divider has a value", await page.getAttribute("#divider", "aria-valuenow"), "49");
    await page.context().close();
}

// What a player must not see is not in the tree, not in the page's text, and not in a link.
async function secrets() {
    const page = await open("#game=chess/dark-chess");
    await page.click("#tab-players");
    await page.selectOption("#seats select >> nth=1", "random");
    for (const [i, [from, to]] of [["e2", "e4"], ["d2", "d3"]].entries()) {
        await click(page, from);
        await click(page, to);
        await page.waitForFunction((at) => window.ferz.view.at === at
            && window.ferz.view.status.waiting === "move" && !window.ferz.compiling, 2 * (i + 1));
    }
    await page.click("#tab-moves");
    const nodes = await wholeTree(page);
    const names = ofRole(nodes.filter((node) => !node.ignored), "button");
    holds("hidden sites are not called empty", names.includes("h8: not seen"));
    const seen = await page.evaluate(() => window.ferz.view.contents.filter((one) => one
        && one[1] === 1).length);
    equal("only what is in sight has a name",
        names.filter((name) => /of Black/.test(name)).length, seen);
    const { moves, html } = await page.evaluate(() => ({ html: document.documentElement.outerHTML,
        moves: window.ferz.copy.entries.filter((one, i) => i % 2).map((one) => one.text) }));
    // The script may name any move.
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const inScript = (node) => node && (node.name?.value === "Rules of the game"
        || inScript(byId.get(node.parentId)));
    const all = nodes.filter((node) => !inScript(node)).map((node) => `${node.name?.value} ${node.value?.value}`).join("\n");
    const shown = await page.evaluate(() => window.ferz.view.entries.map((one) => one.text));
    const hidden = moves.filter((one) => !shown.includes(one));
    holds("a move was hidden", hidden.length > 0);
    for (const move of hidden) {
        const own = new RegExp(`(?<![\\w-])${move}(?![\\w-])`);
        holds(`${move} is not in the tree`, !own.test(all));
        holds(`${move} is not in the page`, !own.test(html.replace(/<section id="script".*?<\/section>/s,
            "")));
    }
    await page.click("#share");
    await page.waitForSelector("#shared[open]");
    equal("a link has no moves and no seed", await page.evaluate(async () => {
        const packed = document.getElementById("link").value.split("&play=")[1];
        const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")),
            (c) => c.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(
            new DecompressionStream("deflate-raw"));
        return Object.keys(JSON.parse(await new Response(stream).text()));
    }), ["options"]);
    holds("and says so", (await text(page, "#shared")).includes("left out"));
    await page.keyboard.press("Escape");
    await page.evaluate(() => window.ferz.open("mine", "Broken", { text: "game", base: "game",
        path: "/games/mine/Broken.game" }));
    await waitText(page, "#problems", "error");
    await page.evaluate(() => window.ferz.compiled);
    await page.evaluate(() => window.ferz.refresh());
    holds("a script with errors leaves the game on the table, which hides as before",
        await page.evaluate(() => window.ferz.view.viewer !== -1));
    await page.context().close();
}

// What fingers must hit has 44 pixels; nothing is wider than the screen.
async function small() {
    const page = await open("#game=chess/chess", PHONE);
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth
        - document.documentElement.clientWidth);
    const tiny = () => page.evaluate(() => [...document.querySelectorAll(
        "button, select, input, label:has(input[type=checkbox])")].filter((one) => one.checkVisibility()
        && !one.closest(".unseen, .cm-editor, label:has(input[type=checkbox]) input")).filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return height < 43.5 || width < 43.5;
    }).map((one) => one.id || one.textContent || one.className));
    await click(page, "e2");
    await click(page, "e4");
    await steps(page, 1);
    for (const tab of ["position", "players", "story", "rules", "runs", "tests", "moves"]) {
        await page.click(`#tab-${tab}`);
        equal(`nothing is too small: ${tab}`, await tiny(), []);
        equal(`nothing is too wide: ${tab}`, await wide(), 0);
        await shot(page, `phone-${tab}.png`);
    }
    await page.click("#open-gallery");
    equal("nothing is too small: gallery", await tiny(), []);
    await shot(page, "phone-gallery.png");
    await page.click("#close-gallery");
    await page.click("#share");
    equal("nothing is too small: share", await tiny(), []);
    await page.click("#close-shared");
    await page.setViewportSize({ width: 844, height: 390 });
    equal("nothing is too wide on its side", await wide(), 0);
    await shot(page, "phone-side.png");
    await page.context().close();

    // 1440 x 900 at 200 %, and at 400 %.
    for (const [width, height] of [[720, 450], [360, 225]]) {
        const zoomed = await open("#game=classic/hex", { viewport: { width, height },
            deviceScaleFactor: 2 });
        equal(`nothing is too wide at ${width}`, await zoomed.evaluate(() =>
            document.documentElement.scrollWidth), width);
        await click(zoomed, "f6");
        await steps(zoomed, 1);
        await shot(zoomed, `zoomed-${width}.png`);
        await zoomed.context().close();
    }
}

// Playing and messages do not move the board, and nothing moves for those who want it so.
async function still() {
    const page = await open("#game=race/backgammon", { viewport: { width: 1440, height: 900 },
        reducedMotion: "reduce" });
    const where = () => page.evaluate(() => ["board", "controls"].map((id) =>
        Math.round(document.getElementById(id).getBoundingClientRect().top)));
    const before = await where();
    for (let i = 0; i < 3; i++) {
        const at = await page.evaluate(() => window.ferz.view.at);
        await page.fill("#move", await page.evaluate(() => window.ferz.view.moves[0].text));
        await page.press("#move", "Enter");
        await page.waitForFunction((old) => window.ferz.view.at > old, at);
        equal("the board stays", (await where())[0], before[0]);
    }
    const after = await where();
    await page.click("#first");
    await steps(page, 0);
    await page.fill("#move", "nonsense");
    await page.press("#move", "Enter");
    await page.waitForSelector("#notice:not([hidden])");
    equal("and so do the buttons", await where(), after);
    const moving = await page.evaluate(() => document.getAnimations().length);
    equal("nothing is animated", moving, 0);
    await page.context().close();
}

await runParts([boards, colours, tabs, reader, focus, secrets, small, still]);
