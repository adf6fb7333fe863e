// What is read aloud to those who do not see the board.
import { element } from "./panels.js";

export const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export class Voice {
    // `app`: the page with its view of the game.
    constructor(app) {
        this.app = app;
        this.told = "";      // what was shown when something was said last
        this.announced = []; // [who, text] of its moves
    }

    // Read aloud, also if the same was read before.
    say(text) {
        const live = element("live");
        live.textContent = text === live.textContent ? `${text}\u00a0` : text;
    }

    // What was played since the last time, as the viewer may know it, and whose turn it is.
    announce() {
        const { app } = this, { entries, at, viewer } = app.view, { players, title } = app.game;
        const texts = entries.slice(0, at).map(({ text, by, chance }) =>
            [chance ? "Chance" : players[by]?.name ?? "", text]);
        const old = this.announced, told = JSON.stringify([viewer, texts, app.turnText()]);
        if (told === this.told && !app.isNew) return; // the same is shown again
        Object.assign(this, { told, announced: texts });
        let same = 0;
        while (same < texts.length && old[same]?.join() === texts[same].join()) same++;
        if (app.isNew) same = texts.length;
        else if (old.length > at && same === at) same = Math.max(0, at - 1); // a step back
        const news = [];
        for (const [who, text] of texts.slice(same)) {
            if (who === "Chance" && news.at(-1)?.[0] === who) news.at(-1).push(text);
            else news.push([who, text]);
        }
        const events = news.slice(-8).map(([who, ...what]) => `${who}: ${what.length > 8
            ? `${what.length} results` : what.join(", ")}.`);
        this.say([...(app.isNew ? [`${title}.`] : []), ...events, app.turnText()].join(" "));
        app.isNew = false;
    }

    // Where the selected piece can go.
    select() {
        const { game, view, selected } = this.app;
        const targets = [...new Set(view.moves.filter((one) => one.from === selected
            && one.to >= 0).map((one) => game.sites[one.to]))];
        const more = targets.length > 12 ? ` and ${targets.length - 12} more` : "";
        this.say(`${game.sites[selected]} is selected. ${count(targets.length, "target")}`
            + `${targets.length ? `: ${targets.slice(0, 12).join(", ")}${more}` : ""}.`);
    }
}
