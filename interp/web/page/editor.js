// The editor: CodeMirror with the words of Ferz, diagnostics, completion, hover, and marks for how
// often a line ran and for tests.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap }
    from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting }
    from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine,
    highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import grammar from "../../../docs/editors/vscode/syntaxes/ferz.tmLanguage.json";

// ---- the words, from the list that docs/editors.py keeps ----

const styles = {
    "keyword.control.ferz": "keyword", "keyword.operator.word.ferz": "operatorKeyword",
    "keyword.other.ferz": "modifier", "support.type.ferz": "typeName",
    "constant.language.ferz": "bool", "support.function.ferz": "standard",
};
const words = grammar.patterns.filter((one) => styles[one.name])
    .map((one) => [new RegExp(`^(?:${one.match})$`), styles[one.name]]);

function token(stream, state) {
    if (state.comment || stream.match("/*")) {
        state.comment = !stream.match(/.*?\*\//);
        if (state.comment) stream.skipToEnd();
        return "comment";
    }
    if (state.string || stream.match('"""')) {
        state.string = !stream.match(/.*?"""/);
        if (state.string) stream.skipToEnd();
        return "string";
    }
    if (stream.match(/\/\/\/(?!\/).*/)) return "docComment";
    if (stream.match(/\/\/.*/)) return "comment";
    if (stream.match(/"(?:\\.|[^"\\])*"?/)) return "string";
    if (stream.match(/\d+/)) return "number";
    const word = stream.match(/[A-Za-z_]\w*/);
    if (word) return words.find(([one]) => one.test(word[0]))?.[1] ?? "variableName";
    if (stream.match(/=>|\.\.|[-+*/%&|~#<>=!]=?/)) return "operator";
    stream.next();
    return null;
}

const ferz = StreamLanguage.define({
    name: "ferz",
    startState: () => ({ comment: false, string: false }),
    token,
    languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
        closeBrackets: { brackets: ["(", "[", "{", '"'] } },
    tokenTable: { docComment: tags.docComment, standard: tags.standard(tags.variableName),
        operatorKeyword: tags.operatorKeyword, modifier: tags.modifier },
});

const colours = HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)",
        fontWeight: "600" },
    { tag: [tags.typeName, tags.bool], color: "var(--code-type)" },
    { tag: tags.standard(tags.variableName), color: "var(--code-function)" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: tags.number, color: "var(--code-number)" },
    { tag: tags.comment, color: "var(--code-comment)" },
    { tag: tags.docComment, color: "var(--code-document)", fontStyle: "italic" },
]);

const look = EditorView.theme({
    "&": { height: "100%", fontSize: "13.5px", backgroundColor: "var(--paper)",
        color: "var(--ink)" },
    "&.cm-focused": { outline: "none", boxShadow: "inset 3px 0 var(--accent)" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
    ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    "&.cm-focused .cm-selectionBackground, .cm-selectionBackground":
        { backgroundColor: "var(--selection) !important" },
    ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)",
        border: "1px solid var(--line)", borderRadius: "6px", boxShadow: "var(--shadow)" },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)",
        color: "var(--on-accent)" },
    ".cm-diagnostic": { padding: "6px 10px", whiteSpace: "pre-wrap" },
    ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)",
        borderRadius: "5px", padding: "3px 9px", cursor: "pointer" },
    ".cm-hover": { padding: "8px 12px", maxWidth: "34rem", whiteSpace: "pre-wrap",
        fontFamily: "var(--mono)", fontSize: "12.5px" },
    ".cm-told": { backgroundColor: "var(--told)" },
    ".cm-use": { width: "5px", paddingLeft: "0" },
});

// ---- marks on lines ----

const setUse = StateEffect.define();     // Map line -> {ran, share} of rules
const setTests = StateEffect.define();   // Map line -> {passed, message}
const setTold = StateEffect.define();    // a line that a story names, 0: none

class UseMarker extends GutterMarker {
    constructor(use) { super(); this.use = use; }
    eq(other) { return other.use.ran === this.use.ran; }
    toDOM() {
        const bar = document.createElement("div");
        bar.className = this.use.ran ? "use" : "use never";
        bar.style.opacity = this.use.ran ? 0.25 + 0.75 * this.use.share : 1;
        bar.title = this.use.ran ? `ran ${this.use.ran.toLocaleString()} times` : "never ran";
        return bar;
    }
}

class TestMarker extends GutterMarker {
    constructor(test) { super(); this.test = test; }
    eq(other) { return other.test.passed === this.test.passed; }
    toDOM() {
        const mark = document.createElement("span");
        mark.className = this.test.passed ? "tick" : "cross";
        mark.textContent = this.test.passed ? "✓" : "✗";
        mark.title = this.test.passed ? "passed" : this.test.message;
        return mark;
    }
}

function lineMarks(effect, Marker) {
    return StateField.define({
        create: () => RangeSet.empty,
        update(marks, transaction) {
            for (const one of transaction.effects) {
                if (!one.is(effect)) continue;
                const lines = [...one.value].filter(([line]) =>
                    line >= 1 && line <= transaction.state.doc.lines).sort((a, b) => a[0] - b[0]);
                return RangeSet.of(lines.map(([line, what]) =>
                    new Marker(what).range(transaction.state.doc.line(line).from)));
            }
            return marks.map(transaction.changes);
        },
    });
}
const useField = lineMarks(setUse, UseMarker), testField = lineMarks(setTests, TestMarker);

const toldField = StateField.define({
    create: () => Decoration.none,
    update(marks, transaction) {
        for (const one of transaction.effects) {
            if (!one.is(setTold)) continue;
            const there = one.value >= 1 && one.value <= transaction.state.doc.lines;
            return there ? Decoration.set([Decoration.line({ class: "cm-told" })
                .range(transaction.state.doc.line(one.value).from)]) : Decoration.none;
        }
        return marks.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

// ---- places ----

// The engine counts columns in characters, the editor in units of UTF-16.
function offset(doc, line, column) {
    if (!line || line > doc.lines) return 0;
    const { from, text } = doc.line(line);
    return from + [...text].slice(0, Math.max(0, column - 1)).join("").length;
}

function diagnosticOf(doc, one, path) {
    const own = one.file === path;
    const from = own ? offset(doc, one.line, one.column) : 0;
    const to = own ? Math.max(from + 1, offset(doc, one.end_line, one.end_column + 1)) : 1;
    const message = [`${own ? "" : `${one.file}:${one.line}: `}${one.message}`,
        ...one.notes.map((note) => `line ${note.line}: ${note.message}`),
        ...one.hints.map((hint) => `Hint: ${hint}`)].join("\n");
    return { from: Math.min(from, doc.length), to: Math.min(to, doc.length),
        severity: one.severity, message, source: one.code };
}

const position = (doc, at) => {
    const line = doc.lineAt(at);
    return { line: line.number - 1, character: at - line.from };
};

const offsetOf = (doc, { line, character }) =>
    (line >= doc.lines ? doc.length : Math.min(doc.length, doc.line(line + 1).from + character));

// A fix of the language server as a button below the message.
function actionOf({ title, edit }) {
    return { name: title[0].toUpperCase() + title.slice(1), apply(view) {
        const { doc } = view.state;
        view.dispatch({ changes: Object.values(edit.changes).flat().map(({ range, newText }) => ({
            from: offsetOf(doc, range.start), to: offsetOf(doc, range.end), insert: newText,
        })) });
    } };
}

// ---- the editor ----

const still = matchMedia("(prefers-reduced-motion: reduce)");

// Kinds of the protocol's completions.
const kinds = { 3: "function", 6: "variable", 7: "class", 13: "enum", 14: "keyword", 20: "enum",
    21: "constant", 15: "text" };

export class Editor {
    // `changed(text)`, `selected(text)`; `pointed(name, offset)` when what a name means is shown, and
    // `left()` when it is no more; `ask(method, params)` is the language server.
    constructor(parent, { changed, selected, pointed, left, ask }) {
        this.path = "";
        this.setting = false;
        this.ask = ask;
        const complete = async (context) => {
            const word = context.matchBefore(/\w*/);
            const typed = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
            if (!context.explicit && (!word || word.from === word.to) && typed !== ".") return null;
            const answer = await ask("textDocument/completion",
                { position: position(context.state.doc, context.pos) }).catch(() => null);
            const items = answer?.items ?? answer ?? [];
            return { from: word?.from ?? context.pos, validFor: /^\w*$/,
                options: items.map((one) => ({ label: one.label, type: kinds[one.kind],
                    detail: one.detail, apply: one.textEdit?.newText ?? one.insertText ?? one.label,
                    info: one.documentation?.value ?? one.documentation })) };
        };
        const hover = hoverTooltip(async (view, at) => {
            const answer = await ask("textDocument/hover",
                { position: position(view.state.doc, at) }).catch(() => null);
            const text = answer?.contents?.value;
            if (!text) return null;
            const { doc } = view.state;
            return { pos: offsetOf(doc, answer.range.start), end: offsetOf(doc, answer.range.end),
                above: true, create() {
                const dom = document.createElement("div");
                dom.className = "cm-hover";
                dom.textContent = text.replace(/^```\w*\n?/gm, "");
                pointed(view.state.sliceDoc(this.pos, this.end), this.pos);
                return { dom, destroy: left };
            } };
        }, { hoverTime: 350 });
        this.view = new EditorView({ parent, state: EditorState.create({ doc: "", extensions: [
            lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(
                still.matches ? { cursorBlinkRate: 0 } : {}),
            bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
            EditorView.lineWrapping, ferz, syntaxHighlighting(colours), look, indentUnit.of("  "), lintGutter(),
            useField, testField, toldField,
            gutter({ class: "cm-use", markers: (view) => view.state.field(useField) }),
            gutter({ class: "cm-test", markers: (view) => view.state.field(testField) }),
            autocompletion({ override: [complete] }), hover,
            EditorView.contentAttributes.of({ "aria-label": "Rules of the game, in Ferz",
                "aria-description": "Escape, then Tab, leaves the editor.", tabindex: "0" }),
            keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap,
                ...completionKeymap, ...lintKeymap, indentWithTab]),
            EditorView.updateListener.of((update) => {
                if (update.docChanged && !this.setting) changed(this.text);
                if (update.selectionSet && !update.docChanged) selected(this.selection);
            }),
        ] }) });
    }

    get text() { return this.view.state.doc.toString(); }

    // The text from where the name at the offset is declared in this file; "".
    async declaration(at) {
        const { doc } = this.view.state;
        const answer = await this.ask("textDocument/definition", { position: position(doc, at) })
            .catch(() => null);
        const place = [answer ?? []].flat()[0];
        return place?.uri === `file://${this.path}` ? doc.sliceString(offsetOf(doc,
            place.range.start)) : "";
    }

    lineAt(at) { return this.view.state.doc.lineAt(at).text; }

    get selection() {
        const { from, to } = this.view.state.selection.main;
        return this.view.state.sliceDoc(from, to);
    }

    // Another text, in which nothing can be undone; `keep`: an edit like any other.
    setText(text, { keep = false } = {}) {
        this.setting = !keep;
        this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
        this.setting = false;
        this.setUse(new Map());
        this.setTests(new Map());
    }

    async setDiagnostics(list) {
        const { doc } = this.view.state;
        const shown = list.map((one) => diagnosticOf(doc, one, this.path));
        this.view.dispatch(setDiagnostics(this.view.state, shown));
        if (!list.some((one) => one.hints.length)) return;
        const fixes = await this.ask("textDocument/codeAction", { context: { diagnostics: [] },
            range: { start: position(doc, 0), end: position(doc, doc.length) } }).catch(() => null);
        if (!fixes?.length || this.view.state.doc !== doc) return;
        for (const fix of fixes) {
            const at = offsetOf(doc, fix.diagnostics[0].range.start);
            const one = shown.find((diagnostic) => diagnostic.from === at);
            if (one) (one.actions ??= []).push(actionOf(fix));
        }
        this.view.dispatch(setDiagnostics(this.view.state, shown));
    }

    setUse(lines) { this.view.dispatch({ effects: setUse.of(lines) }); }

    setTests(lines) { this.view.dispatch({ effects: setTests.of(lines) }); }

    setTold(line) { this.view.dispatch({ effects: setTold.of(line) }); }

    goTo(line, focus = true) {
        if (line < 1 || line > this.view.state.doc.lines) return;
        const { from } = this.view.state.doc.line(line);
        this.view.dispatch({ selection: { anchor: from },
            effects: EditorView.scrollIntoView(from, { y: "center" }) });
        if (focus) this.view.focus();
    }
}
