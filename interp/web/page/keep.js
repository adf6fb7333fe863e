// What each tab has on its table, kept in the browser: a reload, a crash or a step back in the
// history brings it back. A tab has a name of its own, so that two tabs keep apart.
const DAYS = 30;

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
    const name = sessionStorage.getItem("ferz-tab") ?? crypto.randomUUID();
    const own = (one) => new Promise((resolve) => {
        navigator.locks.request(`ferz-tab ${one}`, { ifAvailable: true }, (lock) => {
            resolve(Boolean(lock));
            return lock ? new Promise(() => {}) : null; // as long as the tab lives
        });
    });
    const made = await own(name) ? name : crypto.randomUUID();
    if (made !== name) await own(made);
    sessionStorage.setItem("ferz-tab", made);
    return { tab: made, from: name };
}

export class Keep {
    constructor(store, { tab, from }) {
        Object.assign(this, { store, tab, from, timer: 0 });
    }

    // Nothing is kept where the browser keeps nothing.
    static async open() {
        try {
            const keep = new Keep(await openStore(), await nameOfTab());
            await keep.forgetOld();
            return keep;
        } catch {
            return new Keep(null, {});
        }
    }

    get works() { return Boolean(this.store); }

    objects(mode) { return this.store.transaction("tables", mode).objectStore("tables"); }

    async forgetOld() {
        const oldest = Date.now() - DAYS * 86400e3, objects = this.objects("readonly");
        const [keys, values] = await Promise.all([answered(objects.getAllKeys()),
            answered(objects.getAll())]);
        const old = keys.filter((_, i) => values[i].when < oldest);
        for (const key of old) this.objects("readwrite").delete(key);
    }

    // What this tab had at an address; null.
    async read(hash) {
        if (!this.works) return null;
        const objects = this.objects("readonly");
        return await answered(objects.get(`${this.tab} ${hash}`))
            ?? await answered(objects.get(`${this.from} ${hash}`)) ?? null;
    }

    // `table`: what a copy of the game says, with its text. `typing`: more will come soon.
    write(hash, table, typing) {
        if (!this.works) return;
        this.next = () => this.objects("readwrite").put({ ...table, when: Date.now() },
            `${this.tab} ${hash}`);
        clearTimeout(this.timer);
        if (typing) this.timer = setTimeout(() => this.flush(), 100);
        else this.flush();
    }

    async put(hash, table) {
        this.flush();
        if (!this.works) throw new Error("This browser keeps nothing for pages.");
        await answered(this.objects("readwrite").put({ ...table, when: Date.now() },
            `${this.tab} ${hash}`));
    }

    flush() {
        clearTimeout(this.timer);
        this.next?.();
        this.next = null;
    }
}
