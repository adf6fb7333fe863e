// The board: shows a picture, marks sites, and turns clicks and keys into sites.
const REACH = 0.7; // of a site, in distances of neighbouring sites

export class Board {
    // `chosen(site)`: a site was clicked or entered; `pointed(site)`: the cursor is there.
    constructor(element, { chosen, pointed }) {
        this.element = element;
        this.chosen = chosen;
        this.pointed = pointed;
        this.picture = null;
        this.marks = { targets: [], from: [], selected: -1, hint: [] };
        this.cursor = -1;
        this.keyed = false; // the cursor is shown only while keys move it
        element.addEventListener("click", (event) => this.click(event));
        element.addEventListener("keydown", (event) => this.key(event));
        element.addEventListener("blur", () => { this.keyed = false; this.mark(); });
    }

    show(picture) {
        const [left, top, right, bottom] = picture.box;
        this.picture = picture;
        if (this.cursor >= picture.sites.length / 2) this.cursor = -1;
        if (!picture.drawn) {
            this.element.replaceChildren();
            return;
        }
        this.element.style.setProperty("--ratio", (right - left) / (bottom - top));
        // A small board need not fill the page.
        this.element.style.setProperty("--most", `${Math.round((right - left) * 120)}px`);
        this.element.innerHTML = picture.svg.replace("</svg>", '<g id="marks"></g></svg>');
        this.element.firstChild.setAttribute("aria-hidden", "true");
        this.mark();
    }

    at(site) { return [this.picture.sites[2 * site], this.picture.sites[2 * site + 1]]; }

    setMarks(marks) {
        this.marks = marks;
        this.mark();
    }

    mark() {
        const group = this.element.querySelector("#marks");
        if (!group) return;
        const there = (site) => site < this.picture.sites.length / 2;
        const from = this.marks.from.filter(there), hint = this.marks.hint.filter(there);
        const targets = this.marks.targets.filter(({ site }) => there(site));
        const { selected } = this.marks;
        const circle = (site, name, radius, width = 0) => {
            const [x, y] = this.at(site);
            return `<circle class="${name}" cx="${100 * x}" cy="${100 * y}" r="${radius}" `
                + `stroke-width="${width}"/>`;
        };
        group.innerHTML = [
            ...from.map((site) => circle(site, "from", 44, 3)),
            ...targets.map(({ site, taken }) => (taken ? circle(site, "ring", 43, 8)
                : circle(site, "dot", 16))),
            ...hint.map((site) => circle(site, "hinted", 46, 8)),
            selected >= 0 ? circle(selected, "ring", 46, 7) : "",
            this.keyed && this.cursor >= 0 ? circle(this.cursor, "cursor", 48, 5) : "",
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
        const svg = this.element.querySelector("svg");
        const matrix = svg?.getScreenCTM();
        if (!matrix) return -1;
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        return this.near(point.x / 100, point.y / 100);
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
        for (let i = 0; i < this.picture.sites.length / 2; i++) {
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
        if (!this.picture?.sites.length || event.ctrlKey || event.altKey || event.metaKey) return;
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
