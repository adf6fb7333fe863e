// The board: draws a scene, marks sites, and turns clicks and keys into sites.
import { Painter, boardOf } from "./picture.js";

const REACH = 0.7; // of a site, in distances of neighbouring sites

export class Board {
    // `chosen(site)`: a site was clicked or entered; `pointed(site)`: the cursor is there.
    constructor(element, paints, { chosen, pointed }) {
        this.element = element;
        this.paints = paints;
        this.chosen = chosen;
        this.pointed = pointed;
        this.scene = null;
        this.marks = { targets: [], from: [], selected: -1, hint: [] };
        this.cursor = -1;
        this.keyed = false; // the cursor is shown only while keys move it
        element.addEventListener("click", (event) => this.click(event));
        element.addEventListener("keydown", (event) => this.key(event));
        element.addEventListener("blur", () => { this.keyed = false; this.mark(); });
        this.setTheme("wood");
    }

    setTheme(name) {
        this.painter = new Painter(this.paints, name);
        if (this.scene) this.show(this.scene);
    }

    show(whole) {
        const scene = boardOf(whole);
        this.scene = whole;
        if (this.cursor >= scene.sites.length / 2) this.cursor = -1;
        const [left, top, right, bottom] = scene.box;
        this.element.style.setProperty("--ratio", (right - left) / (bottom - top));
        // A small board need not fill the page.
        this.element.style.setProperty("--most", `${Math.round((right - left) * 110)}px`);
        if (!scene.shapes.length) {
            this.element.replaceChildren();
            return;
        }
        this.element.innerHTML = `<svg viewBox="${this.painter.viewBox(scene)}" role="img" `
            + `aria-hidden="true"><g>${this.painter.inside(scene)}</g><g id="marks"></g></svg>`;
        this.mark();
    }

    at(site) { return [this.scene.sites[2 * site], this.scene.sites[2 * site + 1]]; }

    setMarks(marks) {
        this.marks = marks;
        this.mark();
    }

    mark() {
        const group = this.element.querySelector("#marks");
        if (!group) return;
        const there = (site) => site < this.scene.sites.length / 2;
        const from = this.marks.from.filter(there), hint = this.marks.hint.filter(there);
        const targets = this.marks.targets.filter(({ site }) => there(site));
        const { selected } = this.marks;
        const move = this.painter.called("move"), set = this.painter.called("set");
        const ring = (site, colour, radius, width, more = "") => {
            const [x, y] = this.at(site);
            return `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${colour}" `
                + `stroke-width="${width}" ${more}/>`;
        };
        const dot = (site) => {
            const [x, y] = this.at(site);
            return `<circle cx="${x}" cy="${y}" r="0.16" fill="${move}" opacity="0.85"/>`;
        };
        group.innerHTML = [
            ...from.map((site) => ring(site, move, 0.44, 0.03, 'opacity="0.35"')),
            ...targets.map(({ site, taken }) => (taken ? ring(site, move, 0.43, 0.08) : dot(site))),
            ...hint.map((site) => ring(site, set, 0.46, 0.08)),
            selected >= 0 ? ring(selected, move, 0.46, 0.07) : "",
            this.keyed && this.cursor >= 0
                ? ring(this.cursor, set, 0.48, 0.05, 'stroke-dasharray="0.15 0.1"') : "",
        ].join("");
    }

    // The nearest site to a point of the picture, -1 if none is near.
    near(x, y, reach = REACH) {
        let best = -1, least = reach;
        const { sites } = this.scene;
        for (let i = 0; i < sites.length / 2; i++) {
            const far = Math.hypot(sites[2 * i] - x, sites[2 * i + 1] - y);
            if (far < least) [best, least] = [i, far];
        }
        return best;
    }

    siteOf(event) {
        const svg = this.element.querySelector("svg");
        const matrix = svg?.getScreenCTM();
        if (!matrix) return -1;
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        return this.near(point.x, point.y);
    }

    click(event) {
        const site = this.siteOf(event);
        this.keyed = false;
        if (site >= 0) this.cursor = site;
        this.chosen(site);
    }

    // The next site in a direction: near, and not far off the line.
    towards(dx, dy) {
        const [x, y] = this.at(this.cursor);
        let best = this.cursor, least = Infinity;
        for (let i = 0; i < this.scene.sites.length / 2; i++) {
            const [sx, sy] = this.at(i);
            const along = (sx - x) * dx + (sy - y) * dy;
            const off = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
            if (along < 0.1 || off > 1.3 * along) continue;
            if (along + 2 * off < least) [best, least] = [i, along + 2 * off];
        }
        return best;
    }

    key(event) {
        const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        if (!this.scene?.sites.length || event.ctrlKey || event.altKey || event.metaKey) return;
        if (ways[event.key]) {
            this.cursor = this.cursor < 0 ? 0 : this.towards(...ways[event.key]);
            this.keyed = true;
            this.mark();
            this.pointed(this.cursor);
        } else if ((event.key === "Enter" || event.key === " ") && this.cursor >= 0) {
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
