// Prints the manual as one page of HTML: the tutorial, the cookbook, the language, and what else
// authors of games need. manual.js searches it.
//     node make_manual.mjs SOURCE-TREE
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

const docs = join(process.argv[2], "docs");
const read = (name) => readFileSync(join(docs, name), "utf8");

// ---- the pages, in the order of the lists that link to them ----

const linked = (name, folder) =>
    [...new Set([...read(name).matchAll(new RegExp(`\\]\\((${folder}/[\\w-]+\\.md)`, "g"))]
        .map((found) => found[1]))];
const pages = ["tutorial.md", ...linked("cookbook.md", "cookbook"), "language.md",
    ...linked("language.md", "language").filter((name) => name !== "language/index.md"),
    "positions.md", "rules.md", "commands.md", "errors.md"];

// ---- Markdown ----

const escaped = (text) => text.replace(/[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const anchor = (heading) =>
    heading.toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");
const idOf = (page, part) =>
    page.replace(".md", "").replaceAll("/", "-") + (part ? `--${part}` : "");

/* A link inside the page; the words alone if the target is not in it. */
function link(words, target, page) {
    if (/^https?:/.test(target)) return `<a href="${target}">${words}</a>`;
    const [path, part] = target.split("#");
    const name = path ? posix.join(posix.dirname(page), path) : page;
    if (name === "language/index.md") return `<a href="#search">${words}</a>`;
    if (name === "cookbook.md") return `<a href="#cookbook-turns">${words}</a>`;
    return pages.includes(name) ? `<a href="#${idOf(name, part)}">${words}</a>` : words;
}

function inline(text, page) {
    const kept = [];
    const keep = (html) => `\0${kept.push(html) - 1}\0`;
    const restored = (html) => html.replace(/\0(\d+)\0/g, (_, at) => restored(kept[at]));
    let html = escaped(text.replace(/(`+)(.+?)\1/g, (_, __, code) => keep(`<code>${
        escaped(code.replaceAll("\\|", "|"))}</code>`)));
    html = html.replace(/!\[[^\]]*\]\([^)]*\)/g, "")
        .replace(/\[([^\]]*)\]\(([^)\s]*)\)/g, (_, words, target) => link(words, target, page))
        .replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>").replace(/(^|[^\w*])\*([^\s*][^*]*)\*/g, "$1<em>$2</em>")
        .replaceAll("\\|", "|");
    return restored(html);
}

function table(rows, page) {
    const cells = (row) => row.replace(/^\| ?| ?\|$/g, "").split(/ ?(?<!\\)\| ?/)
        .map((cell) => inline(cell.trim(), page));
    const row = (line, tag) => `<tr>${cells(line).map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
    const head = rows[0].replace(/[|\s]/g, "") ? `<thead>${row(rows[0], "th")}</thead>` : "";
    return `<table>${head}<tbody>${rows.slice(2).map((line) => row(line, "td")).join("\n")}</tbody></table>`;
}

const ITEM = /^( *)(?:[-*]|(\d+)\.) (.*)$/;

/* Items of one depth; what is indented below an item belongs to it. */
function list(lines, page) {
    const [, indent, number] = ITEM.exec(lines[0]);
    const items = [];
    for (const line of lines) {
        const found = ITEM.exec(line);
        if (found && found[1].length === indent.length) items.push([found[3]]);
        else items.at(-1).push(line.slice(Math.min(line.search(/\S|$/), indent.length + (number ? 3 : 2))));
    }
    const tag = number ? "ol" : "ul";
    return `<${tag}>${items.map((item) => {
        const html = blocks(item, page);
        return `<li>${html.replace(/^<p>(.*?)<\/p>/s, "$1")}</li>`;
    }).join("\n")}</${tag}>`;
}

function blocks(lines, page) {
    const html = [];
    for (let at = 0; at < lines.length;) {
        const line = lines[at];
        const take = (goesOn) => {
            const start = at;
            while (++at < lines.length && goesOn(lines[at]));
            return lines.slice(start, at);
        };
        if (/^\s*(<!--.*)?$/.test(line)) at++;
        else if (line.startsWith("```")) {
            const code = take((next) => !next.startsWith("```"));
            at++;
            html.push(`<pre tabindex="0"><code>${escaped(code.slice(1).join("\n"))}</code></pre>`);
        } else if (line.startsWith("|")) html.push(table(take((next) => next.startsWith("|")), page));
        else if (ITEM.test(line))
            html.push(list(take((next) => ITEM.test(next) || /^ /.test(next)), page));
        else {
            const text = take((next) => next.trim() && !/^(```|\||<!--|[-*] |\d+\. )/.test(next));
            html.push(`<p>${inline(text.join(" "), page)}</p>`);
        }
    }
    return html.join("\n");
}

// ---- sections ----

/* A section for each heading; `data-page` is the title of the page. */
function sections(page) {
    const parts = [];
    let fenced = false;
    for (const line of read(page).split("\n")) {
        if (line.startsWith("```")) fenced = !fenced;
        const found = fenced ? null : /^(#{1,4}) (.*)$/.exec(line);
        if (found) parts.push({ depth: found[1].length, heading: found[2], lines: [] });
        else if (line !== "[The manual](../language.md)" && line !== "[The cookbook](../cookbook.md)")
            parts.at(-1)?.lines.push(line);
    }
    const title = parts[0].heading.replaceAll("`", "");
    return parts.map(({ depth, heading, lines }, number) => {
        const tag = `h${Math.min(depth + 1, 4)}`;
        const id = idOf(page, number ? anchor(heading) : "");
        return `<section id="${id}" data-page="${escaped(title)}">
<${tag}><a href="#${id}">${inline(heading, page)}</a></${tag}>
${blocks(lines, page)}
</section>`;
    }).join("\n");
}

const contents = pages.map((page) => {
    const title = /^# (.*)$/m.exec(read(page))[1];
    const group = page.startsWith("cookbook/") ? "Cookbook: " : "";
    return `<li><a href="#${idOf(page, "")}">${group}${inline(title, page)}</a></li>`;
}).join("\n");

console.log(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The manual of Ferz</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="style.css">
<link rel="stylesheet" href="manual.css">
<script src="manual.js" defer></script>
</head>
<body class="manual">
<header>
<h1><a href="#contents">The manual of Ferz</a></h1>
<input id="search" type="search" placeholder="Search" aria-label="Search the manual" autocomplete="off" spellcheck="false">
<span id="count" role="status"></span>
</header>
<ol id="found" aria-label="Sections found" hidden></ol>
<main>
<nav id="contents" aria-label="Contents"><ul>
${contents}
</ul></nav>
${pages.map(sections).join("\n")}
</main>
</body>
</html>`);
