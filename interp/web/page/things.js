// What can be clicked beside the sites of the board: cards, dice, pieces in hand, colours.
import { words } from "./choices.js";

export class Things {
    // `app`: the page with its view of the game.
    constructor(app) {
        this.app = app;
        this.held = null; // { name, moves }: a piece in hand that waits for a site
    }

    choose({ name, role }) {
        const { app } = this, { waiting } = app.view.status;
        if (role === "die" && waiting === "chance") app.act("chance", { value: null });
        if (role === "swatch")
            document.querySelector(`#choices [data-part="${CSS.escape(name)}"]`)?.click();
        if (waiting !== "move" || role === "swatch") return;
        const moves = { hand: () => this.drops(name), die: () => this.throws(name),
            card: () => this.moves().filter((one) => words(one.text).includes(name)) }[role]();
        if (!moves.length) app.voice.say(`No move with ${name}.`);
        else if (role === "hand") this.take(name, moves);
        else app.playOne(moves);
    }

    moves() { return this.app.view.moves.map((move, index) => ({ ...move, index })); }

    // A second click puts the piece back.
    take(name, moves) {
        const { app } = this, again = this.held?.name === name;
        this.held = again ? null : { name, moves };
        app.selected = -1;
        app.mark();
        app.showChoices();
        app.voice.say(again ? "Nothing is selected."
            : `${name} is taken. ${moves.length} site${moves.length === 1 ? "" : "s"}.`);
    }

    // Moves that put this kind of piece on a site: their text begins with its name or letter.
    drops(name) {
        const letter = this.app.game.kinds.find((one) => one.name === name)?.letter;
        return this.moves().filter(({ text, from, to }) => from < 0 && to >= 0
            && [name, letter].includes(/^[^@*\s-]+/u.exec(text)?.[0]));
    }

    // Moves that name the number of a die, or those that throw it.
    throws(name) {
        const others = this.moves().filter((one) => one.to < 0);
        const named = others.filter((one) => words(one.text).includes(name));
        return named.length ? named : others.filter((one) => /^(roll|throw)\b/.test(one.text));
    }
}
