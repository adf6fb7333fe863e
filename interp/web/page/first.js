// Runs before all else: starts the worker, which fetches the engine while the page comes, and asks
// for the start of the game in the address.
import { json, startOf } from "./parts.js";

const worker = new Worker("worker.js", { type: "module" });
worker.postMessage({ name: "load" });
document.documentElement.dataset.theme = localStorage.getItem("ferz-theme")
    ?? (matchMedia("(prefers-contrast: more)").matches ? "contrast"
        : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const name = location.hash === "" ? "classic/tic-tac-toe"
    : /^#game=([\w-]+\/[\w-]+)(?:&|$)/.exec(location.hash)?.[1];
window.begun = { worker, name, start: name ? json(startOf(name)).catch(() => null) : null };
