// One game on the table, inside of a worker: the script, its states one after the other, and what
// a viewer is shown of them. The page sees only what `view` answers.

const FILE = "/games/mine/untitled.game";
const MOST_CHANCE = 2000; // results in a row

export class Table {
    constructor(engine) {
        this.engine = engine;
        this.game = null;
        this.states = [];   // states[i] is the game before entry i
        this.entries = [];  // { text, chance, value, told: [text by player], by }
        this.at = 0;
        this.seed = 1;
        this.asks = false;  // chance waits for the person
    }

    // Compiles a text. If it is a game, begins one and replays the entries as far as they are
    // legal; if not, the game on the table stays.
    // `position`: where it begins; null: at the beginning. `at`: where the viewer stands.
    open({ text, path = FILE, options = {}, seed = this.seed, entries = [], position = null,
        at = null }) {
        const loaded = this.engine.tryLoad(text, { path, options });
        const report = { diagnostics: loaded.diagnostics, library: loaded.library,
            message: loaded.message ?? "", ok: false, replayed: 0, path };
        if (!loaded.game) return report;
        const states = this.states, game = this.game;
        const before = { entries: this.entries, at: this.at, seed: this.seed,
            position: this.position };
        try {
            Object.assign(this, { game: loaded.game, states: [], entries: [], at: 0, seed, path,
                english: null, position });
            this.states = [this.game.start({ seed, chance: "ask" })];
            if (position !== null) this.states[0].read(position);
            this.replay(entries);
            if (at !== null) this.goTo(at);
        } catch (error) {
            for (const state of this.states) if (!this.engine.broken) state.free();
            Object.assign(this, { states, game, ...before });
            loaded.game.free();
            return { ...report, failure: error.message, position: position !== null };
        }
        for (const state of states) state.free();
        game?.free();
        return { ...report, ok: true, replayed: this.entries.length, game: this.describe() };
    }

    describe() {
        const { title, players, sites, kinds, options, hides, oneSide, payoffs } = this.game;
        return { title, players, sites, kinds, options, hides, oneSide, payoffs };
    }

    replay(entries) {
        for (const entry of entries) {
            try {
                if (entry.chance) this.bring(entry.text);
                else this.playText(entry.text);
            } catch {
                break;
            }
        }
        this.settle();
    }

    // Becomes this game, from where it differs.
    follow(entries) {
        const same = (one, i) => this.entries[i]?.text === one.text
            && this.entries[i].chance === one.chance;
        const differs = entries.findIndex((one, i) => !same(one, i));
        this.goTo(differs < 0 ? entries.length : differs);
        this.replay(entries.slice(this.at));
        if (this.at !== entries.length) throw new Error("The moves do not fit the game.");
    }

    playRandomly({ count }) {
        for (let i = 0; i < count && this.state.status().waiting === "move"; i++) {
            this.playIndex(Math.floor(Math.random() * this.state.moves().length));
            this.settle();
        }
    }

    get state() {
        if (!this.states.length) throw new Error("There is no game on the table.");
        return this.states[this.at];
    }

    // ---- going on ----

    // A step from the present state, which gives its entry; what came after it is forgotten.
    advance(step) {
        const next = this.state.clone();
        let entry;
        try {
            entry = step(next);
        } catch (error) {
            if (!this.engine.broken) next.free();
            throw error;
        }
        for (const state of this.states.splice(this.at + 1)) state.free();
        this.entries.splice(this.at);
        this.entries.push(entry);
        this.states.push(next);
        this.at++;
    }

    playText(text) {
        const index = this.state.moves().findIndex((move) => move.text === text);
        if (index < 0) throw new Error(this.state.status().waiting === "move"
            ? this.state.why(text) : "The game does not wait for a move.");
        this.playIndex(index, text);
    }

    playIndex(index, text = this.state.moves()[index].text) {
        const by = this.state.status().decider;
        const told = this.state.told({ index });
        const { from, to } = this.state.moves()[index];
        this.advance((state) => {
            state.play(index);
            return { text, chance: false, by, told, from, to };
        });
    }

    // A result of chance by its text.
    bring(text) {
        const found = this.state.outcomes().find((one) => one.text === text);
        if (!found) throw new Error(`Chance cannot bring ${text} here.`);
        this.setChance(found);
    }

    setChance({ value, text }) {
        const told = this.state.told({ chance: value });
        this.advance((state) => {
            state.setChance(value);
            return { text, chance: true, value, by: -1, told };
        });
    }

    // A result from the state's own stream, which goes on: the next one is another.
    sampleChance() {
        const before = this.state;
        this.advance((state) => {
            const { value, text } = state.sampleChance();
            return { text, chance: true, value, by: -1, told: before.told({ chance: value }) };
        });
    }

    // Lets chance decide, unless the person wants to; results that can only be one thing come by
    // themselves.
    settle() {
        for (let i = 0; i < MOST_CHANCE && this.state.status().waiting === "chance"; i++) {
            const outcomes = this.state.outcomes();
            if (outcomes.length === 1) {
                this.setChance(outcomes[0]);
            } else if (this.asks) {
                return;
            } else {
                this.sampleChance();
            }
        }
    }

    play({ index = -1, text = "" }) {
        this.playIndex(index >= 0 ? index : this.find(text.trim()));
        this.settle();
    }

    // The place of the move that a person typed.
    find(typed) {
        const { index, several } = this.state.find(typed);
        if (several.length)
            throw new Error(`Several moves begin like that: ${several.slice(0, 20).join(", ")}`);
        if (index < 0) throw new Error(this.state.why(typed));
        return index;
    }

    chance({ value = null }) {
        const outcomes = this.state.outcomes();
        this.setChance(value === null ? drawn(outcomes)
            : outcomes.find((one) => one.value === value));
        this.settle();
    }

    // Goes back to before the latest chance up to here and draws it again.
    reroll() {
        let first = this.at - 1;
        while (first >= 0 && !this.entries[first].chance) first--;
        if (first < 0) return;
        while (first > 0 && this.entries[first - 1].chance && !this.asks) first--;
        this.at = first;
        while (this.state.status().waiting === "chance" && this.at - first < MOST_CHANCE) {
            this.setChance(drawn(this.state.outcomes()));
            if (this.asks) break;
        }
        this.settle();
    }

    goTo(at) { this.at = Math.max(0, Math.min(this.entries.length, at)); }

    // Back to before the latest decision that one of the players made.
    undo({ players }) {
        let at = this.at - 1;
        while (at > 0 && (this.entries[at].chance || !players.includes(this.entries[at].by))) at--;
        if (at >= 0 && !this.entries[at].chance) this.goTo(at);
    }

    // A game that begins with this position.
    begin(position) {
        const first = this.game.start({ seed: this.seed, chance: "ask" });
        try {
            first.read(position);
        } catch (error) {
            first.free();
            throw error;
        }
        for (const state of this.states) state.free();
        Object.assign(this, { states: [first], entries: [], at: 0, position });
        this.settle();
    }

    restart(seed) {
        const first = this.game.start({ seed, chance: "ask" });
        for (const state of this.states) state.free();
        Object.assign(this, { seed, states: [first], entries: [], at: 0, position: null });
        this.settle();
    }

    // ---- what is shown ----

    // `viewer`: a player, -1 for everything, "mover" for whoever decides.
    viewerOf(viewer) {
        if (viewer !== "mover") return viewer;
        const { decider, mover } = this.state.status();
        return decider >= 0 ? decider : mover;
    }

    // `people`: the players at one device, which `holder` (null: the first who decides) has; the
    // view of another is covered.
    view({ viewer = -1, theme, people = null, holder = null }) {
        const state = this.state, status = state.status();
        const decides = people?.includes(status.decider);
        if (decides && holder !== null && holder !== status.decider) return this.covered(status);
        const who = people && !decides ? holder ?? people[0] : this.viewerOf(viewer);
        const seen = (entry) => (who < 0 ? entry.text : entry.told[who] ?? entry.text);
        return {
            viewer: who, at: this.at, status,
            entries: this.entries.map((entry) => ({
                text: seen(entry), chance: entry.chance, by: entry.by,
            })),
            moves: status.waiting === "move" ? state.moves(who) : [],
            outcomes: status.waiting === "chance" ? state.outcomes(who) : [],
            picture: state.picture({ player: who, theme, bare: true, lost: this.taken() }),
            contents: state.contents(who),
            drawing: state.draw(who),
            last: this.last(), taken: this.taken(),
            ended: status.waiting === "over" ? this.ended(status.place) : null,
        };
    }

    covered(status) {
        return { covered: true, viewer: -2, at: this.at, status, entries: [], moves: [],
            outcomes: [], contents: this.game.sites.map(() => "?"), drawing: "", last: null,
            taken: [], ended: null, picture: { svg: "", below: "", drawn: false, box: [0, 0, 1, 1],
                sites: [], things: [], swatches: [] } };
    }

    // The sites of the latest move, if they tell nothing and it went from one to another.
    last() {
        const { from = -1, to = -1 } = this.entries[this.at - 1] ?? {};
        return this.game.hides || from < 0 || to < 0 || from === to ? null : { from, to };
    }

    // How many pieces each player has lost since the beginning: [{ owner, kind, count }]. A piece
    // that has become another kind is not lost.
    taken() {
        if (this.game.hides || this.at === 0) return [];
        const begun = this.entries.findIndex((one) => !one.chance);
        const before = menOf(this.states[Math.max(0, begun)]), now = menOf(this.state);
        return this.game.players.flatMap((_, owner) => {
            const kinds = this.game.kinds.map((__, kind) => {
                const key = `${owner} ${kind}`;
                return { owner, kind, count: (before.get(key) ?? 0) - (now.get(key) ?? 0) };
            });
            let more = kinds.reduce((sum, { count }) => sum + Math.max(0, -count), 0);
            for (const one of kinds.sort((a, b) => b.count - a.count)) {
                const changed = Math.min(more, Math.max(0, one.count));
                one.count -= changed;
                more -= changed;
            }
            return kinds.filter(({ count }) => count > 0).sort((a, b) => a.kind - b.kind);
        });
    }

    // The rule that ended the game, by its place: its line, and the comment of the item in which it
    // stands, in which options have their values.
    ended(place) {
        const [, path, number] = /^(.*):(\d+):\d+$/.exec(place) ?? [];
        const lines = this.engine.readFile(path ?? "")?.split("\n");
        if (!lines) return null;
        let at = number - 1;
        while (at > 0 && !/^\S/.test(lines[at])) at--;
        const comment = [];
        while (at > 0 && lines[at - 1].startsWith("///"))
            comment.unshift(lines[--at].replace(/^\/+\s*/, ""));
        const text = comment.join(" ").replace(/\{(\w+)\}/g, (all, name) =>
            this.game.options.find((one) => one.name === name)?.value ?? all);
        return { path, line: Number(number), text: lines[number - 1].trim(),
            comment: text.includes("{") ? "" : text };
    }

    // What the rules did at an entry, as the viewer may know it.
    story({ at, viewer = -1 }) {
        const entry = this.entries[at];
        if (!entry) return "";
        const state = this.states[at];
        const player = viewer === "mover" ? this.viewerOf(viewer) : viewer;
        if (entry.chance) return state.story({ chance: entry.value, player });
        const index = state.moves().findIndex((move) => move.text === entry.text);
        return state.story({ index, player });
    }

    // The rules in English; while the script has errors, those of the game on the table.
    rules() {
        this.english ??= this.game.rules();
        return this.english;
    }

    // `shipped`: the rules are those of the library, which `ferz replay` finds by its name.
    record({ shipped }) {
        return this.state.record(shipped ? this.path : this.path.split("/").pop());
    }

    // The whole game, for another table.
    copy() {
        return { seed: this.seed, at: this.at, position: this.position,
            entries: this.entries.map(({ text, chance }) => ({ text, chance })) };
    }

    // The board with the sites of an expression shaded; `here` is a site for expressions that use
    // it. Null: the expression is not a set of sites that can be found here.
    shade({ text, options = {}, expression, here = "", viewer = -1, theme }) {
        const path = this.path ?? FILE;
        const set = here
            ? `fn set_of_(here: site): sites = ${expression};\n`
                + `let set_to_shade: sites = set_of_(${here});`
            : `let set_to_shade: sites = ${expression};`;
        const name = path.replace(/[^/]*$/, "shaded_.game");
        const loaded = this.engine.tryLoad(`${text}\n${set}\nshow set_to_shade as "*";\n`,
            { path: name, options });
        if (!loaded.game) return null;
        let state = null;
        try {
            state = loaded.game.start({ seed: this.seed, chance: "ask" });
            state.read(this.state.position());
            return state.picture({ player: this.viewerOf(viewer), set: "set_to_shade", theme,
                bare: true });
        } catch {
            return null;
        } finally {
            if (!this.engine.broken) {
                state?.free();
                loaded.game.free();
            }
        }
    }
}

// How many pieces there are, by owner and kind.
function menOf(state) {
    const count = new Map();
    for (const there of state.contents()) {
        if (!there || there[1] < 0) continue;
        const key = `${there[1]} ${there[0]}`;
        count.set(key, (count.get(key) ?? 0) + 1);
    }
    return count;
}

function drawn(outcomes) {
    const total = outcomes.reduce((sum, one) => sum + one.weight, 0);
    let left = Math.random() * total;
    return outcomes.find((one) => (left -= one.weight) < 0) ?? outcomes[outcomes.length - 1];
}
