// Pieces of a picture, to be moved over it: the shapes that stand on a site and on no empty site.
// Pictures draw shapes of one style as one path, so a piece may be a part of a path.
const NS = "http://www.w3.org/2000/svg";
const WIDEST = 93, NEAR = 25; // in hundredths of the distance of neighbouring sites

const starts = (part) => /^M\s*(-?[\d.]+)[\s,]*(-?[\d.]+)/.exec(part)?.slice(1).map(Number);

function group(attributes) {
    const made = document.createElementNS(NS, "g");
    for (const { name, value } of attributes) made.setAttribute(name, value);
    return made;
}

// Does the shape stand around the point? `shape` is in the document.
function standsAt(shape, x, y) {
    const box = shape.getBBox();
    const matrix = shape.transform.baseVal.consolidate()?.matrix;
    const corner = (px, py) => (matrix ? new DOMPoint(px, py).matrixTransform(matrix)
        : new DOMPoint(px, py));
    const a = corner(box.x, box.y), b = corner(box.x + box.width, box.y + box.height);
    return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) < WIDEST
        && Math.hypot((a.x + b.x) / 2 - x, (a.y + b.y) / 2 - y) < NEAR;
}

// The parts of a path that stand around the point.
function partsAt(path, x, y) {
    const parts = path.getAttribute("d").split(/(?=M)/);
    const probe = path.cloneNode();
    path.after(probe);
    const found = parts.filter((part) => {
        const start = starts(part);
        if (!start || Math.hypot(start[0] - x, start[1] - y) > 100) return false;
        probe.setAttribute("d", part);
        return standsAt(probe, x, y);
    });
    probe.remove();
    return found;
}

// Takes what stands on a site out of the picture and returns it as a group; null:
// there is nothing that can be told from the board. `empty`: a site on which nothing stands, or null.
export function lift(svg, [x, y], empty) {
    const taken = [];
    const shapes = [...svg.querySelectorAll("use, text, circle, path")].filter((one) =>
        !one.closest("defs"));
    for (const shape of shapes) {
        const isPath = shape.localName === "path";
        const parts = isPath ? partsAt(shape, x, y) : [];
        if (isPath ? !parts.length || (empty && partsAt(shape, ...empty).length)
            : !standsAt(shape, x, y)) continue;
        const copy = shape.cloneNode(true), parent = shape.parentNode;
        if (isPath) {
            copy.setAttribute("d", parts.join(""));
            shape.setAttribute("d", shape.getAttribute("d").split(/(?=M)/)
                .filter((part) => !parts.includes(part)).join(""));
        } else {
            shape.remove();
        }
        const holder = group(parent === svg ? [] : parent.attributes);
        holder.append(copy);
        taken.push(holder);
    }
    if (!taken.length) return null;
    const lifted = group([]);
    lifted.append(...taken);
    return lifted;
}

// Turns a picture by half, with signs and letters upright. Its first shape is the ground.
export function turn(svg, [left, top, right, bottom]) {
    const x = 50 * (left + right), y = 50 * (top + bottom);
    const upright = [...svg.querySelectorAll("use, text")].filter((one) => !one.closest("defs"));
    for (const one of upright) {
        const box = one.getBBox(), own = one.getAttribute("transform") ?? "";
        one.setAttribute("transform",
            `${own} rotate(180 ${box.x + box.width / 2} ${box.y + box.height / 2})`);
    }
    const turned = group([{ name: "transform", value: `rotate(180 ${x} ${y})` }]);
    turned.append(...[...svg.children].slice(1).filter((one) => one.localName !== "defs"));
    svg.append(turned);
}
