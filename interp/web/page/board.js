// The board: shows a picture, marks sites, and turns clicks and keys into sites. Above the picture
// lies a button for each site, which screen readers read and the keyboard walks.
import { lift, turn } from "./lift.js";

const DRAG = 5; // pixels that the pointer moves before it drags
const REACH = 0.7; // of a site, in distances of neighbouring sites
const SVG = "http://www.w3.org/2000/svg";

function make(name, attributes = {}) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
}

export class Board {
    // `chosen(site)`: a site was clicked or entered, -1: none. `named(thing)`: a card, a die, a
    // piece in hand or a colour was.
    constructor(element, { chosen, named }) {
        this.element = element;
        this.chosen = chosen;
        this.named = named;
        this.flipped = false;
        this.drag = null; // { site, x, y, lifted }: the pointer is down on a piece that can move
        this.picture = null;
        this.marks = { targets: [], from: [], selected: -1, hint: [] };
        this.cursor = -1;
        this.keyed = false; // the cursor is shown only while keys move it
        this.drawing = document.createElement("div");
        this.drawing.className = "drawing";
        this.drawing.setAttribute("aria-hidden", "true");
        this.over = make("svg", { role: "presentation" });
        this.marked = make("g", { id: "marks", "aria-hidden": "true" });
        this.sites = make("g", { id: "sites", role: "presentation" });
        this.over.append(this.marked, this.sites);
        this.where = ""; // the sites that have buttons, as text
        element.addEventListener("click", (event) => this.click(event));
        element.addEventListener("pointerdown", (event) => this.grab(event));
        element.addEventListener("pointermove", (event) => this.pull(event));
        element.addEventListener("pointerup", (event) => this.drop(event));
        element.addEventListener("pointercancel", () => this.letGo());
        element.addEventListener("keydown", (event) => this.key(event));
        element.addEventListener("focusin", (event) => this.focused(event));
        element.addEventListener("focusout", () => { this.keyed = false; this.mark(); });
    }

    show(picture) {
        const [left, top, right, bottom] = picture.box;
        this.raw = picture;
        this.picture = this.flipped ? flipped(picture) : picture;
        this.drag = null;
        this.over.querySelector(".lifted")?.remove();
        if (!picture.drawn) {
            this.cursor = -1;
            this.where = "";
            this.element.replaceChildren();
            return;
        }
        this.element.style.setProperty("--ratio", (right - left) / (bottom - top));
        // A small board need not fill the page.
        this.element.style.setProperty("--most", `${Math.round((right - left) * 120)}px`);
        this.drawing.innerHTML = picture.svg;
        if (this.drawing.parentNode !== this.element)
            this.element.replaceChildren(this.drawing, this.over);
        if (this.flipped) turn(this.drawing.firstChild, picture.box);
        this.placeSites();
        this.mark();
    }

    // A button for each site; they stay as long as the sites are where they were, so that a move
    // does not take the focus away.
    placeSites() {
        const box = this.drawing.firstChild.getAttribute("viewBox");
        const where = `${box} ${this.picture.sites}`;
        if (where === this.where) return;
        const had = this.element.contains(document.activeElement);
        this.where = where;
        this.over.setAttribute("viewBox", box);
        this.buttons = [];
        for (let site = 0; site < this.picture.sites.length / 2; site++) {
            const [x, y] = this.at(site);
            const button = make("g", { role: "button", tabindex: -1, "data-site": site });
            button.append(make("circle", { cx: 100 * x, cy: 100 * y, r: 50 }));
            this.buttons.push(button);
        }
        this.sites.replaceChildren(...this.buttons);
        if (this.cursor >= this.buttons.length) this.cursor = -1;
        this.setEntry(Math.max(0, this.cursor));
        if (had) this.buttons[this.entry]?.focus();
    }

    // What stands on each site and what can be done there, for those who do not see the picture.
    setLabels(labels) {
        if (!this.picture.drawn) return;
        this.buttons.forEach((button, site) => {
            if (button.getAttribute("aria-label") !== labels[site])
                button.setAttribute("aria-label", labels[site]);
        });
    }

    // The one site that Tab comes to.
    setEntry(site) {
        this.buttons[this.entry]?.setAttribute("tabindex", "-1");
        this.entry = site;
        this.buttons[site]?.setAttribute("tabindex", "0");
    }

    at(site) { return [this.picture.sites[2 * site], this.picture.sites[2 * site + 1]]; }

    setMarks(marks) {
        this.marks = marks;
        this.buttons?.forEach((button, site) =>
            button.classList.toggle("movable", marks.from.includes(site)));
        if (this.cursor < 0 && this.picture.drawn && this.buttons.length)
            this.setEntry(marks.from[0] ?? marks.targets[0]?.site ?? 0);
        this.mark();
    }

    mark() {
        if (!this.picture?.drawn) return;
        const there = (site) => site < this.picture.sites.length / 2;
        const from = this.marks.from.filter(there), hint = this.marks.hint.filter(there);
        const targets = this.marks.targets.filter(({ site }) => there(site));
        const selected = there(this.marks.selected) ? this.marks.selected : -1;
        const circle = (site, name, radius, width = 0) => {
            const [x, y] = this.at(site);
            return `<circle class="${name}" cx="${100 * x}" cy="${100 * y}" r="${radius}" `
                + `stroke-width="${width}"/>`;
        };
        this.marked.innerHTML = [
            ...from.map((site) => circle(site, "from", 44, 3)),
            ...targets.map(({ site, taken }) => (taken ? circle(site, "ring", 43, 8)
                : circle(site, "dot", 16))),
            ...hint.map((site) => circle(site, "hinted", 46, 8)),
            selected >= 0 ? circle(selected, "ring", 46, 7) : "",
            this.keyed && this.cursor >= 0 ? circle(this.cursor, "under", 48, 9)
                + circle(this.cursor, "cursor", 48, 5) : "",
        ].join("");
    }

    // The nearest site to a point of the picture, -1 if none is near.
    near(x, y, reach = REACH) {
        let best = -1, least = reach;
        const { sites } = this.picture;
        for (let i = 0; i < sites.length / 2; i++) {
            const far = Math.hypot(sites[2 * i] - x, sites[2 * i + 1] - y);
            if (far < least) [best, least] = [i, far];
        }
        return best;
    }

    siteOf(event) {
        // What a screen reader clicks has no place.
        const button = event.detail === 0 && event.target.closest("[data-site]");
        if (button) return Number(button.dataset.site);
        const point = this.pointOf(event);
        return point ? this.near(point.x, point.y) : -1;
    }

    // Where the pointer is, in distances of sites; null: there is no picture.
    pointOf(event) {
        const matrix = this.over.getScreenCTM();
        if (!matrix) return null;
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        return { x: point.x / 100, y: point.y / 100 };
    }

    // The card, die, piece in hand or colour under the pointer, the uppermost.
    thingAt(event) {
        const point = event.detail && this.picture.things.length ? this.pointOf(event) : null;
        return point && this.picture.things.findLast(({ box: [left, top, right, bottom] }) =>
            point.x >= left && point.x <= right && point.y >= top && point.y <= bottom);
    }

    // ---- dragging ----

    grab(event) {
        if (event.button || !this.picture?.sites.length) return;
        this.dragged = false;
        const site = this.siteOf(event);
        if (site >= 0 && (this.marks.from.includes(site) || this.marks.selected === site))
            this.drag = { site, x: event.clientX, y: event.clientY, lifted: null };
    }

    pull(event) {
        const { drag } = this;
        if (!drag) return;
        if (!this.dragged) {
            if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
            if (this.marks.selected !== drag.site) this.chosen(drag.site);
            if (this.marks.selected !== drag.site) {
                this.drag = null;
                return;
            }
            this.dragged = true;
            this.element.setPointerCapture(event.pointerId);
            this.element.classList.add("dragging");
            drag.lifted = this.lift(drag.site);
        }
        const point = this.pointOf(event), [x, y] = this.at(drag.site);
        drag.lifted?.setAttribute("transform",
            `translate(${100 * (point.x - x)} ${100 * (point.y - y)})`);
    }

    drop(event) {
        const { drag } = this;
        this.letGo();
        if (!drag || !this.dragged) return;
        const site = this.siteOf(event);
        this.chosen(this.marks.targets.some((one) => one.site === site) ? site : -1);
    }

    // The piece is where it was.
    letGo() {
        if (this.drag?.lifted) this.show(this.raw);
        this.drag = null;
        this.element.classList.remove("dragging");
    }

    lift(site) {
        const svg = this.drawing.firstChild, { sites } = this.raw;
        const at = (one) => [100 * sites[2 * one], 100 * sites[2 * one + 1]];
        const root = this.flipped ? svg.lastChild : svg;
        const lifted = lift(root, at(site), this.empty >= 0 ? at(this.empty) : null);
        if (!lifted) return null;
        const holder = make("g", { class: "lifted", "font-family": svg.getAttribute("font-family") });
        if (this.flipped) lifted.setAttribute("transform", root.getAttribute("transform"));
        holder.append(lifted);
        this.over.insertBefore(holder, this.sites);
        return holder;
    }

    // The piece on a site comes from another one.
    slide(from, to) {
        if (matchMedia("(prefers-reduced-motion: reduce)").matches || !this.picture.drawn
            || Math.max(from, to) >= this.picture.sites.length / 2) return;
        const [x, y] = this.at(from), [toX, toY] = this.at(to);
        this.lift(to)?.animate([{ transform: `translate(${100 * (x - toX)}px, ${100 * (y - toY)}px)` },
            { transform: "none" }], { duration: 180, easing: "ease-out" });
    }

    flip() {
        this.flipped = !this.flipped;
        this.where = "";
        if (this.raw) this.show(this.raw);
    }

    click(event) {
        if (this.dragged || !this.picture) {
            this.dragged = false;
            return;
        }
        const thing = this.thingAt(event);
        // A die on a site is clicked as the site, and so is a colour where a move can be meant.
        const on = thing ? this.siteOf(event) : -1;
        const named = thing && !(on >= 0 && (thing.role === "die" || (thing.role === "swatch"
            && [...this.marks.from, ...this.marks.targets.map((one) => one.site)].includes(on))));
        if (named) this.named(thing);
        if (named || !this.picture.sites.length) return;
        const site = this.siteOf(event);
        this.keyed = event.detail === 0;
        if (site >= 0) {
            this.cursor = site;
            this.setEntry(site);
        }
        this.chosen(site);
    }

    // To a site by Tab or by a reader, or to the board as a whole by the link at the page's top.
    focused(event) {
        const button = event.target.closest("[data-site]");
        if (!button) {
            this.buttons?.[this.entry]?.focus();
            return;
        }
        this.cursor = Number(button.dataset.site);
        this.keyed = button.matches(":focus-visible");
        this.setEntry(this.cursor);
        this.mark();
    }

    // The next site in a direction: near, and not far off the line.
    towards(dx, dy) {
        const [x, y] = this.at(this.cursor);
        let best = this.cursor, least = Infinity;
        for (let i = 0; i < this.picture.sites.length / 2; i++) {
            const [sx, sy] = this.at(i);
            const along = (sx - x) * dx + (sy - y) * dy;
            const off = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
            if (along < 0.1 || off > 1.3 * along || !this.isSeen(sx, sy)) continue;
            if (along + 2 * off < least) [best, least] = [i, along + 2 * off];
        }
        return best;
    }

    // Large boards are cropped.
    isSeen(x, y) {
        const [left, top, right, bottom] = this.picture.box;
        return x > left && x < right && y > top && y < bottom;
    }

    key(event) {
        const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const button = event.target.closest("[data-site]");
        if (button) this.cursor = Number(button.dataset.site);
        if (this.cursor < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
        if (ways[event.key]) {
            this.cursor = this.towards(...ways[event.key]);
            this.setEntry(this.cursor);
            this.buttons[this.cursor].focus();
            this.keyed = true;
            this.mark();
        } else if (event.key === "Enter" || event.key === " ") {
            this.chosen(this.cursor);
        } else if (event.key === "Escape") {
            this.chosen(-1);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}

// A picture turned by half.
function flipped(picture) {
    const [left, top, right, bottom] = picture.box;
    const turned = (list) => list.map((value, i) => (i % 2 ? top + bottom : left + right) - value);
    return { ...picture, sites: turned(picture.sites), things: picture.things.map((one) => {
        const [x, y, x2, y2] = turned(one.box);
        return { ...one, box: [x2, y2, x, y] };
    }) };
}
