// Who plays: people at this screen or agents; what the board shows; options of the game.
import { element } from "./panels.js";

const AGENTS = [["", "a person"], ["mcts:200", "MCTS, weak"], ["mcts:2000", "MCTS"],
    ["mcts:10000", "MCTS, strong"], ["random", "random moves"]];

function labelled(text, control) {
    const label = document.createElement("label");
    label.className = "field";
    label.append(text, " ", control);
    return label;
}

function choice(entries, value, changed) {
    const select = document.createElement("select");
    for (const [key, text] of entries) select.add(new Option(text, key, false, key === value));
    select.addEventListener("change", () => changed(select.value));
    return select;
}

export class Seats {
    constructor({ changed, chosen, asks }) {
        this.changed = changed;
        this.chosen = chosen;
        this.agents = [];
        this.view = null;     // null: chosen by itself
        this.game = null;     // the one on the table
        this.isNew = true;    // what is chosen here is to be shown anew
        element("viewer").addEventListener("change", () => {
            this.view = element("viewer").value;
            this.changed();
        });
        element("asks").addEventListener("change", () => asks(element("asks").checked));
    }

    // Another script: everybody is a person again. Its game may never come, if it has errors: then
    // the one on the table stays, with what it hides.
    forget() {
        this.agents = [];
        this.view = null;
        this.isNew = true;
        element("asks").checked = false;
    }

    isPerson(player) { return !this.agents[player]; }

    agentOf(player) { return this.agents[player] || null; }

    people() {
        return this.game.players.map((_, p) => p).filter((p) => this.isPerson(p));
    }

    // What the board shows: everything, unless the game hides something. Then it is what the only
    // person sees, or the one who moves.
    get viewer() {
        if (this.view === "mover") return "mover";
        if (this.view !== null) return Number(this.view);
        if (!this.game?.hides) return -1;
        const people = this.people();
        return people.length === 1 ? people[0] : "mover";
    }

    // Does nobody choose a move?
    get areRandom() { return this.game.players.every((_, p) => this.agents[p] === "random"); }

    // Do several people share the screen, who must not see what the others see?
    get passes() {
        return this.view === null && this.game?.hides && this.people().length > 1;
    }

    show(game) {
        const same = !this.isNew && JSON.stringify(game) === JSON.stringify(this.game);
        this.game = game;
        this.isNew = false;
        if (same) return;
        this.agents.length = Math.min(this.agents.length, game.players.length);
        element("seats").replaceChildren(...game.players.map((player, p) => {
            const select = choice(AGENTS, this.agents[p] ?? "", (agent) => {
                this.agents[p] = agent;
                this.showViewers();
                this.changed();
            });
            select.dataset.player = p;
            const line = document.createElement("p");
            line.append(labelled(`${player.name}:`, select));
            return line;
        }));
        this.showViewers();
        this.showOptions();
    }

    showViewers() {
        const select = element("viewer");
        select.replaceChildren();
        const names = [[-1, "everybody together"], ["mover", "whoever moves"],
            ...this.game.players.map((player, p) => [p, player.name])];
        for (const [value, name] of names)
            select.add(new Option(name, value, false, String(value) === String(this.viewer)));
    }

    // What the game shall be played with: only what the script does not say itself.
    changeOption(option, value) {
        option.value = value;
        option.isDefault = false;
        this.chosen(Object.fromEntries(this.game.options.filter((one) => !one.isDefault)
            .map((one) => [one.name, one.value])));
    }

    optionControl(option) {
        const change = (value) => this.changeOption(option, value);
        if (option.type === "named")
            return choice(option.values.split(" ").map((one) => [one, one]), option.value, change);
        const input = document.createElement("input");
        if (option.type === "switch") {
            input.type = "checkbox";
            input.checked = option.value === "true";
            input.addEventListener("change", () => change(String(input.checked)));
            return input;
        }
        Object.assign(input, { type: "number", min: option.low, max: option.high, step: 1,
            required: true, value: option.value });
        input.addEventListener("change", () => {
            if (input.reportValidity()) change(input.value);
        });
        return input;
    }

    showOptions() {
        const box = element("options");
        box.replaceChildren(...this.game.options.map((option) => {
            const line = document.createElement("div"), note = document.createElement("p");
            note.className = "note";
            note.textContent = option.type !== "number" ? option.comment
                : `${option.comment} (${option.low} to ${option.high})`.trim();
            line.className = "option";
            line.append(labelled(option.name, this.optionControl(option)), note);
            return line;
        }));
        if (this.game.options.length) {
            const head = document.createElement("h2");
            head.textContent = "Options";
            box.prepend(head);
        }
    }
}
