// The part of WASI that the engine uses: files that are texts in memory and are only read, standard
// input and output, the clock.

const OK = 0, EBADF = 8, EINVAL = 28, ENOENT = 44, ENOSYS = 52, EROFS = 69;
const DIRECTORY = 3, REGULAR_FILE = 4, CHARACTER_DEVICE = 2;
const ROOT = 3; // the descriptor of the folder in which all files are

export class Wasi {
    constructor() {
        this.files = new Map();  // path -> Uint8Array
        this.open = new Map();   // descriptor -> { bytes, at }
        this.numbers = new Map(); // path -> BigInt
        this.output = [];
        this.memory = null;      // set when the instance exists
    }

    // Standard input for the next call; what the calls before wrote is forgotten.
    feed(bytes) {
        this.open.set(0, { bytes, at: 0 });
        this.output = [];
    }

    written() {
        const total = this.output.reduce((sum, part) => sum + part.length, 0);
        const all = new Uint8Array(total);
        let at = 0;
        for (const part of this.output) {
            all.set(part, at);
            at += part.length;
        }
        return all;
    }

    get view() { return new DataView(this.memory.buffer); }

    bytes(at, length) { return new Uint8Array(this.memory.buffer, at, length); }

    path(at, length) {
        const parts = [];
        for (const part of new TextDecoder().decode(this.bytes(at, length)).split("/"))
            if (part === "..") parts.pop();
            else if (part !== "" && part !== ".") parts.push(part);
        return "/" + parts.join("/");
    }

    isFolder(path) {
        const prefix = path === "/" ? "/" : path + "/";
        for (const name of this.files.keys()) if (name.startsWith(prefix)) return true;
        return false;
    }

    read(fd, vectors, count, sizeAt) {
        const file = this.open.get(fd);
        if (!file) return EBADF;
        let total = 0;
        for (let i = 0; i < count; i++) {
            const at = this.view.getUint32(vectors + 8 * i, true);
            const room = this.view.getUint32(vectors + 8 * i + 4, true);
            const part = file.bytes.subarray(file.at, file.at + room);
            this.bytes(at, part.length).set(part);
            file.at += part.length;
            total += part.length;
        }
        this.view.setUint32(sizeAt, total, true);
        return OK;
    }

    write(fd, vectors, count, sizeAt) {
        let total = 0;
        for (let i = 0; i < count; i++) {
            const at = this.view.getUint32(vectors + 8 * i, true);
            const length = this.view.getUint32(vectors + 8 * i + 4, true);
            if (fd === 1) this.output.push(this.bytes(at, length).slice());
            total += length;
        }
        this.view.setUint32(sizeAt, total, true);
        return OK;
    }

    seek(fd, offset, whence, resultAt) {
        const file = this.open.get(fd);
        if (!file || fd < ROOT) return EBADF;
        const from = whence === 0 ? 0 : whence === 1 ? file.at : file.bytes.length;
        const at = from + Number(offset);
        if (at < 0) return EINVAL;
        file.at = at;
        this.view.setBigUint64(resultAt, BigInt(at), true);
        return OK;
    }

    openFile(pathAt, length, rightsToWrite, fdAt) {
        const path = this.path(pathAt, length);
        const bytes = this.files.get(path);
        if (!bytes) return ENOENT;
        if (rightsToWrite) return EROFS;
        let fd = ROOT + 1;
        while (this.open.has(fd)) fd++;
        this.open.set(fd, { bytes, at: 0, path });
        this.view.setUint32(fdAt, fd, true);
        return OK;
    }

    // Files are told apart by their numbers.
    describe(at, type, size, path) {
        if (!this.numbers.has(path)) this.numbers.set(path, BigInt(this.numbers.size + 1));
        this.bytes(at, 64).fill(0);
        this.view.setBigUint64(at + 8, this.numbers.get(path), true);
        this.view.setUint8(at + 16, type);
        this.view.setBigUint64(at + 32, BigInt(size), true);
        return OK;
    }

    stat(pathAt, length, at) {
        const path = this.path(pathAt, length);
        const bytes = this.files.get(path);
        if (bytes) return this.describe(at, REGULAR_FILE, bytes.length, path);
        return this.isFolder(path) ? this.describe(at, DIRECTORY, 0, path) : ENOENT;
    }

    // The imports of an instance. What is not here answers that it does not exist.
    imports(names) {
        const calls = {
            environ_sizes_get: (countAt, sizeAt) => {
                this.view.setUint32(countAt, 0, true);
                this.view.setUint32(sizeAt, 0, true);
                return OK;
            },
            environ_get: () => OK,
            clock_time_get: (clock, precision, at) => {
                const ms = clock === 0 ? Date.now() : globalThis.performance.now();
                this.view.setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
                return OK;
            },
            fd_close: (fd) => (fd > ROOT && this.open.delete(fd) ? OK : EBADF),
            fd_fdstat_get: (fd, at) => {
                if (fd > ROOT && !this.open.has(fd)) return EBADF;
                this.bytes(at, 24).fill(0);
                this.view.setUint8(at, fd < ROOT ? CHARACTER_DEVICE
                    : fd === ROOT ? DIRECTORY : REGULAR_FILE);
                this.view.setBigUint64(at + 8, ~0n & 0xffffffffffffffffn, true);
                this.view.setBigUint64(at + 16, ~0n & 0xffffffffffffffffn, true);
                return OK;
            },
            fd_filestat_get: (fd, at) => {
                const file = fd > ROOT && this.open.get(fd);
                return file ? this.describe(at, REGULAR_FILE, file.bytes.length, file.path) : EBADF;
            },
            fd_prestat_get: (fd, at) => {
                if (fd !== ROOT) return EBADF;
                this.view.setUint8(at, 0);
                this.view.setUint32(at + 4, 1, true);
                return OK;
            },
            fd_prestat_dir_name: (fd, at) => {
                if (fd !== ROOT) return EBADF;
                this.view.setUint8(at, "/".charCodeAt(0));
                return OK;
            },
            fd_read: (...args) => this.read(...args),
            fd_write: (...args) => this.write(...args),
            fd_seek: (...args) => this.seek(...args),
            path_filestat_get: (fd, flags, path, length, at) => this.stat(path, length, at),
            path_open: (fd, flags, path, length, kind, rights, inherited, more, fdAt) =>
                this.openFile(path, length, kind !== 0, fdAt),
            // Asked only whether there is input: there is, or its end.
            poll_oneoff: (asked, answers, count, countAt) => {
                this.bytes(answers, 32).fill(0);
                this.bytes(answers, 8).set(this.bytes(asked, 8));
                this.view.setUint8(answers + 10, 1);
                this.view.setUint32(countAt, 1, true);
                return OK;
            },
            proc_exit: (code) => { throw new Error(`the engine ended with ${code}`); },
        };
        return Object.fromEntries(names.map((name) => [name, calls[name] ?? (() => ENOSYS)]));
    }
}
