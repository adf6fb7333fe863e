// What stands below the board: the record, the story of a move, playouts, tests.
const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escape = (text) => text.replace(/[&<>"]/g, (c) => escapes[c]);

export const element = (id) => document.getElementById(id);

// ---- the record ----

// Moves with those who made them; results of chance in a row are one item.
export function showRecord(view, players, goTo) {
    const list = element("record");
    const items = [];
    view.entries.forEach((entry, i) => {
        const last = items[items.length - 1];
        if (entry.chance && last?.chance) {
            last.texts.push(entry.text);
            last.at = i + 1;
        } else {
            items.push({ chance: entry.chance, by: entry.by, texts: [entry.text], at: i + 1 });
        }
    });
    list.replaceChildren(...items.map((item) => {
        const button = document.createElement("button");
        const line = document.createElement("li");
        const shown = item.texts.length > 6
            ? `${item.texts.slice(0, 6).join(" ")} … (${item.texts.length})` : item.texts.join(" ");
        button.type = "button";
        button.className = item.chance ? "chance" : "move";
        button.innerHTML = item.chance ? `<span role="img" aria-label="chance">⚄</span> ${escape(shown)}`
            : `<b>${escape(players[item.by]?.name ?? "")}</b> ${escape(shown)}`;
        if (item.at === view.at) button.setAttribute("aria-current", "step");
        else if (item.at > view.at) button.classList.add("later");
        button.addEventListener("click", () => goTo(item.at));
        line.append(button);
        return line;
    }));
    if (!items.length) list.innerHTML = '<li class="note">No move was played yet.</li>';
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

// ---- stories ----

// Lines "  chess.game:52  move to leap(here);" are rules, the deeper ones below what they changed.
export function showStory(text, file, { told, left }) {
    const box = element("story");
    if (!text.trim()) {
        box.innerHTML = '<p class="note">No move was played yet.</p>';
        return;
    }
    box.replaceChildren(...text.trimEnd().split("\n").map((line) => {
        const rule = /^(\s*)(?:(\d+ moves?)\s+)?([^\s:]+):(\d+)\s\s(.*)$/.exec(line);
        if (!rule) {
            const change = document.createElement("div");
            change.className = /^ {2}\S/.test(line) ? "turn" : "change";
            change.textContent = line.trim();
            return change;
        }
        const [, , count, name, number, statement] = rule;
        const button = document.createElement("button");
        button.type = "button";
        button.className = "rule";
        button.innerHTML = `<span class="place">${name === file ? "" : `${escape(name)}:`}${number}`
            + `</span> ${count ? `<span class="count">${count}</span> ` : ""}`
            + `<code>${escape(statement)}</code>`;
        const own = name === file;
        const enter = () => told(own ? Number(number) : 0, statement, false);
        button.addEventListener("mouseenter", enter);
        button.addEventListener("focus", enter);
        button.addEventListener("mouseleave", left);
        button.addEventListener("blur", left);
        button.addEventListener("click", () => told(own ? Number(number) : 0, statement, true));
        return button;
    }));
}

// ---- playouts ----

const percent = (part, whole) => (whole ? `${(100 * part / whole).toFixed(1)} %` : "–");

function results({ tally, players, oneSide }) {
    const rows = oneSide
        ? [["won", tally.wins[0]], ["lost", tally.losses]]
        : players.map((name, p) => [`${name} won`, tally.wins[p]]);
    rows.push(["shared first", tally.shared], ["drawn", tally.draws], ["stopped", tally.stopped], ["failed", tally.failed]);
    return rows.filter(([, count], i) => count || i < players.length);
}

// The results in a sentence, to be read aloud.
export function tallyText(news) {
    const games = news.tally.playouts - news.tally.failed;
    return `${news.done.toLocaleString()} random games. ${results(news).map(([name, count]) =>
        `${name}: ${percent(count, games)}`).join(", ")}.`;
}

function bars(news) {
    const games = news.tally.playouts - news.tally.failed;
    return results(news).map(([name, count], i) =>
        `<tr><th scope="row">${escape(name)}</th><td class="number">${percent(count, games)}</td>`
        + `<td class="bar"><div class="${i < news.players.length ? "" : "other"}" data-width="${games ? count / games : 0}">`
        + "</div></td></tr>").join("");
}

// Lengths of games, in at most 48 columns.
function histogram(tally) {
    const { shortest, longest, lengths } = tally;
    const width = Math.max(1, Math.ceil((longest - shortest + 1) / 48));
    const count = Math.floor((longest - shortest) / width) + 1;
    const columns = new Array(count).fill(0);
    for (const [plies, games] of lengths) columns[Math.floor((plies - shortest) / width)] += games;
    const most = Math.max(...columns, 1);
    const rectangles = columns.map((games, i) => {
        const from = shortest + i * width, to = from + width - 1;
        const height = 60 * games / most;
        return `<rect x="${i * 300 / count}" y="${62 - height}" width="${300 / count - 0.6}" `
            + `height="${height}"><title>${from === to ? from : `${from}–${to}`} moves: `
            + `${games.toLocaleString()} games</title></rect>`;
    });
    return `<svg class="histogram" viewBox="0 0 300 62" preserveAspectRatio="none" role="img" `
        + `aria-label="Lengths of the games, from ${shortest} to ${longest} moves, median `
        + `${tally.median}">${rectangles.join("")}</svg>`
        + `<div class="axis"><span>${shortest}</span><span>median ${tally.median}, mean `
        + `${tally.mean.toFixed(1)} moves</span><span>${longest}</span></div>`;
}

export function showTally(news) {
    const { tally, done, ms } = news;
    const box = element("tally");
    box.innerHTML = `<p>${done.toLocaleString()} random games in ${(ms / 1000).toFixed(1)} s</p>`
        + (tally.failed ? `<p class="error">${escape(tally.message ?? "")}</p>` : "")
        + `<table>${bars(news)}</table>`
        + (tally.playouts > tally.failed ? histogram(tally) : "");
    // A policy may forbid style attributes in texts; scripts may set them.
    for (const bar of box.querySelectorAll("[data-width]"))
        bar.style.width = `${100 * Number(bar.dataset.width)}%`;
}

// How often the rules of each line ran, as a share of the most frequent.
export function useOfLines(rules, path) {
    const lines = new Map();
    for (const rule of rules)
        if (rule.path === path && !rule.removed && !rule.inside)
            lines.set(rule.line, Math.max(lines.get(rule.line) ?? 0, rule.ran));
    const most = Math.log(1 + Math.max(1, ...lines.values()));
    return new Map([...lines].map(([line, ran]) =>
        [line, { ran, share: Math.log(1 + ran) / most }]));
}

export function addUnused(rules, path, goTo) {
    const never = rules.filter((rule) => rule.path === path && !rule.ran && !rule.removed
        && !rule.inside);
    const box = document.createElement("div");
    box.innerHTML = never.length ? `<p>${never.length} rule${never.length > 1 ? "s" : ""} never `
        + "ran. The bar beside each line of the rules shows how often it ran.</p>"
        : "<p>All rules ran. The bar beside each line shows how often.</p>";
    for (const rule of never.slice(0, 20)) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "rule";
        button.innerHTML = `<span class="place">${rule.line}</span> <code>`
            + `${escape(rule.text.replace(/\s+/g, " ").slice(0, 80))}</code>`;
        button.addEventListener("click", () => goTo(rule.line));
        box.append(button);
    }
    element("tally").append(box);
}

// How the games used the board: the sites, and the lines if pieces went along some.
export function showUse({ use, sites }) {
    if (!use?.sites && !use?.lines) return;
    const figure = (part, what) => (part ? `<figure><img alt="" src="data:image/svg+xml,`
        + `${encodeURIComponent(part.svg)}"><figcaption>${what} Most: `
        + `${escape(part.most.map((site) => sites[site]).join("–"))}, `
        + `${percent(part.share, 1)}.</figcaption></figure>` : "");
    const box = document.createElement("div");
    box.className = "board-use";
    box.innerHTML = `<h2>Use of the board</h2><p>In ${use.games.toLocaleString()} of the games.</p>`
        + figure(use.sites, "A disc is as large as the share of the moves that go to its site.")
        + figure(use.lines, "A line is as wide as the share of the steps that go along it.");
    element("tally").append(box);
}

// ---- the rules in English ----

const KEPT = new Set(["H1", "H2", "H3", "P", "UL", "LI", "PRE", "CODE", "EM", "STRONG", "I", "B",
    "TABLE", "TBODY", "THEAD", "TR", "TD", "TH"]);

// Below the title of this page.
const LOWER = { H1: "H2", H2: "H3", H3: "H4" };

// The page that the engine has made, as elements of this one. Only elements of texts are taken over.
export function showRules(html) {
    const copy = (node) => {
        if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
        if (!KEPT.has(node.nodeName)) return null;
        const made = document.createElement(LOWER[node.nodeName] ?? node.nodeName);
        made.append(...[...node.childNodes].map(copy).filter(Boolean));
        return made;
    };
    const page = new DOMParser().parseFromString(html, "text/html");
    element("english").replaceChildren(...[...page.body.childNodes].map(copy).filter(Boolean));
}

// ---- tests ----

// The line of each test in the text, by its title.
export function linesOfTests(text, tests) {
    const lines = new Map();
    const rows = text.split("\n");
    let from = 0;
    for (const test of tests) {
        const quoted = `"${test.title}"`;
        let at = rows.findIndex((row, i) => i >= from && /^\s*test\b/.test(row)
            && row.includes(quoted));
        if (at < 0) continue;
        from = at + 1;
        lines.set(at + 1, test);
    }
    return lines;
}

export function showTests(tests, lines, goTo) {
    const failed = tests.filter((test) => !test.passed).length;
    element("test-sum").textContent = tests.length
        ? `${tests.length - failed} passed, ${failed} failed` : "The script has no tests.";
    const lineOf = new Map([...lines].map(([line, test]) => [test, line]));
    element("tests").replaceChildren(...tests.map((test) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.className = "rule";
        button.innerHTML = `<span role="img" class="${test.passed ? "tick" : "cross"}" aria-label="`
            + `${test.passed ? "passed" : "failed"}">${test.passed ? "✓" : "✗"}</span> `
            + escape(test.title) + (test.passed ? "" : `<pre>${escape(test.message)}</pre>`);
        button.addEventListener("click", () => goTo(lineOf.get(test) ?? 0));
        item.append(button);
        return item;
    }));
}

// ---- tabs ----

export function setUpTabs(opened) {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    const open = (tab) => {
        for (const other of tabs) {
            other.setAttribute("aria-selected", String(other === tab));
            other.tabIndex = other === tab ? 0 : -1;
            element(other.getAttribute("aria-controls")).hidden = other !== tab;
        }
        opened(tab.id.replace("tab-", ""));
    };
    tabs.forEach((tab, i) => {
        tab.tabIndex = i ? -1 : 0;
        tab.addEventListener("click", () => open(tab));
        tab.addEventListener("keydown", (event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!step) return;
            const next = tabs[(i + step + tabs.length) % tabs.length];
            open(next);
            next.focus();
            event.preventDefault();
        });
    });
}
