// Stands in for the editor until that has come: keeps the text, and what is to be shown beside it.
export class Draft {
    constructor() {
        this.text = "";
        this.path = "";
        this.calls = [];
    }

    setText(text, how) {
        this.text = text;
        this.calls.push(["setText", [text, how]]);
    }

    giveTo(editor) {
        editor.path = this.path;
        for (const [name, args] of this.calls) editor[name](...args);
    }
}

for (const name of ["setDiagnostics", "setUse", "setTests", "setTold", "goTo"])
    Draft.prototype[name] = function keep(...args) { this.calls.push([name, args]); };
