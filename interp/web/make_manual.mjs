// Prints the manual as one page of HTML: the tutorial, the cookbook, the language, and what else
// authors of games need. manual.js searches it.
//     node make_manual.mjs SOURCE-TREE
import { execFileSync } from "node:child_process";
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

// ---- their HTML ----

const idOf = (page, part) =>
    page.replace(".md", "").replaceAll("/", "-") + (part ? `--${part}` : "");

/* A link inside the manual; the words alone if the target is not in it. */
function link(words, target, page) {
    if (/^https?:/.test(target)) return `<a href="${target}">${words}</a>`;
    const [path, part] = target.replace(".html", ".md").split("#");
    const name = path ? posix.join(posix.dirname(page), path) : page;
    if (name === "language/index.md") return `<a href="#search">${words}</a>`;
    if (name === "cookbook.md") return `<a href="#cookbook-turns">${words}</a>`;
    return pages.includes(name) ? `<a href="#${idOf(name, part)}">${words}</a>` : words;
}

/* What html.awk makes of a page, without pictures and the links to its folder. */
function body(page) {
    const html = execFileSync("awk", ["-f", join(docs, "html.awk"), join(docs, page)],
        { encoding: "utf8" });
    return /<body>\n(.*)<\/body>/s.exec(html)[1]
        .replace(/<img [^>]*>/g, "")
        .replace(/<p><a href="..\/(language|cookbook).html">The (manual|cookbook)<\/a><\/p>\n/, "")
        .replace(/<a href="([^"]*)">(.*?)<\/a>/g, (_, target, words) => link(words, target, page))
        .replaceAll("<pre>", '<pre tabindex="0">'); // which may scroll
}

const bodies = new Map(pages.map((page) => [page, body(page)]));
const titleOf = (page) => /<h1 [^>]*>(.*)<\/h1>/.exec(bodies.get(page))[1];

// ---- sections ----

/* A section for each heading; `data-page` is the title of the page. */
function sections(page) {
    const title = titleOf(page).replace(/<[^>]*>/g, "");
    return bodies.get(page).split(/^(?=<h\d )/m).map((part, number) => {
        const [whole, depth, anchor, heading] = /^<h(\d) id="([^"]*)">(.*)<\/h\d>\n/.exec(part);
        const tag = `h${Math.min(Number(depth) + 1, 4)}`, id = idOf(page, number ? anchor : "");
        return `<section id="${id}" data-page="${title}">
<${tag}><a href="#${id}">${heading}</a></${tag}>
${part.slice(whole.length)}</section>`;
    }).join("\n");
}

const contents = pages.map((page) => {
    const group = page.startsWith("cookbook/") ? "Cookbook: " : "";
    return `<li><a href="#${idOf(page, "")}">${group}${titleOf(page)}</a></li>`;
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
