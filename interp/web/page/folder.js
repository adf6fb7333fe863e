// The folder that `ferz web` serves. As static files the page has none.

import { encodePath } from "./share.js";

const KEY = "ferz-key";

// The key that the address brings; it is kept for later visits and taken out of the address, so that
// links do not carry it.
function takeKey() {
    const address = new URL(location.href);
    const key = address.searchParams.get("key");
    if (key === null) return localStorage.getItem(KEY);
    localStorage.setItem(KEY, key);
    address.searchParams.delete("key");
    history.replaceState(null, "", address);
    return key;
}

const address = (file) => `files/${encodePath(file)}`;

export class Folder {
    // files: [names], null: there is no folder; all: are these all?; maySave; refused: the key of
    // the address is missing or an old one.
    constructor(key, { files = null, all = true, may_save: maySave = false, refused = false } = {}) {
        Object.assign(this, { files, all, maySave, refused });
        this.headers = { "X-Ferz-Key": key ?? "" };
    }

    static async open() {
        const key = takeKey(), none = new Folder(key);
        try {
            const answer = await fetch("files.list", { headers: none.headers });
            return answer.ok ? new Folder(key, await answer.json())
                : new Folder(key, { refused: answer.status === 403 });
        } catch {
            return none;
        }
    }

    read(file) { return fetch(address(file), { headers: this.headers }); }

    write(file, text) {
        return fetch(address(file), { method: "PUT", body: text, headers: this.headers });
    }
}
