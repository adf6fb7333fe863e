// Records and positions: saving, loading, and a position that is put together on the board.
import { element } from "./panels.js";

export class Records {
    // `app`: the page with its board, editor and game.
    constructor(app) {
        this.app = app;
        this.tool = null; // what a click on the board puts there: [kind, owner], or "remove"
        const on = (id, call) => element(id).addEventListener("click", () => call().catch((error) =>
            app.notice(error.message)));
        on("save-record", () => this.save());
        on("load-record", async () => element("record-file").click());
        element("record-file").addEventListener("change", async () => {
            const [file] = element("record-file").files;
            element("record-file").value = "";
            if (file) await this.read(await file.text()).catch((error) => app.notice(error.message));
        });
        on("read-position", () => this.read(element("position").value));
        on("copy-test", () => this.copyTest());
        element("side").addEventListener("change", () => this.put(this.lines()
            .map((line) => line.replace(/^mover:.*/, `mover: ${element("side").value}`)), null));
    }

    async save() {
        const { app } = this;
        if (app.game?.hides && app.view?.status.waiting !== "over")
            throw new Error("A record tells all secrets: it can be saved when the game is over.");
        const text = await app.remote.call("record", { shipped: app.shipped });
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
        link.download = `${app.path.split("/").pop().replace(/\.game$/, "")}.record`;
        link.click();
        URL.revokeObjectURL(link.href);
    }

    // A record, a position or a FEN. A record of a game of the library opens that game.
    async read(text) {
        const { app } = this;
        if (!text.startsWith("ferz record")) {
            await this.begin(text.trim());
            return;
        }
        const { game, entries, ...rest } = await app.remote.call("readRecord", { text });
        const played = { ...rest, entries: entries.map((one) => (one.startsWith("{")
            ? { text: one.slice(1, -1), chance: true } : { text: one, chance: false })) };
        const path = `/games/${game}.game`, shipped = app.parts.files[path];
        if (shipped === undefined || app.shipped === false) await this.replay(played);
        else await app.open("game", game, { text: shipped, base: shipped, path, ...played });
    }

    async replay(played) {
        this.app.options = played.options;
        await this.app.compile(played);
        if (this.app.copy.entries.length < played.entries.length)
            this.app.notice("The rules do not allow all moves of the record.");
    }

    // ---- a position ----

    // Goes on from the position, unless it cannot be read.
    async begin(position) {
        const { app } = this;
        await app.remote.call("position", { position });
        app.notice("");
        await app.refresh();
    }

    // Shows the tab: the position as text, and what can be put on the board.
    async show() {
        const { app } = this, { game } = app;
        const box = element("tools");
        element("tab-position").hidden = game.hides; // the text says all
        if (app.tab !== "position") return;
        if (game.hides) {
            element("tab-moves").click();
            return;
        }
        element("position").value = await app.remote.call("positionText");
        element("side").replaceChildren(...game.players.map(({ name }) => new Option(name)));
        element("side").value = game.players[app.view.status.mover]?.name ?? "";
        const tool = (name, value) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = name;
            button.setAttribute("aria-pressed", String(JSON.stringify(value)
                === JSON.stringify(this.tool)));
            button.addEventListener("click", () => {
                const again = JSON.stringify(this.tool) === JSON.stringify(value);
                this.tool = again ? null : value;
                this.show();
            });
            return button;
        };
        box.replaceChildren(tool("Remove", "remove"), ...game.players.flatMap((player, owner) =>
            game.kinds.map((kind, k) => tool(`${player.name} ${kind.name}`, [k, owner]))));
    }

    // The piece of another game means nothing.
    forget() { this.tool = null; }

    // Is a click on the board for this tab? The rules may have lost the piece since it was chosen.
    get active() {
        const { game, tab } = this.app;
        return this.tool !== null && tab === "position" && !game.hides
            && (this.tool === "remove" || this.tool[0] < game.kinds.length
                && this.tool[1] < game.players.length);
    }

    // Lines of the position that are not the board, without what depends on it.
    lines() {
        return element("position").value.split("\n").filter((line) =>
            /^(mover:|option \w|\w+(\[[^\]]*\])? = )/.test(line));
    }

    // Puts what was chosen on the site, or takes away what stands there.
    async click(site) {
        await this.app.compiled; // then what is shown is of the present rules
        if (!this.active) return;
        const contents = [...this.app.view.contents];
        contents[site] = this.tool === "remove" ? null : [...this.tool, 1];
        await this.put(this.lines(), contents);
    }

    async put(lines, contents) {
        const { game, view } = this.app;
        const pieces = (contents ?? view.contents).flatMap((one, site) => (one
            ? [`${game.sites[site]} ${letterOf(game.kinds[one[0]], one[1])}`] : []));
        await this.begin([...(pieces.length ? [`pieces: ${pieces.join(", ")}`] : []), ...lines]
            .join("\n")).catch((error) => this.app.notice(error.message));
    }

    // A test that begins with the position, in the clipboard and in the field.
    async copyTest() {
        const text = `test "a position" {\n  position """\n${(await this.app.remote
            .call("positionText")).trimEnd()}\n  """;\n  moves ${this.app.view.moves.length};\n}\n`;
        element("position").value = text;
        await navigator.clipboard?.writeText(text).catch(() => {});
        this.app.notice("The test was copied.");
    }
}

// A piece with the number of its player, which can always be written.
function letterOf({ letter, name }, owner) {
    const text = letter || name;
    return `${text}${/\d$/.test(text) ? ":" : ""}${owner + 1}`;
}
