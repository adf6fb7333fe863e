"""Files, options and variants (chapter 12 of docs/spec): which declarations a game has, and which
of them a name means in a file."""
import operator
import re
from pathlib import Path

from syntax import parse
from words import ScriptError, holds, refuse_if

GLOBAL = {"players", "board", "stacks", "teams", "show", "view", "setup", "turn", "end",
          "on capture", "limit"}
HEADER = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*(game|variant|library)\b", re.DOTALL)
BOUNDS = {"instructions", "frames", "moves", "memory", "idle_turns", "decisions", "playout"}
OPERATIONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": operator.floordiv, "%": operator.mod, "..": lambda low, high: range(low, high + 1),
    "in": lambda one, values: one in values, "not in": lambda one, values: one not in values}
EXTENDED = {"piece", "moves", "proc", "phase"}


class Slot:
    """A declaration that others can replace: its current text, and the file it is from."""

    def __init__(self, decl, file):
        self.decl, self.file = decl, file


class File:
    """A parsed file, with what it declares itself."""

    def __init__(self, path, tree):
        self.path, self.tree, self.sort = path, tree, tree.sort
        self.decls, self.bases, self.uses = [], [], []      # uses: (file, names or None)
        self.slots = {}
        self.done = False

    def all_bases(self):
        found = []
        for base in self.bases:
            found += [*base.all_bases(), base]
        return list(dict.fromkeys(found))


def key_of(decl):
    """Under which key a declaration is known; None if it has no name."""
    if decl.name in GLOBAL and decl.kind not in ("let", "var", "fn", "proc", "moves"):
        return ("global", decl.name)
    if decl.kind in ("fn", "proc"):
        return ("call", decl.name, len(decl.params))
    return ("name", decl.name) if decl.name else None


class Unit:
    """All files of a game. `read(name, path)` gives the text of a base or module beside a file."""

    def __init__(self, path, text, read, settings=None):
        self.read, self.settings = read, settings or {}
        self.files, self.loading, self.game_slots, self.conflicts = {}, set(), {}, set()
        self.options, self.bounds, self.tests, self.shown = {}, {}, [], {}
        self.prelude = self.load("prelude", "prelude", 0)
        self.main = self.load_text(path, text)
        self.gather_options()
        for file in list(self.files.values()):
            file.decls = self.expanded(file, file.tree.decls)
        self.gather_options()
        self.apply(self.prelude)
        self.apply(self.main)
        refuse_if(self.conflicts, "E0218", 1)

    # Loading.

    def load(self, name, kind, line, beside=None):
        is_base = kind == "base"
        path, text = self.read(name, kind, beside)
        refuse_if({name, path} & self.loading, "E0205" if is_base else "E0204", line)
        refuse_if(path is None, "E0201" if is_base else "E0202", line)
        if path in self.files:
            return self.files[path]
        refuse_if(is_base and not sort_of(text), "E0224", line)
        file = self.load_text(path, text)
        refuse_if(is_base and file.sort == "library", "E0206", line)
        return file

    def root(self, file):
        return self.root(file.bases[0]) if file.bases else file

    def load_text(self, path, text):
        refuse_if("\0" in text, "E0108", text.partition("\0")[0].count("\n") + 1)
        self.loading.add(path)
        file = File(path, parse(text))
        line = file.tree.line
        file.bases = [self.load(base, "base", line, path) for base in file.tree.bases]
        refuse_if(any(self.root(base) is not self.root(file.bases[0]) for base in file.bases),
                  "E0219", line)
        for decl in file.tree.decls:
            if decl.kind == "use":
                self.add_use(file, decl)
        self.loading.remove(path)
        self.files[path] = file
        return file

    def add_use(self, file, decl):
        module = self.load(decl.name, "module", decl.line, file.path)
        refuse_if(module.sort != "library", "E0203", decl)
        refuse_if(decl.only and {*decl.only} - set(declared(module.tree.decls)), "E0226", decl)
        file.uses.append((module, decl.only))

    # Options and conditions.

    def gather_options(self):
        """Values of options, by name: a number, a truth value, or the name of a value."""
        decls = {}
        for file in self.files.values():
            for decl in file.decls or file.tree.decls:
                if decl.kind == "option":
                    other = decls.setdefault(decl.name, decl)
                    refuse_if(other is not decl and not decl.change,
                              "E0305" if other in file.tree.decls else "E0216", decl)
                    decls[decl.name] = decl
        chosen = {name: (decl.value, decl.line) for name, decl in decls.items()}
        for file in [*self.main.all_bases(), self.main]:
            for decl in file.tree.decls:
                if decl.kind == "set":
                    refuse_if(decl.name not in chosen and file.decls, "E0208", decl)
                    chosen[decl.name] = (decl.value, decl.line)
        for name, value in self.settings.items():
            refuse_if(name not in decls and self.main.decls, "E0208", 1)
            chosen[name] = (value, 1)
        self.option_decls = decls
        for name, decl in decls.items():
            self.options[name] = self.option_value(decl, *chosen[name])

    def option_value(self, decl, value, line):
        if decl.values:
            word = value if isinstance(value, str) else value.name
            refuse_if(word not in dict(decl.values), "E0209", line)
            return word
        ranged = decl.type.kind == "range"
        low, high = map(self.constant, (decl.type.low, decl.type.high)) if ranged else (0, 0)
        refuse_if(low > high or not ranged and decl.type.name != "bool", "E0212", line)
        if isinstance(value, str):
            value = value == "true" if value in ("true", "false") else int(value)
        else:
            value = self.constant(value)
        refuse_if(ranged and (isinstance(value, bool) or not low <= value <= high), "E0209", line)
        return value

    def expanded(self, file, decls):
        found = []
        for decl in decls:
            if decl.kind == "when":
                test = self.constant(decl.test)
                refuse_if(not isinstance(test, bool), "E0211", decl)
                inner = decl.branches[0 if test else 1]
                for one in inner:
                    refuse_if(one.kind == "set", "E0213", one)
                    if one.kind == "use":
                        before = set(self.files)
                        self.add_use(file, one)
                        for path in set(self.files) - before:
                            new = self.files[path]
                            new.decls = self.expanded(new, new.tree.decls)
                found += self.expanded(file, inner)
            else:
                found.append(decl)
        return found

    def constant(self, node):
        """The value of an expression of options and numbers."""
        kind = node.kind
        if kind == "name":
            return self.constant_name(node)
        if kind == "unary" and node.op == "#" and node.value.name in ("player", "team"):
            return len(self.players() if node.value.name == "player" else self.teams())
        if kind == "unary" and node.op != "#":
            value = self.constant(node.value)
            return not value if node.op == "not" else -value
        if kind == "choice":
            return self.constant(node.yes if self.constant(node.test) else node.no)
        if kind == "callx" and node.name in ("min", "max"):
            return {"min": min, "max": max}[node.name](*map(self.constant, node.args))
        if kind == "binary":
            return self.constant_binary(node)
        refuse_if(kind not in ("number", "set"), "E0210", node)
        return node.value if kind == "number" else [*map(self.constant, node.values)]

    def constant_name(self, node):
        if node.name in ("true", "false"):
            return node.name == "true"
        if node.name in self.options and node.module is None:
            return self.options[node.name]
        refuse_if(not any(node.name in dict(decl.values) for decl in self.option_decls.values()),
                  "E0208", node)
        return node.name

    def constant_binary(self, node):
        left = self.constant(node.left)
        if node.op in ("and", "or"):
            return self.constant(node.right) if left == (node.op == "and") else left
        right = self.constant(node.right)
        refuse_if(node.op in ("/", "%") and right == 0, "E0217", node)
        refuse_if(node.op not in OPERATIONS, "E0210", node)
        return OPERATIONS[node.op](left, right)

    def declared(self, name):
        """The last declaration of players or teams, before declarations are applied."""
        slot = self.game_slots.get(("global", name))
        if slot:
            return slot.decl
        files = [*(file for file in self.files.values() if file.sort == "library"),
                 *self.main.all_bases(), self.main]
        decls = [decl for file in files for decl in file.decls or file.tree.decls]
        return next((decl for decl in reversed(decls) if decl.kind == name), None)

    def players(self):
        decl = self.declared("players")
        return [(name, facing) for name, facing, test in decl.players
                if test is None or self.constant(test)] if decl else []

    def teams(self):
        decl = self.declared("teams")
        names = [name for name, _ in self.players()]
        if decl is None:
            return [(name, [name]) for name in names]
        return [(name, [one for one in members if one in names]) for name, members in decl.teams]

    # Which declarations there are.

    def apply(self, file):
        """Takes the declarations of a file after those of its bases and modules."""
        if file.done:
            return
        file.done = True
        for base in file.bases:
            self.apply(base)
        for module, _ in file.uses:
            self.apply(module)
        for decl in file.decls:
            decl.file = file
            if decl.kind == "test":
                if file is self.main:
                    self.tests.append(decl)
            elif decl.kind in ("remove", "set") and file.sort == "game":
                raise ScriptError("E0207", decl.line)
            elif decl.kind == "bound":
                refuse_if(decl.name not in BOUNDS, "E0641", decl)
                self.bounds[decl.name] = max(self.bounds.get(decl.name, 0),
                                             self.constant(decl.value))
            elif decl.kind == "remove" and decl.name not in ("view", "show"):
                self.remove(file, decl)
            elif decl.change:
                self.change(file, decl)
            elif decl.kind == "show":
                self.shown |= {name: file for (_, name), _ in decl.shown}
            elif decl.kind == "hide":
                refuse_if(not {*decl.names} <= {*self.shown}, "E0241", decl)
                self.shown = {n: f for n, f in self.shown.items() if n not in decl.names}
            elif decl.kind not in ("use", "set", "info", "extern", "view", "when", "remove"):
                self.declare(file, decl)

    def declare(self, file, decl):
        key = key_of(decl)
        slots = self.game_slots if key[0] == "global" else file.slots
        if key in slots:
            own = slots[key].file is file
            raise ScriptError("E0502" if key[0] == "global" and own else "E0305" if own else
                              "E0216", decl.line)
        refuse_if(any(key in base.slots for base in file.all_bases()), "E0216", decl)
        slots[key] = Slot(decl, file)

    def below(self, file, key, line=0):
        """What `override` of this key changes in a file."""
        if key[0] == "global":
            return self.game_slots.get(key)
        more = [base for base in self.main.all_bases() if base.done and file.sort == "library"]
        return last_of([*more, *file.all_bases()], key) or \
            self.in_modules(file, key, line, "E0225")

    def change(self, file, decl):
        key = key_of(decl)
        slot = self.below(file, key, decl.line)
        if slot is None or slot.decl.kind != decl.kind:
            if decl.change == "extend" and decl.kind == "phase" and decl.name != "turn":
                self.declare(file, decl)
                return
            raise ScriptError("E0214" if decl.change == "override" else "E0221", decl.line)
        refuse_if(decl.change == "extend" and decl.kind not in EXTENDED, "E0222", decl)
        self.check_change(decl, slot.decl)
        self.conflicts.discard(slot)
        before = slot.decl
        foreign = before.file is not slot.file and before.file is not file and \
            before.file not in file.all_bases() and before.file.sort == "variant"
        if foreign and decl.change == "override" and not uses_base(decl):
            self.conflicts.add(slot)
        decl.base = before
        if decl.kind == "piece" and decl.letter is None:
            decl.letter = before.letter
        slot.decl = decl

    def check_change(self, decl, before):
        refuse_if(before.deprecated, "E0227", decl)
        refuse_if(decl.change == "override" == before.change and before.file is decl.file, "E0220",
                  decl)
        refuse_if(before.file is self.prelude and decl.kind == "fn" and
                  decl.type.name != before.type.name, "E0519", decl)
        new, old = ([name for name, _ in one.params or ()] for one in (decl, before))
        refuse_if(decl.kind == "moves" and decl.change == "extend" and new and new != old, "E0223",
                  decl)

    def remove(self, file, decl):
        keys = [("global", decl.name)] if decl.name in GLOBAL else \
            [("name", decl.name), *(("call", decl.name, n) for n in range(16))]
        gone = {key: slot for key in keys if (slot := self.below(file, key))}
        refuse_if(not gone, "E0215", decl)
        for key, slot in gone.items():
            del (self.game_slots if key[0] == "global" else slot.file.slots)[key]

    # Which declaration a name means.

    def find(self, file, key, line=0):
        """The slot that a key means in a file, or None."""
        if key[0] == "global":
            return self.game_slots.get(key)
        games = [*self.main.all_bases(), self.main] if file.sort == "library" else []
        return last_of([*file.all_bases(), file], key) or self.in_modules(file, key, line) or \
            last_of(games, key)

    def in_modules(self, file, key, line, code="E0304"):
        users = [file, *file.all_bases()]
        direct = [(module, only) for user in users for module, only in user.uses]
        levels = [[m for m, only in direct if only and key[1] in only],
                  [m for m, only in direct if only is None]]
        seen = {m for m, _ in direct}
        level = [m for m, only in direct if only is None]
        while level:
            level = list(dict.fromkeys(m for user in level for m, only in user.uses
                                       if m not in seen and (only is None or key[1] in only)))
            seen |= set(level)
            levels.append(level)
        for modules in [*levels, [self.prelude]]:
            found = {m.slots[key] for m in modules if key in m.slots}
            refuse_if(len(found) > 1, code, line)
            if found:
                return found.pop()
        return None

    def module(self, file, name):
        """The module that `name.` means in a file."""
        if name == "prelude":
            return self.prelude
        return next((f for f in self.files.values()
                     if f.sort == "library" and f.tree.title == name), None)

    def slots(self, kind):
        """All declarations of a kind: those of modules first, then by files."""
        games = [*self.main.all_bases(), self.main]
        files = [file for file in self.files.values() if file.done and file not in games]
        files.sort(key=lambda file: file.sort != "library")
        return [slot for file in [*files, *games] for slot in file.slots.values()
                if slot.decl.kind == kind]


def last_of(files, key):
    """The declaration of a key in the last of the files that has one."""
    return next((file.slots[key] for file in reversed(files) if key in file.slots), None)


def sort_of(text):
    """'game', 'variant' or 'library'; None if a text is no script."""
    header = HEADER.match(text)
    return header and header[1]


def declared(decls):
    """The names that declarations declare, those under conditions included."""
    for decl in decls:
        if decl.kind == "when":
            yield from declared([*decl.branches[0], *decl.branches[1]])
        else:
            yield decl.name


def uses_base(tree):
    """True if `base` occurs in a tree."""
    return holds(tree, lambda node: node.kind == "base" or node.sort == "base" or
                 node.kind in ("name", "callx", "generator") and node.name == "base")


def reader(files, library):
    """Reads bases and modules among given texts, then in folders."""
    def read(name, kind, beside):
        place = name if kind == "base" else f"{name}.game"
        if place in files:
            return place, files[place]
        near = [Path(beside).parent] if beside and beside not in files else []
        for path in [folder / place for folder in [*near, *library]]:
            text = path.read_text(encoding="utf-8") if path.is_file() else None
            if text is not None and (kind == "base" or sort_of(text) == "library"):
                return str(path.resolve()), text
        return None, None
    return read
