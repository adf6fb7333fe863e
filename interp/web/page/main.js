// The page: what the person does goes to the engine in a worker, what the engine answers is shown.
import { Board } from "./board.js";
import { showChance, showMoves } from "./choices.js";
import { listenToDivider } from "./divider.js";
import { Draft } from "./draft.js";
import { showEnding, takenText } from "./endings.js";
import { Folder } from "./folder.js";
import { Gallery } from "./gallery.js";
import { Keep } from "./keep.js";
import { labels } from "./labels.js";
import { addUnused, element, linesOfTests, setUpTabs, showRecord, showRules, showStory, showTally,
    showTests, showUse, tallyText, useOfLines } from "./panels.js";
import { listenToNewScript } from "./new_script.js";
import { Records } from "./records.js";
import { Remote } from "./remote.js";
import { Seats } from "./seats.js";
import { Shading } from "./shading.js";
import { Sound } from "./sound.js";
import { sharesOf, together } from "./thinkers.js";
import { Things } from "./things.js";
import { Voice, count } from "./voice.js";
import { MINE, asked, fromPlay, link, pack, safePath, toPlay, unpack } from "./share.js";

const FIRST = "classic/tic-tac-toe";
const NOTICE_MS = 8000, RANDOM_MOVES = 25;
const THEMES = ["light", "dark", "contrast"]; // first.js chooses the first one

class App {
    // `name`, `start`: the game of the address and what was worked out of its start, if it is a
    // shipped one; `worker`: it fetches the engine.
    constructor(files, keep, { name, start, worker }) {
        this.first = { name, start };
        this.keep = keep;
        this.path = MINE;
        this.options = {};
        this.saves = null;
        this.base = "";           // the text that the script began with
        this.holder = null;       // the player who holds the device, if it is passed
        this.hash = null;         // what the text came from
        this.game = null;         // players, sites, ... of the game on the table
        this.view = null;
        this.start = null;        // what is shown until the engine answers
        this.selected = -1;
        this.tab = "moves";
        this.compiling = false;
        this.next = null;         // what is to be compiled after that
        this.doing = Promise.resolve();
        // A new worker gets the game back, unless its text is what broke the old one.
        this.remote = new Remote(null, () => (this.broken === this.editor.text ? null
            : this.compile(null)), worker);
        this.others = {};         // more engines: for players that think, and for long work
        this.sound = new Sound(element("sound"));
        this.things = new Things(this);
        this.voice = new Voice(this);
        this.board = new Board(element("board"), {
            chosen: (site) => this.choose(site), named: (thing) => this.things.choose(thing),
        });
        this.editor = new Draft();
        this.shading = new Shading(this);
        this.records = new Records(this);
        this.seats = new Seats({
            changed: () => this.refresh(),
            chosen: (options) => { this.options = options; this.compile({ entries: [] }); },
            asks: (asks) => this.act("asks", { asks }),
        });
        this.gallery = new Gallery(files, (kind, value) => {
            location.hash = link(kind, value);
        });
        this.files = files;
        setUpTabs((tab) => { this.tab = tab; this.showTab(); });
        this.listen();
    }

    // The parts of the engine, when that is ready.
    get parts() { return this.remote.parts; }

    // ---- texts ----

    // The editor is large and comes after the board.
    async loadEditor() {
        const { Editor } = await import("./editor.js"), draft = this.editor;
        this.editor = new Editor(element("editor"), {
            changed: () => this.edited(), selected: (text) => this.shading.show([text]),
            pointed: (name, at) => this.shading.name(name, at), left: () => this.shading.clear(),
            ask: (method, params) => this.ask(method, params),
        });
        draft.giveTo(this.editor);
    }

    // Replaces what an address leads to, in this tab.
    async open(kind, value, table) {
        const hash = link(kind, value);
        await this.keep.put(hash, table);
        if (location.hash !== hash) location.hash = hash;
        else { this.hash = null; await this.follow(); }
    }

    // `saves`: the file of the folder that Save writes, which only a text from there may have.
    // `base`: the text that the script began with. `kept`: it is from an earlier visit.
    async load({ text, path, entries = [], options = {}, seed, saves = null, base = text,
        position = null, at = null, agents = [], kept = false, start = null }) {
        this.path = path;
        this.saves = saves;
        this.base = base;
        this.options = options;
        this.editor.path = path;
        this.editor.setText(text);
        this.hash = location.hash;
        this.seats.forget();
        this.records.forget();
        this.seats.agents = agents;
        this.holder = kept ? -1 : null;
        this.isNew = true;
        this.showSave();
        for (const id of ["tally", "tests", "test-sum"]) element(id).replaceChildren();
        if (start && text === start.text && !entries.length && position === null
            && !agents.some(Boolean) && !Object.keys(options).length) this.showStart(start);
        await this.compile({ entries, seed: seed ?? Math.floor(Math.random() * 1e9), position, at });
    }

    // What the engine will answer, before it is there.
    showStart({ report, view, pictures }) {
        const picture = pictures[this.theme];
        if (view) {
            this.start = { report, view: { ...view, picture } }; // in the order of the engine's
            this.opened(report, []);
            this.view = this.start.view;
            this.show();
            performance.mark("board");
        } else {
            this.board.show(picture);
        }
    }

    // Is this shown already?
    isShown(what, answer) {
        return this.start && JSON.stringify(answer) === JSON.stringify(this.start[what]);
    }

    showSave() { element("save").hidden = !(this.files.maySave && this.saves); }

    // Would leaving the text lose something?
    get unsaved() { return this.editor.text !== this.base && !this.keep.works; }

    // Keeps the table for later visits.
    keepTable(typing = false) {
        element("original").hidden = this.editor.text === this.base;
        if (this.hash !== location.hash || !this.copy) return;
        const { editor: { text }, base, path, options, copy, seats: { agents } } = this;
        this.keep.write(this.hash, { text, base, path, options, agents, ...copy }, typing);
    }

    edited() {
        this.editor.setTold(0);
        this.keepTable(true);
        this.compile(null);
    }

    // Compiles the text of the editor. `game`: what is replayed; null: the game so far. While one
    // compile runs, the next waits, and only the last of those that wait takes place.
    compile(game) {
        if (game || !this.next) this.next = { game };
        if (!this.compiling) this.compiled = this.compileAll();
        return this.compiled;
    }

    async compileAll() {
        this.compiling = true;
        while (this.next) {
            const { game } = this.next;
            this.next = null;
            try {
                const { entries = [], position = null } = this.copy ?? {};
                await this.compileOnce(game ?? { entries, position });
            } catch (error) {
                this.broken = this.editor.text;
                this.nameGame(titleOf(this.editor.text));
                this.notice(error.message);
            }
        }
        this.compiling = false;
    }

    async compileOnce(game) {
        const begun = performance.now();
        const report = await this.remote.call("open",
            { text: this.editor.text, path: this.path, options: this.options, ...game });
        this.lastCompile = performance.now() - begun;
        if (!this.isShown("report", report)) this.opened(report, game.entries);
        if (this.game) await this.refresh();
        this.start = null;
    }

    nameGame(title) {
        element("title").textContent = title;
        document.title = `${title} – Ferz`;
    }

    opened(report, entries) {
        this.editor.setDiagnostics(report.diagnostics);
        const errors = report.diagnostics.filter((one) => one.severity === "error").length;
        const warnings = report.diagnostics.length - errors;
        const first = report.diagnostics[0];
        const box = element("problems");
        box.className = errors || report.failure || report.message ? "bad" : warnings ? "warn" : "";
        const text = report.failure
            ? `The ${report.position ? "position" : "set-up"} fails: ${report.failure}`
            : report.message || (report.library ? "This is a library: games use it."
            : first ? `${count(errors, "error")}${warnings ? `, ${count(warnings, "warning")}` : ""}`
                + `: line ${first.line}: ${first.message}`
            : "No mistakes.");
        element("problem").hidden = !first;
        element("problem").textContent = first ? text : "";
        element("problem").dataset.line = first?.line ?? 0;
        element("verdict").textContent = first ? "" : text;
        element("table").classList.toggle("stale", !report.ok);
        if (report.failure) this.nameGame(titleOf(this.editor.text));
        if (!report.ok) return;
        this.game = report.game;
        this.selected = -1;
        this.things.held = null;
        this.hinted = [];
        this.seats.show(report.game);
        this.nameGame(report.game.title);
        const lost = report.replayed < entries.length && !entries[report.replayed].chance
            && this.view?.entries[report.replayed];
        this.notice(lost ? `The rules no longer allow “${lost.text}”; the game goes on before it.`
            : "");
    }

    // ---- the game ----

    // Something that changes the game: one after the other. Resolves to whether it was possible.
    act(name, args = {}) {
        this.doing = this.doing.then(async () => {
            let done = true;
            try {
                await this.remote.restored;
                await this.remote.call(name, args);
                this.notice("");
            } catch (error) {
                this.notice(error.message);
                done = false;
            }
            this.selected = -1;
            this.things.held = null;
            this.hinted = [];
            await this.refresh();
            return done;
        });
        return this.doing;
    }

    async refresh() {
        try {
            const [view, copy] = await Promise.all([
                this.remote.call("view", { viewer: this.seats.viewer, theme: this.theme,
                    ...(this.seats.passes ? { people: this.seats.people(), holder: this.holder }
                        : {}) }),
                this.remote.call("copy")]);
            this.copy = copy;
            this.keepTable();
            if (this.isShown("view", view)) return;
            this.view = view; // and shown at once
        } catch (error) {
            this.notice(error.message);
            return;
        }
        this.show();
        this.maybeThink();
    }

    show() {
        const { view, game } = this;
        const focused = document.activeElement;
        if (this.holder === null || !this.seats.passes) this.holder = view.viewer;
        this.board.empty = view.contents.findIndex((one) => one === null);
        this.board.show(view.picture);
        if (view.last && view.at === this.shownAt + 1) this.board.slide(view.last.from, view.last.to);
        if (view.at > this.shownAt) this.sound.click();
        this.shownAt = view.at;
        this.mark();
        element("turn").textContent = this.turnText();
        showEnding(view.ended, this.path, (line) => {
            this.reveal("script");
            this.editor.goTo(line);
        });
        element("drawing").textContent = view.drawing;
        element("taken").textContent = takenText(game, view.taken);
        // The last line says whose turn it is, as the page does itself.
        element("below").textContent = view.picture.below.trimEnd().split("\n").slice(0, -1)
            .map((line) => line.trim()).join("\n");
        element("below").className = view.picture.drawn ? "" : "alone";
        showRecord(view, game.players, (at) => this.act("go", { at }));
        this.showChoices();
        if (view.covered) this.offerPass(view.status.decider);
        showChance(view.outcomes, (value = null) => this.act("chance", { value }));
        element("back").disabled = element("first").disabled = view.at === 0;
        element("forth").disabled = element("last").disabled = view.at === view.entries.length;
        element("undo").disabled = view.at === 0;
        element("reroll").hidden = !view.entries.slice(0, view.at).some((one) => one.chance);
        element("hint").disabled = view.status.waiting !== "move" || !view.moves.length;
        if (view.covered) this.hideRest();
        element("move-list").replaceChildren(...view.moves.slice(0, 500).map((move) => {
            const option = document.createElement("option");
            option.value = move.text;
            return option;
        }));
        this.keepHeight();
        this.keepFocus(focused);
        this.voice.announce();
        this.showTab();
    }

    // Texts below the board come and go with the moves, and the board must not jump: they keep the
    // room that they once had.
    keepHeight() {
        const extras = element("extras"), width = extras.clientWidth;
        if (this.isNew || width !== this.extrasWidth) extras.style.minHeight = "";
        this.extrasWidth = width;
        extras.style.minHeight = `${extras.offsetHeight}px`;
    }

    // The focus must not be lost with a button that is gone or can no longer be pressed.
    keepFocus(focused) {
        if (focused === document.body || (focused.isConnected && !focused.disabled)) return;
        const next = document.querySelector(focused.isConnected
            ? "#controls button:not(:disabled, [hidden])"
            : "#choices button, #chance button") ?? element("board");
        next.focus({ preventScroll: true });
    }

    // What one person has read or typed is not for the next.
    hideRest() {
        for (const id of ["first", "back", "forth", "last", "undo"]) element(id).disabled = true;
        element("reroll").hidden = true;
        element("story").replaceChildren();
        element("move").value = "";
        this.notice("");
    }

    // The next person sees nothing before taking the device.
    offerPass(player) {
        element("turn").textContent = `Pass the device to ${this.game.players[player].name}.`;
        showMoves([{ text: `I am ${this.game.players[player].name}`, index: 0 }], () => {
            this.holder = player;
            this.refresh();
        });
    }

    turnText() {
        const { status, entries, at } = this.view;
        const name = (p) => this.game.players[p]?.name ?? "";
        if (status.waiting === "over") {
            const best = this.game.players.filter((_, p) => status.ranks[p] === 1);
            const how = status.stopped ? " The game was stopped by its limit." : "";
            if (this.game.oneSide)
                return (status.utilities[0] === 1 ? "Won." : status.utilities[0] === 0 ? "Lost."
                    : "The game is over.") + how;
            if (best.length === 1) return `${best[0].name} won.${how}`;
            return (best.length === this.game.players.length ? "A draw."
                : `${best.map((one) => one.name).join(" and ")} share the first place.`) + how;
        }
        if (status.waiting === "chance") return "Chance decides.";
        const turn = `${name(status.decider)} to move`;
        return at < entries.length ? `${turn} (move ${at} of ${entries.length})` : `${turn}.`;
    }

    // ---- choosing on the board ----

    mark() {
        const { moves, contents } = this.view;
        const taken = (site) => contents[site] !== null && contents[site] !== "?";
        const once = (sites) => [...new Set(sites)].filter((site) => site >= 0);
        const { held } = this.things;
        const targets = held ? once(held.moves.map((one) => one.to)) : this.selected >= 0
            ? once(moves.filter((one) => one.from === this.selected).map((one) => one.to)) : [];
        const human = this.seats.isPerson(this.view.status.decider);
        this.board.setMarks({
            selected: this.selected,
            targets: targets.map((site) => ({ site, taken: taken(site) })),
            from: this.selected < 0 && !held && human && !this.records.active ? once(moves.filter((one) => one.from !== one.to)
                .map((one) => one.from)) : [],
            hint: this.hinted ?? [],
        });
        this.board.setLabels(labels(this.game, contents, human ? moves : [], this.selected));
    }

    choose(site) {
        if (site >= 0 && this.records.active) { this.records.click(site); return; }
        if (!this.view || this.view.status.waiting !== "move") return;
        const moves = this.view.moves.map((move, index) => ({ ...move, index }));
        const direct = (this.things.held?.moves ?? moves).filter((one) => one.to === site
            && (one.from < 0 || one.from === site));
        this.things.held = null;
        // Without a board there is nothing to click.
        if (!this.view.picture.sites.length) return;
        const before = this.selected;
        const goes = this.selected < 0 ? []
            : moves.filter((one) => one.from === this.selected && one.to === site);
        if (site < 0) {
            this.selected = -1;
        } else if (goes.length) {
            this.playOne(goes);
            return;
        } else if (site !== this.selected && moves.some((one) => one.from === site
                && one.to !== site)) {
            this.selected = site;
        } else if (direct.length) {
            this.playOne(direct);
            return;
        } else {
            this.selected = -1;
        }
        this.mark();
        this.showChoices();
        if (this.selected >= 0) this.voice.select();
        else if (site >= 0 || before >= 0) this.voice.say(before >= 0 ? "Nothing is selected."
            : `No move from ${this.game.sites[site]}.`);
    }

    // Plays the only one of the moves, or asks which.
    playOne(moves) {
        if (moves.length === 1) this.play(moves[0].index);
        else this.showChoices(moves);
    }

    play(index) {
        this.stopThinking();
        this.act("play", { index });
    }

    // Buttons: the moves among which a click did not decide, or those that no click can mean.
    showChoices(among = null) {
        const moves = this.view.moves.map((move, index) => ({ ...move, index }));
        const list = among ?? (this.selected >= 0
            ? moves.filter((one) => one.from === this.selected && one.to < 0)
            : moves.filter((one) => one.to < 0 || !this.view.picture.sites.length));
        showMoves(list, (index) => this.play(index), this.view.picture.swatches);
        if (among) element("choices").firstChild?.focus();
    }

    // ---- players that think ----

    // Playouts and tests do not keep players from thinking.
    engineFor(work) {
        this.others[work] ??= new Remote(this.parts);
        return this.others[work];
    }

    stopThinking() {
        this.thought = (this.thought ?? 0) + 1;
    }

    async maybeThink() {
        const { view } = this;
        const agent = this.seats.agentOf(view.status.decider);
        if (view.status.waiting !== "move" || !agent || view.at < view.entries.length) return;
        this.stopThinking();
        if (this.seats.areRandom) { // in steps that can be seen, not move by move
            this.act("random", { count: RANDOM_MOVES });
            return;
        }
        const mine = this.thought;
        element("turn").textContent = `${this.game.players[view.status.decider].name} thinks…`;
        const move = await this.think(agent);
        if (move && this.thought === mine) this.act("play", { text: move.text });
    }

    async think(agent) {
        try {
            const copy = await this.remote.call("copy");
            const shares = sharesOf(agent, navigator.hardwareConcurrency ?? 1);
            return together(await Promise.all(shares.map((share, i) => this.engineFor(`thinking${i}`)
                .call("choose", { text: this.editor.text, path: this.path, options: this.options,
                    agent: share, ...copy }, { seconds: 30 }))));
        } catch (error) {
            this.notice(error.message);
            return null;
        }
    }

    async hint() {
        this.notice("");
        this.voice.say("Thinking…");
        element("turn").textContent = "Thinking…";
        const move = await this.think("mcts:2000");
        element("turn").textContent = this.turnText();
        const found = this.view.moves.find((one) => one.text === move?.text);
        if (!found) return;
        this.hinted = [found.from, found.to].filter((site) => site >= 0);
        this.mark();
        this.notice(`MCTS would play ${found.text}.`);
    }

    // ---- panels ----

    async showTab() {
        if (!this.view || this.view.covered) return;
        this.records.show();
        if (this.tab === "rules")
            this.remote.call("rules").then(showRules, (error) => this.notice(error.message));
        if (this.tab !== "story") return;
        const text = await this.remote.call("story",
            { at: this.view.at - 1, viewer: this.view.viewer }).catch((error) => error.message);
        showStory(text, this.path.split("/").pop(), {
            told: (line, statement, go) => {
                this.editor.setTold(line);
                if (go && line) this.reveal("script");
                if (line) this.editor.goTo(line, go);
                this.shading.statement(statement);
            },
            left: () => { this.editor.setTold(0); this.shading.clear(); },
        });
    }

    async run() {
        element("run").hidden = true;
        element("stop").hidden = element("run-progress").hidden = false;
        element("run-progress").value = 0;
        try {
            const path = this.path, text = this.editor.text;
            const result = await this.engineFor("runs").call("playouts", { text, path,
                options: this.options, seed: Math.floor(Math.random() * 1e9),
                count: Number(element("run-count").value), theme: this.theme }, {
                seconds: 30,
                news: (news) => {
                    element("run-progress").value = news.done / news.count;
                    showTally(news);
                },
            });
            showTally(result);
            this.voice.say(tallyText(result));
            if (text === this.editor.text) this.editor.setUse(useOfLines(result.rules, path));
            addUnused(result.rules, path, (line) => { this.reveal("script"); this.editor.goTo(line); });
            showUse(result);
        } catch (error) {
            element("tally").textContent = error.message;
        }
        element("run").hidden = false;
        element("stop").hidden = element("run-progress").hidden = true;
    }

    async runTests() {
        element("test-sum").textContent = "Running…";
        try {
            const text = this.editor.text;
            const tests = await this.engineFor("runs").call("test", { text, path: this.path },
                { seconds: 60 });
            const lines = linesOfTests(text, tests);
            showTests(tests, lines, (line) => { this.reveal("script"); this.editor.goTo(line); });
            if (text === this.editor.text) this.editor.setTests(lines);
        } catch (error) {
            element("test-sum").textContent = error.message;
        }
    }

    ask(method, params) {
        return this.remote.call("ask", { text: this.editor.text, path: this.path, method, params });
    }

    // ---- the rest of the page ----

    // Places in the text on the left are lines.
    notice(text) {
        const own = `${this.path}:`;
        const [first, ...more] = text.split("\n").map((line) => (line.trim().startsWith(own)
            ? line.replace(own, "line ").replace(/(line \d+):\d+/, "$1") : line));
        element("notice").hidden = !text;
        element("said").textContent = first;
        clearTimeout(this.fading);
        if (text) this.fading = setTimeout(() => this.fade(), NOTICE_MS);
        element("more").hidden = !more.length;
        element("more").open = false;
        element("details").textContent = more.join("\n");
    }

    // A notice goes away by itself, but not while somebody reads it.
    fade() {
        const box = element("notice");
        if (element("more").open || box.matches(":hover, :focus-within"))
            this.fading = setTimeout(() => this.fade(), 1000);
        else box.hidden = true;
    }

    reveal(side) {
        document.querySelector("main").dataset.side = side;
        for (const button of document.querySelectorAll("#sides button"))
            button.setAttribute("aria-pressed", String(button.dataset.side === side));
    }

    // Are the rules those of the library?
    get shipped() { return this.parts?.files[this.path] === this.editor.text; }

    // The moves and the seed of chance tell what the players hide from each other.
    async share() {
        const { entries, seed, position } = await this.remote.call("copy");
        const hides = this.game?.hides && this.view.status.waiting !== "over";
        const { options } = this;
        const play = { options, ...(hides ? {} : { entries: toPlay(entries), seed, position }) };
        const name = this.path.split("/").pop();
        const hash = this.shipped
            ? link("game", this.path.slice("/games/".length, -".game".length))
                + (hides || entries.length || position || Object.keys(options).length
                    ? `&play=${await pack(play)}` : "")
            : `#text=${await pack({ text: this.editor.text, path: this.path, name, ...play })}`;
        element("carried").textContent = hides
            ? "This link carries the rules. The moves are left out while they hide something."
            : "This link carries the rules and the moves.";
        const address = new URL(location.href);
        address.hash = hash;
        element("link").value = address.href;
        element("shared").showModal();
        element("link").select();
    }

    // What an address asks for.
    async asked({ kind, value, play }) {
        const played = play ? fromPlay(await unpack(play)) : {};
        if (kind === "text") {
            const { text, path, ...game } = await unpack(value);
            return { text: String(text), path: safePath(path), ...fromPlay(game) };
        }
        if (kind === "file") {
            const response = await this.files.read(value);
            if (!response.ok) throw new Error(`There is no file ${value}.`);
            return { text: await response.text(), path: `/files/${value}`, saves: value, ...played };
        }
        const path = `/games/${value}.game`;
        const start = value === this.first.name ? await this.first.start : null;
        if (start) return { text: start.text, path, start, ...played };
        await this.remote.ready;
        const text = this.parts.files[path];
        if (text === undefined) throw new Error(`There is no game ${value}.`);
        return { text, path, ...played };
    }

    // The table as it was at an address in this tab, if it was there.
    async again(wanted) {
        const kept = await this.keep.read(location.hash);
        if (wanted.kind === "mine" && !kept)
            throw new Error(`This browser does not keep ${wanted.value} any more.`);
        const asked = wanted.kind === "mine" ? {} : await this.asked(wanted);
        if (!kept) return asked;
        const changed = asked.text !== undefined && asked.text !== kept.base;
        if (changed && kept.text !== kept.base)
            this.later = "The script was changed elsewhere, too; this is the text of this tab.";
        return { ...asked, ...kept, kept: true,
            ...(changed && kept.text === kept.base ? { text: asked.text, base: asked.text } : {}) };
    }

    async follow() {
        const wanted = asked(location.hash) ?? { kind: "game", value: FIRST };
        if (location.hash === this.hash) return;
        if (this.unsaved && !confirm("The changes of the rules are not saved. Leave them?")) {
            history.replaceState(null, "", this.hash || location.pathname);
            return;
        }
        this.keep.flush();
        try {
            await this.load(await this.again(wanted));
            if (this.later) this.notice(this.later);
            this.later = "";
        } catch (error) {
            await this.remote.ready;
            if (!this.game && wanted.value !== FIRST)
                await this.load({ text: this.parts.files[`/games/${FIRST}.game`],
                    path: `/games/${FIRST}.game` });
            this.notice(error.message);
        }
    }

    // Nothing that somebody else wrote in the meantime is lost.
    async save() {
        const { text } = this.editor;
        const there = await this.files.read(this.saves).then((one) => (one.ok ? one.text() : null),
            () => null);
        if (there !== null && there !== this.base && there !== text
            && !confirm("The file has changed since it was read. Replace it by this text?")) return;
        const response = await this.files.write(this.saves, text)
            .catch(() => ({ ok: false, status: "no answer" }));
        if (response.ok) this.base = text;
        this.keepTable();
        this.notice(response.ok ? "Saved." : `The file was not saved (${response.status}).`);
    }

    listen() {
        const on = (id, call) => element(id).addEventListener("click", call);
        on("first", () => this.act("go", { at: 0 }));
        on("back", () => this.act("go", { at: this.view.at - 1 }));
        on("forth", () => this.act("go", { at: this.view.at + 1 }));
        on("last", () => this.act("go", { at: this.view.entries.length }));
        on("undo", () => { this.stopThinking();
            this.act("undo", { players: this.seats.people() }); });
        on("reroll", () => this.act("reroll"));
        on("new", () => { this.stopThinking();
            this.act("restart", { seed: Math.floor(Math.random() * 1e9) }); });
        on("hint", () => this.hint());
        on("flip", () => {
            this.board.flip();
            element("flip").setAttribute("aria-pressed", String(this.board.flipped));
            this.mark();
        });
        on("run", () => this.run());
        on("stop", () => this.others.runs?.stop());
        on("run-tests", () => this.runTests());
        on("share", () => this.share());
        on("save", () => this.save());
        on("original", () => this.editor.setText(this.base, { keep: true }));
        listenToNewScript((title, text) => this.open("mine", title, { text, base: text,
            path: `/games/mine/${title}.game` }).catch((error) => this.notice(error.message)));
        on("close-notice", () => {
            this.notice("");
            element("move").focus();
        });
        on("close-shared", () => element("shared").close());
        on("copy-link", () => navigator.clipboard?.writeText(element("link").value)
            .then(() => {
                element("shared").close();
                this.notice("The link was copied.");
            }, () => element("link").select()));
        on("theme", () => this.setTheme(THEMES[
            (THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]));
        on("format", async () => {
            const text = await this.remote.call("format",
                { text: this.editor.text, path: this.path }).catch(() => null);
            if (text !== null && text !== this.editor.text) this.editor.setText(text, { keep: true });
        });
        on("problem", () => this.editor.goTo(Number(element("problem").dataset.line)));
        element("enter").addEventListener("submit", (event) => {
            event.preventDefault();
            const text = element("move").value;
            if (!text.trim() || this.view?.covered) return; // the move is another's
            this.stopThinking();
            this.act("play", { text }).then((done) => { // what was wrong stays to be mended
                if (done && element("move").value === text) element("move").value = "";
            });
        });
        for (const button of document.querySelectorAll("#sides button"))
            button.addEventListener("click", () => this.reveal(button.dataset.side));
        window.addEventListener("hashchange", () => this.follow());
        window.addEventListener("pagehide", () => this.keep.flush());
        window.addEventListener("beforeunload", (event) => {
            if (this.unsaved) event.preventDefault(); // the browser asks
        });
        document.addEventListener("keydown", (event) => this.key(event));
        this.setTheme(document.documentElement.dataset.theme, false);
        listenToDivider();
    }

    // Keys of the page, where no text is being written.
    key(event) {
        const target = event.target;
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")
            || target.closest?.("input, select, textarea, .cm-editor")) return;
        const id = { ",": "back", ".": "forth", Home: "first", End: "last", u: "undo", r: "reroll",
            n: "new", h: "hint", f: "flip" }[event.key];
        if (!id || element(id).disabled || element(id).hidden) return;
        element(id).click();
        event.preventDefault();
    }

    // `chosen`: by the person, which is kept for later visits.
    setTheme(name, chosen = true) {
        document.documentElement.dataset.theme = name;
        this.theme = { dark: "night", contrast: "plain" }[name] ?? "wood";
        element("theme").setAttribute("aria-label", `Colours: ${name}`);
        element("theme").title = `Colours: ${name}`;
        if (this.view) this.refresh();
        if (chosen) localStorage.setItem("ferz-theme", name);
    }
}

const titleOf = (text) => /^\s*(?:game|variant)\s+"([^"]*)"/m.exec(text)?.[1] ?? "Ferz";

async function begin() {
    const folder = new Folder();
    const app = new App(folder, new Keep(), window.begun);
    window.ferz = app; // for tests and for the curious
    await app.follow();
    performance.mark("engine");
    await Promise.all([app.loadEditor(), app.gallery.load()]);
    app.showSave();
    if (folder.refused)
        app.notice("The folder needs the whole address that `ferz web` printed.");
    document.documentElement.dataset.ready = "true";
    app.keep.forgetOld();
    navigator.serviceWorker?.register("offline.js").catch(() => {}); // some servers have no https
}

begin().catch((error) => {
    element("notice").hidden = false;
    element("said").textContent = `The page could not start: ${error.message}`;
});
