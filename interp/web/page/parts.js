// Fetches what the page is made of.
export async function json(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json();
}

// Many servers do not know the type of ferz.wasm, which compileStreaming asks for.
export async function engine() {
    const response = await fetch("ferz.wasm");
    if (!response.ok) throw new Error(`ferz.wasm: ${response.status}`);
    return response.headers.get("Content-Type") === "application/wasm"
        ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
