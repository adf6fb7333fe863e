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
    // When the server was asked: files: [names], null: there is no folder; all: are
    // these all?; maySave; refused: the key of the address is missing or an old one.
    constructor() {
        Object.assign(this, { files: null, all: true, maySave: false, refused: false });
        this.headers = { "X-Ferz-Key": takeKey() ?? "" };
    }

    async ask() {
        const answer = await fetch("files.list", { headers: this.headers }).catch(() => null);
        if (!answer) return;
        this.refused = answer.status === 403;
        if (!answer.ok) return;
        const { files, all, may_save: maySave } = await answer.json();
        Object.assign(this, { files, all, maySave });
    }

    read(file) { return fetch(address(file), { headers: this.headers }); }

    write(file, text) {
        return fetch(address(file), { method: "PUT", body: text, headers: this.headers });
    }
}
