// A new script from a skeleton of `ferz new`.
import texts from "../../cli/skeletons.txt";
import { element } from "./panels.js";

const TEST = 'test "the beginning" {\n  expect turns <= 1;\n}\n';

// The parts and skeletons by name, with parts in place of their names, as skeletons.awk makes them.
function skeletons() {
    const made = new Map();
    for (const block of texts.split(/^@(?:part|skeleton) /m).slice(1)) {
        const [name, ...lines] = block.split("\n");
        made.set(name.trim(), lines.join("\n").replace(/^\{([a-z]+)\}\n/gm, (all, part) =>
            made.get(part) ?? all));
    }
    return made;
}

function filled(skeleton, holes) {
    return skeletons().get(skeleton).replace(/^\{test\}\n/m, TEST)
        .replace(/\{(title|file|players|board)\}/g, (_, hole) => holes[hole]);
}

// `open(title, text)`: shows the new script.
export function listenToNewScript(open) {
    const dialog = element("new-script"), value = (id) => element(id).value.trim();
    element("open-new").addEventListener("click", () => {
        element("gallery").close();
        dialog.showModal();
        element("new-title").select();
    });
    element("close-new").addEventListener("click", () => dialog.close());
    element("new-skeleton").addEventListener("change", () => {
        element("new-board").disabled = value("new-skeleton") === "none";
    });
    element("new-form").addEventListener("submit", (event) => {
        event.preventDefault();
        dialog.close();
        const title = value("new-title").replace(/["\\&#%/]/g, " ").trim() || "My game";
        open(title, filled(value("new-skeleton"), { title, board: value("new-board"),
            players: value("new-players"), file: `${title.toLowerCase().replace(/\W+/g, "-")}.game` }));
    });
}
