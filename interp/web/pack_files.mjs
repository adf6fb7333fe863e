// Prints the library and the shipped games as one JSON object, {path: text}.
//     node pack_files.mjs SOURCE-TREE
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = process.argv[2];
const files = {};

for (const file of readdirSync(join(root, "stdlib")).sort())
    if (file.endsWith(".game") || file === "modules.list")
        files[`/stdlib/${file}`] = readFileSync(join(root, "stdlib", file), "utf8");
for (const entry of readdirSync(join(root, "games"), { withFileTypes: true }))
    if (entry.isDirectory())
        for (const file of readdirSync(join(root, "games", entry.name)).sort())
            if (file.endsWith(".game"))
                files[`/games/${entry.name}/${file}`] =
                    readFileSync(join(root, "games", entry.name, file), "utf8");
console.log(JSON.stringify(files));
