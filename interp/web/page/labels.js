// The names of the buttons on the board, for those who do not see the picture.

function pieceText(there, { kinds, players }) {
    if (there === null) return "empty";
    if (there === "?") return "not seen";
    const [kind, owner, height] = there;
    const name = kinds[kind]?.name ?? "piece";
    return name + (owner >= 0 ? ` of ${players[owner].name}` : "")
        + (height > 1 ? `, ${height} high` : "");
}

// `moves`: those that the person may choose now; `selected`: a site, -1: none.
export function labels(game, contents, moves, selected) {
    const movable = new Set(), playable = new Set(), targets = new Set();
    for (const { from, to } of moves) {
        if (from === selected && from >= 0 && to >= 0) targets.add(to);
        if (from >= 0 && from !== to) movable.add(from);
        if (to >= 0 && (from < 0 || from === to)) playable.add(to);
    }
    const can = (site) => (site === selected ? ", selected"
        : targets.has(site) ? ", a target"
        : selected >= 0 ? ""
        : movable.has(site) ? ", can move"
        : playable.has(site) ? ", can be played" : "");
    return game.sites.map((name, site) => `${name}: ${pieceText(contents[site], game)}${can(site)}`);
}
