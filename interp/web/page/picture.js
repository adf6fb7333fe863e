// A scene of the engine as SVG text. Used by the page and, in Node, for the pictures of the gallery.

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escape = (text) => text.replace(/[&<>"]/g, (c) => escapes[c]);

const hex = (colour) => `#${colour.toString(16).padStart(6, "0")}`;
const short = (number) => String(Math.round(number * 1000) / 1000);

// A figure's path has circles, "O x y radius", which SVG writes as arcs.
function figurePath(path) {
    return path.replace(/O (-?\d+) (-?\d+) (\d+)/g, (_, x, y, r) =>
        `M ${x - r} ${y} a ${r} ${r} 0 1 0 ${2 * r} 0 a ${r} ${r} 0 1 0 ${-2 * r} 0 Z`);
}

// The scene without the lines of text below the board.
export function boardOf(scene) {
    const [left, top, right] = scene.box;
    return { ...scene, shapes: scene.shapes.slice(0, scene.below.first),
        box: [left, top, right, scene.below.y + 0.3] };
}

export class Painter {
    constructor(paints, theme) {
        this.paints = paints;
        this.theme = paints.themes.find((one) => one.name === theme) ?? paints.themes[0];
        this.figures = paints.figures.map((one) => ({
            outline: figurePath(one.outline), details: figurePath(one.details),
        }));
    }

    colour(paint) { return hex(this.theme.colours[paint]); }

    called(name) { return this.colour(this.paints.paints.indexOf(name)); }

    contrast(paint) { return hex(this.theme.contrasts[paint]); }

    style(shape) {
        const parts = [`fill="${shape.fill ? this.colour(shape.fill) : "none"}"`];
        if (shape.stroke)
            parts.push(`stroke="${this.colour(shape.stroke)}"`,
                `stroke-width="${short(shape.width ?? 0)}"`);
        if (shape.dashed) parts.push('stroke-dasharray="0.12 0.08"');
        if (shape.faded) parts.push('opacity="0.5"');
        return parts.join(" ");
    }

    figure(shape) {
        const [x, y] = shape.points;
        const { outline, details } = this.figures[shape.figure];
        const line = this.contrast(shape.on);
        const half = shape.size / 2, scale = shape.size / 100;
        return `<g transform="translate(${short(x - half)} ${short(y - half)}) scale(${scale})" `
            + `stroke="${line}" stroke-linejoin="round">`
            + `<path d="${outline}" fill="${this.colour(shape.fill)}" stroke-width="3.5"/>`
            + `<path d="${details}" fill="none" stroke-width="3"/></g>`;
    }

    label(shape) {
        const [x, y] = shape.points;
        const size = shape.size * 1.25;
        const colour = shape.on ? this.contrast(shape.on) : this.colour(shape.fill);
        return `<text x="${short(x)}" y="${short(y + size * 0.365)}" font-size="${short(size)}" `
            + `text-anchor="${shape.anchor}" fill="${colour}"`
            + `${shape.faded ? ' opacity="0.5"' : ""}>${escape(shape.text)}</text>`;
    }

    arrow(shape) {
        const [x1, y1, x2, y2] = shape.points;
        const angle = Math.atan2(y2 - y1, x2 - x1), head = 3 * shape.width;
        const nx = x2 - head * Math.cos(angle), ny = y2 - head * Math.sin(angle);
        const dx = head / 1.8 * Math.sin(angle), dy = head / 1.8 * Math.cos(angle);
        const colour = this.colour(shape.stroke);
        return `<g${shape.faded ? ' opacity="0.5"' : ""}><path stroke="${colour}" `
            + `stroke-width="${short(shape.width)}" `
            + `d="M ${short(x1)} ${short(y1)} L ${short(nx)} ${short(ny)}"/>`
            + `<path fill="${colour}" d="M ${short(x2)} ${short(y2)} L ${short(nx - dx)} `
            + `${short(ny + dy)} L ${short(nx + dx)} ${short(ny - dy)} Z"/></g>`;
    }

    shape(shape) {
        switch (shape.kind) {
        case "polygon": case "lines": {
            const at = [];
            for (let i = 0; i < shape.points.length; i += 2)
                at.push(`${short(shape.points[i])},${short(shape.points[i + 1])}`);
            const name = shape.kind === "lines" ? "polyline" : "polygon";
            return `<${name} points="${at.join(" ")}" ${this.style(shape)}/>`;
        }
        case "circle":
            return `<circle cx="${short(shape.points[0])}" cy="${short(shape.points[1])}" `
                + `r="${short(shape.size)}" ${this.style(shape)}/>`;
        case "figure": return this.figure(shape);
        case "label": return this.label(shape);
        default: return this.arrow(shape);
        }
    }

    // What stands inside of the svg element.
    inside(scene) { return scene.shapes.map((shape) => this.shape(shape)).join(""); }

    viewBox(scene) {
        const [left, top, right, bottom] = scene.box;
        return [left, top, right - left, bottom - top].map(short).join(" ");
    }

    // A whole file.
    file(scene, title) {
        return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${this.viewBox(scene)}" `
            + `font-family="DejaVu Sans, Verdana, sans-serif" role="img">`
            + `<title>${escape(title)}</title>${this.inside(scene)}</svg>\n`;
    }
}
