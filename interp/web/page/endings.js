// What the game has come to: captured pieces, and the rule that ended it.
import { element, escape } from "./panels.js";

// The captured pieces of each player, as a sentence.
export function takenText(game, taken) {
    return game.players.map((player, p) => {
        const names = taken.filter(({ owner }) => owner === p).map(({ kind, count }) =>
            `${game.kinds[kind]?.name ?? "piece"}${count > 1 ? ` × ${count}` : ""}`);
        return names.length ? `${player.name} lost: ${names.join(", ")}.` : "";
    }).filter(Boolean).join(" ");
}

// The rule that ended the game: what its comment says, and its line. `path`: the script's.
export function showEnding(ended, path, goTo) {
    const button = element("ended");
    button.hidden = !ended;
    if (!ended) return;
    const own = ended.path === path;
    const place = `${own ? "line " : `${ended.path.split("/").pop()}:`}${ended.line}`;
    button.innerHTML = `<span>${escape(ended.comment)}</span><code>${escape(place)}: `
        + `${escape(ended.text)}</code>`;
    button.title = `${ended.comment} ${ended.text}`.trim();
    button.onclick = () => { if (own) goTo(ended.line); };
}
