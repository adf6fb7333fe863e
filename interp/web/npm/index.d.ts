/** The Ferz engine: compile the rules of a board game, list and play moves, run random games. */

/** Sites, players and options are numbers from 0; -1 is "none". `player` -1 sees everything. */
export type Site = number;
export type Player = number;

/** A number or text that a call cannot take is a TypeError or RangeError: seeds, streams and the
 *  bounds of instructions and of a playout are whole numbers from 0 to 2^64 - 1, counts, depths and
 *  other bounds from 0 to 2^32 - 1.
 *
 *  Otherwise a call failed. `status` says why: "invalid" (the script has errors, see `diagnostics`),
 *  "runtime" (the script failed while playing), "usage", "not-found", "bad-input", "refused",
 *  "no-memory". */
export class FerzError extends Error {
    readonly status: string;
    readonly diagnostics: Diagnostic[];
}

export interface Range {
    file: string | null;
    /** Lines and columns count from 1, columns in characters; the end belongs to the range. */
    line: number | null;
    column: number | null;
    end_line: number | null;
    end_column: number | null;
}

export interface Diagnostic extends Range {
    code: string;
    severity: "error" | "warning";
    message: string;
    notes: (Range & { message: string })[];
    hints: string[];
}

export interface LoadOptions {
    /** Where the script stands among the files; bases of variants are looked for beside it. */
    path?: string;
    /** Values of the game's options. */
    options?: Record<string, string | number | boolean>;
    /** Compile for `runs({coverage: true})`. */
    coverage?: boolean;
}

export interface Move {
    /** As the player who decides writes it. */
    text: string;
    /** As the player asked for sees it; only if a player was given. */
    shown?: string;
    from: Site;
    to: Site;
}

export interface Outcome { value: number; weight: number; text: string }

export interface Status {
    waiting: "move" | "chance" | "over" | "failed";
    decider: Player;
    mover: Player;
    turn: number;
    plies: number;
    /** The number of latest decisions that the other players do not see yet. */
    sealed: number;
    /** When the game is over: 1 is first; equal ranks are shared. */
    ranks?: number[];
    utilities?: number[];
    payoffs?: number[];
    /** Ended by `limit`, not by a rule. */
    stopped?: boolean;
    /** "file:line:column" of the rule that ended the game; "" if unknown. */
    place?: string;
    /** "White 1, Black 2". */
    result?: string;
}

/** What random games showed. Numbers by player are in the order of `Game.players`. */
export interface Tally {
    playouts: number;
    plies: number;
    turns: number;
    wins: number[];
    ranks: number[];
    utilities: number[];
    /** Games in which some sides came first together, and not all. */
    shared: number;
    draws: number;
    losses: number;
    stopped: number;
    failed: number;
    message?: string;
    shortest: number;
    longest: number;
    mean: number;
    deviation: number;
    median: number;
    /** [plies, games] for each length that occurred. */
    lengths: [number, number][];
}

export interface Rule {
    path: string;
    line: number;
    column: number;
    text: string;
    ran: number;
    tried: number;
    isOption: boolean;
    /** It stands in a rule that never ran. */
    inside: boolean;
    /** It has no code, because a condition is constant. */
    removed: boolean;
    offered?: number;
}

/** A picture of a position. */
export interface Picture {
    /** A whole document. Its coordinates are hundredths of the distance of neighbouring sites. */
    svg: string;
    /** Lines of text: values of variables, whose turn it is. */
    below: string;
    /** Is there more to see than these lines? */
    drawn: boolean;
    /** left, top, right, bottom, in distances of neighbouring sites, y downwards */
    box: [number, number, number, number];
    /** x and y of each site; empty without a board. */
    sites: number[];
    /** What else is drawn by a name: a card, a die by its number, pieces in hand by their kind, or a
     *  value whose name is a colour; its box, as above. */
    things: { name: string; role: "card" | "die" | "hand" | "swatch"; box: [number, number, number, number] }[];
    /** The colours of values that are named after colours, in this theme. */
    swatches: { text: string; colour: string }[];
}

/** How games used a board. Discs on sites have the area of the site's share of all moves, lines the
 *  width of their share of all steps. A part is missing if no move goes to a site of the board. */
export interface Use {
    games: number;
    /** `most`: the site, or the ends of the line, with the greatest share. */
    sites?: { svg: string; share: number; most: [Site] };
    lines?: { svg: string; share: number; most: [Site, Site] };
}

export interface Loaded {
    /** null if the script has errors or is a library. */
    game: Game | null;
    diagnostics: Diagnostic[];
    /** The diagnostics as a person reads them. */
    text: string;
    library: boolean;
    message?: string;
}

/** One instance of the engine with memory and files of its own. Calls are synchronous; run long
 *  ones in a worker. */
export class Engine {
    readonly version: string;
    /** True after a crash, such as a stack that is too deep: make a new engine. */
    readonly broken: boolean;
    /** Paths of the games that are shipped with Ferz. */
    games(): string[];
    readFile(path: string): string | null;
    writeFile(path: string, text: string): void;
    /** Compiles a script, or with null the file at `path`. Throws a FerzError with diagnostics. */
    load(text: string | null, options?: LoadOptions): Game;
    /** The same without throwing for errors of the script. */
    tryLoad(text: string | null, options?: LoadOptions): Loaded;
    /** A shipped game by its path or the name of its file, such as "chess". */
    loadGame(name: string, options?: LoadOptions): Game;
    check(text: string, options?: LoadOptions): Diagnostic[];
    format(text: string, path?: string): string;
    /** Runs the tests in a script. */
    test(text: string | null, options?: LoadOptions):
        { title: string; passed: boolean; message: string }[];
    /** What a record says; entries are moves, and results of chance in braces. */
    readRecord(text: string): { game: string; position: string | null; seed: string;
        options: Record<string, string>; entries: string[] };
    /** Bounds for games that are loaded from now on; 0: the default. */
    limits(bounds: {
        instructions?: number; playout?: number; idleTurns?: number; memory?: number;
    }): void;
    /** Sends messages of the Language Server Protocol, from `initialize` to `exit`, and returns
     *  the answers. Nothing is remembered between two calls. */
    languageServer(messages: object[]): object[];
}

/** A compiled game. */
export class Game {
    readonly path: string;
    readonly title: string;
    readonly players: { name: string; team: number }[];
    readonly sites: string[];
    readonly kinds: { name: string; letter: string }[];
    /** `low` and `high` bound a number; `values` are all others, with a blank between two; `comment`
     *  is the author's, of named values "NAME: ...; NAME: ...". */
    readonly options: { name: string; value: string; isDefault: boolean;
        type: "named" | "number" | "switch"; low: number; high: number; values: string;
        comment: string }[];
    /** Does it hide anything from a player? */
    readonly hides: boolean;
    /** Are all players on one side, as in a puzzle? */
    readonly oneSide: boolean;
    readonly payoffs: boolean;
    /** A game at its beginning. With `chance` "ask" it waits for `setChance` at every roll. */
    start(options?: {
        seed?: number | bigint | string; stream?: number | bigint; chance?: "sample" | "ask";
    }): State;
    /** The rules in English, as a page of HTML. */
    rules(): string;
    /** Random games; the same seed gives the same games as `ferz playout`. */
    playouts(options?: { count?: number; seed?: number | bigint | string }): Tally;
    /** The same in portions. */
    runs(options?: { seed?: number | bigint | string; coverage?: boolean }): Runs;
    /** Frees its memory; its states must be freed before. What is not freed is freed when it is
     *  collected. */
    free(): void;
}

export class Runs {
    /** Plays `count` more games; the tally of all so far. */
    more(count: number): Tally;
    /** How often each rule of the script ran, with `coverage`. */
    rules(): Rule[];
    free(): void;
}

/** A game in progress. */
export class State {
    readonly game: Game;
    readonly over: boolean;
    status(): Status;
    /** The legal moves in the order of the language; none for a player who does not decide. */
    moves(player?: Player): Move[];
    /** How each player is shown a move, by its place in `moves()`, or a value of chance. */
    told(of: { index?: number; chance?: number | bigint }): string[];
    /** What the player sees on each site: null if it looks empty, "?" if it is hidden, or
     *  [kind, owner, height]. */
    contents(player?: Player): ([number, number, number] | "?" | null)[];
    /** Plays a legal move by its text or its place in `moves()`; returns this state. */
    play(move: string | number): this;
    /** The place in `moves()` of a move as people type it: "e2e4", "E2 e4", a beginning of one move
     *  only. -1: no move fits, or `several` do. */
    find(typed: string): { index: number; several: string[] };
    /** What chance may bring, when it is waited for. */
    outcomes(player?: Player): Outcome[];
    setChance(value: number | bigint): this;
    /** Draws the awaited chance from the seed. */
    sampleChance(): { value: number; text: string };
    clone(): State;
    /** The position as text, as the player may see it. */
    position(player?: Player): string;
    /** Becomes the position, or the FEN. */
    read(position: string): this;
    observation(player: Player): string;
    /** The board drawn in text. */
    draw(player?: Player): string;
    /** The record of the game, which `ferz replay` reads. */
    record(path?: string): string;
    /** Why a text is a legal move or not. */
    why(move: string): string;
    /** The statements that run for a move, by its place in `moves()`, or for a value of chance. */
    story(of: { index?: number; chance?: number | bigint; player?: Player }): string;
    /** `set`: the name of a region that is highlighted. `theme`: "wood", "plain" or "night". `bare`:
     *  the picture is without the lines of text below, unless they are all there is. `lost`: pieces
     *  that are drawn beside the board, if the game has none in hand; players and kinds by number. */
    picture(options?: { player?: Player; set?: string; theme?: string; bare?: boolean;
        lost?: { owner: number; kind: number; count: number }[] }): Picture;
    /** Plays random games from the beginning, and shows on the board how they used it. */
    use(options?: { count?: number; seed?: number | bigint | string; theme?: string }): Use;
    /** The number of sequences of `depth` turns. */
    perft(depth: number): bigint;
    /** The move of an agent, such as "mcts:1000" or "alphabeta:4". `wins`: it is proven to win.
     *  `visits`: how often a Monte Carlo agent tried each of `moves()`; empty for other agents. */
    choose(agent?: string, options?: { seed?: number | bigint | string }):
        { index: number; text: string; wins: boolean; visits: number[] };
    free(): void;
}

/** A new engine. `wasm` and `files`: what it is made of, if it does not lie beside index.js. */
export function createEngine(parts?: {
    wasm?: WebAssembly.Module | BufferSource | null;
    files?: Record<string, string> | null;
}): Promise<Engine>;

/** The game of a script, in an engine of its own. */
export function load(text: string, options?: LoadOptions): Promise<Game>;
/** A shipped game, in an engine of its own. */
export function loadGame(name: string, options?: LoadOptions): Promise<Game>;
