// The bar between the rules and the board: it moves with the pointer and with arrows.
import { element } from "./panels.js";

export function listenToDivider() {
    const divider = element("divider"), main = document.querySelector("main");
    const set = (share) => {
        const bounded = Math.max(15, Math.min(75, share));
        main.style.setProperty("--script", `${bounded}%`);
        divider.setAttribute("aria-valuenow", Math.round(bounded));
    };
    divider.addEventListener("pointerdown", (event) => divider.setPointerCapture(event.pointerId));
    divider.addEventListener("pointermove", (event) => {
        if (divider.hasPointerCapture(event.pointerId)) set(100 * event.clientX / main.clientWidth);
    });
    divider.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -3, ArrowRight: 3 }[event.key];
        const share = 100 * element("script").clientWidth / main.clientWidth;
        if (step) set(share + step);
    });
}
