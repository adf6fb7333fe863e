// A worker with an engine, as promises. A worker that takes too long or breaks is replaced: a script
// cannot make the page wait for ever.

const startWorker = () =>
    new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

export class Remote {
    // `parts`: those of the engine; null: the worker fetches them. `begun`: called with each new
    // worker, to bring it to where the old one was. `worker`: one that was started before.
    constructor(parts, begun = async () => {}, worker = startWorker()) {
        this.parts = parts;
        this.begun = begun;
        this.waiting = new Map();
        this.next = 1;
        this.restored = Promise.resolve(); // when a new worker is where the old one was
        this.start(worker);
    }

    start(worker) {
        this.worker = worker;
        this.worker.addEventListener("message", ({ data }) => this.receive(data));
        this.worker.addEventListener("error", (event) => this.fail(event.message));
        this.ready = this.begin();
        this.ready.catch(() => {});
    }

    async begin() {
        const parts = await this.send("begin", this.parts, { seconds: 30 });
        this.parts ??= parts;
    }

    receive({ id, result, error, news, broken }) {
        const call = this.waiting.get(id);
        if (!call) return;
        if (news !== undefined) {
            call.news?.(news);
            this.wind(id, call);
            return;
        }
        this.forget(id);
        if (error === undefined) call.resolve(result);
        else call.reject(new Error(error));
        if (broken) this.replace("The engine had to start again.");
    }

    forget(id) {
        clearTimeout(this.waiting.get(id)?.timer);
        this.waiting.delete(id);
    }

    fail(reason) {
        for (const [id, call] of [...this.waiting]) {
            this.forget(id);
            call.reject(new Error(reason));
        }
    }

    replace(reason) {
        this.worker.terminate();
        this.fail(reason);
        this.start(startWorker());
        this.restored = this.ready.then(() => this.begun()).catch(() => {});
    }

    wind(id, call) {
        clearTimeout(call.timer);
        call.timer = setTimeout(
            () => this.replace(`This took more than ${call.seconds} s and was stopped.`),
            call.seconds * 1000);
    }

    send(name, args, { seconds = 10, news = null } = {}) {
        const id = this.next++;
        return new Promise((resolve, reject) => {
            const call = { resolve, reject, news, seconds };
            this.waiting.set(id, call);
            this.wind(id, call);
            this.worker.postMessage({ id, name, args });
        });
    }

    // A call when the engine is there.
    async call(name, args = {}, options = {}) {
        await this.ready;
        return this.send(name, args, options);
    }

    stop() { this.worker.postMessage({ name: "stop" }); }
}
