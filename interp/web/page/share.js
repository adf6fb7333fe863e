// A game in a link: the part after `#` of an address, which no browser sends to a server.
//     #game=classic/tic-tac-toe     a game that is shipped
//     #file=mine.game               a file of the folder that `ferz web` serves
//     #text=...                     a text with the moves: JSON, compressed, in base64 for addresses
//     #mine=My game                 a text that this browser keeps
// A game or a file may have `&play=...` behind it: its moves, packed like a text.

async function through(stream, bytes) {
    const writer = stream.writable.getWriter();
    const written = writer.write(bytes).then(() => writer.close());
    const result = new Uint8Array(await new Response(stream.readable).arrayBuffer());
    await written;
    return result;
}

function toText(bytes) {
    let binary = "";
    for (let i = 0; i < bytes.length; i += 0x8000)
        binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function toBytes(text) {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

export async function pack(value) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return toText(await through(new CompressionStream("deflate-raw"), bytes));
}

const MOST = 4 << 20; // bytes of an unpacked text

export async function unpack(text) {
    const stream = new DecompressionStream("deflate-raw");
    const writer = stream.writable.getWriter();
    writer.write(toBytes(text)).then(() => writer.close()).catch(() => {});
    const reader = stream.readable.getReader(), parts = [];
    for (let length = 0, part; !(part = await reader.read()).done; parts.push(part.value)) {
        length += part.value.length;
        if (length > MOST) throw new Error("The link is too large.");
    }
    return JSON.parse(await new Blob(parts).text());
}

// The moves as texts, results of chance in braces; and what a link says of a game, in full.
export const toPlay = (entries) => entries.map(({ text, chance }) => (chance ? `{${text}}` : text));

export function fromPlay({ entries, options, seed, position = null }) {
    const list = Array.isArray(entries) ? entries : [];
    return { options: options ?? {}, seed, position, entries: list.map((one) =>
        (typeof one !== "string" ? one
            : one.startsWith("{") ? { text: one.slice(1, -1), chance: true }
            : { text: one, chance: false })) };
}

// What an address asks for: {kind, value}, or null.
export function asked(hash) {
    const match = /^#(game|file|text|mine)=([^&]+)(?:&play=(.+))?$/.exec(hash);
    try {
        return match ? { kind: match[1], value: decodeURIComponent(match[2]), play: match[3] } : null;
    } catch {
        return null; // not what `link` makes
    }
}

// A path with the characters that mean something in addresses written as %XX.
export const encodePath = (path) => path.split("/").map(encodeURIComponent).join("/");

export const link = (kind, value) => `#${kind}=${encodePath(value)}`;

export const MINE = "/games/mine/untitled.game";

// A link cannot stand for a file of the library.
export function safePath(path) {
    return typeof path === "string" && /^\/(games|files)\/[\w./ -]+\.game$/.test(path)
        && !path.includes("..") ? path : MINE;
}
