"""Runs notebooks as Jupyter does, cell by cell, in one name space each.

    tests/python/notebook.py [--write] NOTEBOOK...

Without --write, what the cells print and show must be what the notebook holds, apart from the
digits: learning sums floating-point numbers, whose last bits depend on the machine. With it, the
notebook gets the new outputs."""
import ast
import contextlib
import io
import json
import re
import sys
from pathlib import Path


def lines(text):
    return text.splitlines(keepends=True)


def shown(value):
    """A value at the end of a cell, as text and, if it has one, as a picture."""
    data = {"text/plain": lines(repr(value))}
    if hasattr(value, "_repr_svg_"):
        data["image/svg+xml"] = lines(value._repr_svg_())
    return {"output_type": "display_data", "data": data, "metadata": {}}


def run(source, names):
    """The outputs of a cell."""
    tree, value, printed = ast.parse(source), None, io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs = [{"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())}]
    return outputs * bool(printed.getvalue()) + ([] if value is None else [shown(value)])


def text(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main(write, paths):
    for path in paths:
        old = Path(path).read_text("utf-8")
        notebook, names = json.loads(old), {"__name__": "__main__"}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = run("".join(cell["source"]), names)
        new = text(notebook)
        if write:
            Path(path).write_text(new, "utf-8")
        elif re.sub(r"\d+", "0", old) != re.sub(r"\d+", "0", new):
            sys.exit(f"{path} shows other outputs; look at them, then tests/python/notebook.py "
                     f"--write {path}")


main("--write" in sys.argv, [word for word in sys.argv[1:] if word != "--write"])
