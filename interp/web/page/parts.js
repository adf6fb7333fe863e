// Fetches what the page is made of.
export async function json(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
}

// Many servers do not know the type of ferz.wasm, which compileStreaming asks for.
async function compiled(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.headers.get("Content-Type") === "application/wasm"
        ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

// What an engine is made of: its code and the texts of the library, { path: text }.
export async function engineParts() {
    const [wasm, files] = await Promise.all([compiled("ferz.wasm"), json("files.json")]);
    return { wasm, files };
}

// Where the start of a shipped game is, which make_gallery.mjs worked out when the page was built.
export const startOf = (name) => `gallery/${name.replace("/", "-")}.json`;
