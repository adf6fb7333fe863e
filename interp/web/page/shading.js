// Shades the sites that a piece of the script means, on the board.
export class Shading {
    // `app`: the page with its board, editor and game.
    constructor(app) {
        this.app = app;
        this.shaded = false;
        this.asked = {};
    }

    // The sites that a statement such as `move to slide(here, diagonal);` means, seen from where the
    // latest move began.
    statement(statement) {
        const found = /\b(?:in|to(?!\s+in\b))\s+([^;{]+?)\s*(?:;|=>|\{|then\b|where\b|if\b|$)/
            .exec(statement);
        if (found) this.show([found[1]]);
    }

    // The sites that a name in the text stands for: itself, of `here`, or what a local is declared
    // as. Of a word such as `move` those of its statement.
    async name(name, at) {
        if (/^(move|to|in|for|choose)$/.test(name)) {
            this.statement(this.app.editor.lineAt(at));
            return;
        }
        const asked = this.asked = {};
        const declared = await this.app.editor.declaration(at);
        const local = /^\w+\s*(?::\s*\w+\s*)?=\s*([^;{}]+);/.exec(declared)
            ?? /^\w+\s+in\s+(.+?)\s*(?:=>|[;{},:\n]|\b(?:where|if|shown|then|for)\b)/
                .exec(declared);
        if (this.asked === asked)
            this.show([name, `${name}[here]`, ...(local ? [local[1]] : [])]);
    }

    // Shades the sites of the first of the expressions that is a set of sites here.
    async show(expressions) {
        const asked = this.asked = {};
        let scene = null;
        for (const one of expressions) {
            scene ??= await this.sceneOf(one.trim());
            if (this.asked !== asked) return;
        }
        if (scene || this.shaded) this.app.board.show(scene ?? this.app.view.picture);
        this.shaded = Boolean(scene);
    }

    async sceneOf(expression) {
        const viewer = this.app.view?.viewer ?? this.app.seats.viewer; // as the board is shown
        if (!expression || expression.length > 300 || /[;{}]/.test(expression)
            || this.app.view?.covered) return null;
        const entry = this.app.view?.at ? this.app.view : null;
        const here = /\bhere\b/.test(expression)
            ? this.app.game.sites[this.app.board.cursor >= 0 ? this.app.board.cursor : this.lastFrom(entry)]
            : "";
        return this.app.remote.call("shade", { text: this.app.editor.text, options: this.app.options,
            expression, here, viewer, theme: this.app.theme }).catch(() => null);
    }

    // The middle of the board, unless a site was chosen.
    lastFrom() {
        const { box, sites } = this.app.view.picture;
        return sites.length ? Math.max(0, this.app.board.near((box[0] + box[2]) / 2,
            (box[1] + box[3]) / 2, Infinity)) : 0;
    }

    clear() {
        this.asked = {};
        if (this.shaded) this.app.board.show(this.app.view.picture);
        this.shaded = false;
    }
}
