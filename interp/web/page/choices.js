// The buttons below the board: moves that no click on the board means, and results of chance.
import { element } from "./panels.js";

const MANY = 60; // more moves than these are chosen part by part
const FEW = 12;

export const words = (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

function button(text, click, { title = "", primary = false, part = "", colour = "" } = {}) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.title = title;
    made.dataset.part = part;
    if (colour) {
        made.prepend(document.createElement("span"));
        made.firstChild.className = "swatch";
        made.firstChild.style.backgroundColor = colour;
    }
    if (primary) made.className = "primary";
    made.addEventListener("click", click);
    return made;
}

// Groups texts by what comes after `prefix`: a word with the signs behind it, or a letter where
// words do not help.
function byNext(moves, prefix) {
    const split = (pattern) => {
        const groups = new Map();
        for (const move of moves) {
            const key = prefix + (pattern.exec(move.text.slice(prefix.length))?.[0] ?? "");
            groups.set(key, [...(groups.get(key) ?? []), move]);
        }
        return groups;
    };
    const words = split(/^[\p{L}\p{N}]+[^\p{L}\p{N}]*|^.+/u);
    return words.size < moves.length || words.size <= FEW ? words : split(/^./u);
}

// `play(index)`: a move was chosen. `moves` have text and index; those that begin with `prefix`.
// `swatches`: the colours of words, which their buttons show.
export function showMoves(moves, play, swatches = [], prefix = "") {
    const box = element("choices");
    const coloured = (text, begin, click) => {
        const part = words(begin.slice(prefix.length))[0] ?? "";
        const { colour } = swatches.find((one) => one.text === part) ?? {};
        return button(text, click, { part, colour });
    };
    const whole = (move, begin) => coloured(move.text, begin, () => play(move.index));
    if (moves.length <= MANY && !prefix) {
        box.replaceChildren(...moves.map((move) => whole(move, move.text)));
        return;
    }
    const groups = [...byNext(moves, prefix)];
    box.replaceChildren(...groups.slice(0, 200).map(([begin, group]) => (group.length === 1
        ? whole(group[0], begin) : coloured(`${begin}…`, begin, () => {
            showMoves(group, play, swatches, begin);
            box.firstChild.focus();
        }))));
}

// `bring(value)`: chance shall bring it; undefined: anything.
export function showChance(outcomes, bring) {
    const total = outcomes.reduce((sum, one) => sum + one.weight, 0);
    element("chance").replaceChildren(
        ...(outcomes.length ? [button("⚄ Let chance decide", () => bring(), { primary: true })] : []),
        ...outcomes.slice(0, 100).map((one) => button(one.text, () => bring(one.value),
            { title: `${(100 * one.weight / total).toFixed(1)} %` })));
}
