// What each tab has on its table, kept in the browser: a reload, a crash or a step back in the
// history brings it back. A tab has a name of its own, so that two tabs keep apart.
const DAYS = 30, TAB = "ferz-tab";

const answered = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

async function openStore() {
    const request = indexedDB.open("ferz", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("tables");
    return answered(request);
}

// The name of this tab. It survives a reload; a copy of a tab, which has the name too, takes another.
async function nameOfTab() {
    const name = sessionStorage.getItem(TAB) ?? crypto.randomUUID();
    const own = (one) => new Promise((resolve) => {
        navigator.locks.request(`ferz-tab ${one}`, { ifAvailable: true }, (lock) => {
            resolve(Boolean(lock));
            return lock ? new Promise(() => {}) : null; // as long as the tab lives
        });
    });
    const made = await own(name) ? name : crypto.randomUUID();
    if (made !== name) await own(made);
    sessionStorage.setItem(TAB, made);
    return { tab: made, from: name };
}

export class Keep {
    constructor() {
        this.works = true; // unless the browser keeps nothing
        this.store = null; // until it is open
        this.timer = 0;
        this.opened = this.open().catch(() => { this.works = false; });
    }

    async open() {
        this.isNew = sessionStorage.getItem(TAB) === null; // a tab that has kept nothing yet
        const [store, names] = await Promise.all([openStore(), nameOfTab()]);
        Object.assign(this, { store, ...names });
    }

    objects(mode) { return this.store.transaction("tables", mode).objectStore("tables"); }

    async forgetOld() {
        await this.opened;
        if (!this.works) return;
        const oldest = Date.now() - DAYS * 86400e3, objects = this.objects("readonly");
        const [keys, values] = await Promise.all([answered(objects.getAllKeys()),
            answered(objects.getAll())]);
        const old = keys.filter((_, i) => values[i].when < oldest);
        for (const key of old) this.objects("readwrite").delete(key);
    }

    // What this tab had at an address; null.
    async read(hash) {
        if (this.isNew) return null;
        await this.opened;
        if (!this.works) return null;
        const objects = this.objects("readonly");
        return await answered(objects.get(`${this.tab} ${hash}`))
            ?? await answered(objects.get(`${this.from} ${hash}`)) ?? null;
    }

    // `table`: what a copy of the game says, with its text. `typing`: more will come soon.
    write(hash, table, typing) {
        if (!this.works) return;
        this.isNew = false;
        this.next = () => this.objects("readwrite").put({ ...table, when: Date.now() },
            `${this.tab} ${hash}`);
        clearTimeout(this.timer);
        if (typing) this.timer = setTimeout(() => this.flush(), 100);
        else this.flush();
    }

    async put(hash, table) {
        this.flush();
        await this.opened;
        this.isNew = false;
        if (!this.works) throw new Error("This browser keeps nothing for pages.");
        await answered(this.objects("readwrite").put({ ...table, when: Date.now() },
            `${this.tab} ${hash}`));
    }

    flush() {
        clearTimeout(this.timer);
        const { next } = this;
        this.next = null;
        if (next && this.store) next();
        else if (next) this.opened.then(() => this.store && next());
    }
}
