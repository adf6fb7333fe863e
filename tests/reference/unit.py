"""Files, options and variants (chapter 12 of docs/spec): which declarations a game has, and which
of them a name means in a file."""
import operator
import re
from pathlib import Path

from expressions import COMPARISONS
from syntax import holds, parse, refuse_if

GLOBAL = {"players", "board", "stacks", "teams", "show", "view", "setup", "turn", "end",
          "capture", "limit"}
HEADER = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/|ferz\s+\d+\s*;)*(game|variant|library)\b", re.DOTALL)
BOUNDS = {"instructions", "frames", "moves", "memory", "idle_turns", "decisions", "playout"}
OPERATIONS = COMPARISONS | {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv,
    "%": operator.mod, "..": lambda low, high: range(low, high + 1),
    "in": lambda one, values: one in values, "not in": lambda one, values: one not in values}
EXTENDED = {"piece", "moves", "proc", "phase"}
NOT_KEPT = {"use", "set", "info", "extern", "view", "when"}


class Slot:
    """A declaration that others can replace: its current text, and the file it is from."""
    def __init__(self, decl, file):
        self.decl, self.file = decl, file


class File:
    def __init__(self, path, tree):
        self.path, self.sort, self.title, self.decls = path, tree.sort, tree.title, tree.decls
        self.bases, self.uses, self.slots, self.done = [], [], {}, False    # uses: (file, names)

    def all_bases(self):
        found = []
        for base in self.bases:
            found += [*base.all_bases(), base]
        return list(dict.fromkeys(found))


def key_of(decl):
    if decl.name in GLOBAL and decl.kind not in ("let", "var", "fn", "proc", "moves"):
        return ("global", decl.name)
    if decl.kind in ("fn", "proc"):
        return ("call", decl.name, len(decl.params))
    return ("name", decl.name)


class Unit:
    """All files of a game. `read(name, kind, path)` gives the path and the text of a base or module
    beside a file."""
    def __init__(self, path, text, read, settings=None):
        self.read, self.settings = read, settings or {}
        self.files, self.loading, self.game_slots, self.conflicts = {}, set(), {}, set()
        self.options, self.bounds, self.tests, self.shown = {}, {}, [], {}
        self.prelude = self.load("prelude", "prelude", 0)
        self.main = self.load_text(path, text)
        self.games = [*self.main.all_bases(), self.main]
        self.read_options()
        for file in list(self.files.values()):
            file.decls = self.expanded(file, file.decls)
        self.read_options()
        refuse_if({*self.settings} - {*self.options}, "E0208", 1)
        self.apply(self.prelude)
        self.apply(self.main)
        refuse_if(self.conflicts, "E0218", 1)

    def load(self, name, kind, line, beside=None):
        is_base = kind == "base"
        path, text = self.read(name, kind, beside)
        refuse_if({name, path} & self.loading, "E0205" if is_base else "E0204", line)
        refuse_if(path is None, "E0201" if is_base else "E0202", line)
        if path not in self.files:
            refuse_if(is_base and not sort_of(text), "E0224", line)
            self.load_text(path, text)
        refuse_if(is_base and self.files[path].sort == "library", "E0206", line)
        return self.files[path]

    def load_text(self, path, text):
        self.loading.add(path)
        tree = parse(text)
        file = File(path, tree)
        file.bases = [self.load(base, "base", tree.line, path) for base in tree.bases]
        refuse_if(len({[*base.all_bases(), base][0] for base in file.bases}) > 1, "E0219", tree)
        for decl in file.decls:
            self.add_uses(file, decl)
        self.loading.remove(path)
        self.files[path] = file
        return file

    def add_uses(self, file, decl):
        for name in decl.names if decl.kind == "use" else ():
            module = self.load(name, "module", decl.line, file.path)
            refuse_if(module.sort != "library", "E0203", decl)
            refuse_if({*decl.only} - set(declared(module.decls)), "E0226", decl)
            file.uses.append((module, decl.only))

    def read_options(self):
        """Values of options, by name: a number, a truth value, or the name of a value."""
        self.declared_options = {decl.name: decl for file in self.files.values()
                                 for decl in file.decls if decl.kind == "option"}
        chosen = {decl.name: decl for file in self.games for decl in file.decls
                  if decl.kind == "set"}
        for name, decl in self.declared_options.items():
            source = chosen.get(name, decl)
            self.options[name] = self.option_value(
                decl, self.settings.get(name, source.value),
                1 if name in self.settings else source.line)

    def option_value(self, decl, value, line):
        if decl.values:
            word = value if isinstance(value, str) else value.name
            refuse_if(word not in dict(decl.values), "E0209", line)
            return word
        ranged = decl.type.kind == "range"
        low, high = map(self.constant, (decl.type.low, decl.type.high)) if ranged else (0, 1)
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
            if decl.kind != "when":
                found.append(decl)
                continue
            test = self.constant(decl.test)
            refuse_if(not isinstance(test, bool), "E0211", decl)
            for one in decl.yes if test else decl.no:
                refuse_if(one.kind == "set", "E0213", one)
                before = set(self.files)
                self.add_uses(file, one)
                for new in [self.files[path] for path in set(self.files) - before]:
                    new.decls = self.expanded(new, new.decls)
                found += self.expanded(file, [one])
        return found

    def constant(self, node):
        kind, op = node.kind, node.op
        if kind == "number":
            return node.value
        if kind == "name":
            known = {name for decl in self.declared_options.values() for name, _ in decl.values}
            known |= {"true", "false", *self.options}
            refuse_if(node.name not in known, "E0208", node)
            value = self.options.get(node.name, node.name)
            return value == "true" if value in ("true", "false") else value
        if kind == "set":
            return [*map(self.constant, node.values)]
        if kind == "choice":
            return self.constant(node.yes if self.constant(node.test) else node.no)
        if kind == "callx" and node.name in ("min", "max"):
            return {"min": min, "max": max}[node.name](*map(self.constant, node.args))
        if kind == "unary" and op == "#" and node.value.name in ("player", "team"):
            return len(self.players() if node.value.name == "player" else self.teams())
        if kind == "unary" and op != "#":
            value = self.constant(node.value)
            return not value if op == "not" else -value
        refuse_if(kind != "binary", "E0210", node)
        left = self.constant(node.left)
        if op in ("and", "or") and left == (op == "or"):
            return left
        right = self.constant(node.right)
        refuse_if(op in ("/", "%") and right == 0, "E0217", node)
        refuse_if(op not in ("and", "or", *OPERATIONS), "E0210", node)
        return OPERATIONS[op](left, right) if op in OPERATIONS else right

    def declared(self, name):
        """The last declaration of players or teams, also before declarations are applied."""
        if ("global", name) in self.game_slots:
            return self.game_slots["global", name].decl
        libraries = [file for file in self.files.values() if file.sort == "library"]
        decls = [decl for file in [*libraries, *self.games] for decl in file.decls]
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

    def apply(self, file):
        """Takes the declarations of a file after those of its bases and modules."""
        if file.done:
            return
        file.done = True
        for other in [*file.bases, *(module for module, _ in file.uses)]:
            self.apply(other)
        for decl in file.decls:
            decl.file = file
            refuse_if(decl.kind in ("remove", "set") and file.sort == "game", "E0207", decl)
            refuse_if(decl.kind == "set" and decl.name not in self.options, "E0208", decl)
            if decl.kind == "test":
                self.tests += [decl] if file is self.main else []
            elif decl.kind == "bound":
                refuse_if(decl.name not in BOUNDS, "E0641", decl)
                self.bounds[decl.name] = max(self.bounds.get(decl.name, 0),
                                             self.constant(decl.value))
            elif decl.kind == "remove":
                self.remove(file, decl)
            elif decl.change:
                self.change(file, decl)
            elif decl.kind == "show":
                self.shown |= {name: file for _, name, _ in decl.shown}
            elif decl.kind == "hide":
                refuse_if(not {*decl.names} <= {*self.shown}, "E0241", decl)
                self.shown = {n: f for n, f in self.shown.items() if n not in decl.names}
            elif decl.kind not in NOT_KEPT:
                self.declare(file, decl)

    def declare(self, file, decl):
        key = key_of(decl)
        slots = self.game_slots if key[0] == "global" else file.slots
        own = key in slots and slots[key].file is file
        refuse_if(key in slots, "E0216" if not own else "E0502" if key[0] == "global" else "E0305",
                  decl)
        others = self.files.values() if decl.kind == "option" else file.all_bases()
        refuse_if(any(key in other.slots for other in others), "E0216", decl)
        slots[key] = Slot(decl, file)

    def below(self, file, key, line=0):
        """What `override` of this key changes in a file."""
        if key[0] == "global":
            return self.game_slots.get(key)
        more = [base for base in self.main.all_bases() if base.done and file.sort == "library"]
        return last_of([*more, *file.all_bases()], key) or self.in_modules(file, key, line, "E0225")

    def change(self, file, decl):
        key, extends = key_of(decl), decl.change == "extend"
        slot = self.below(file, key, decl.line)
        if slot is None or slot.decl.kind != decl.kind:
            refuse_if(not extends or decl.kind != "phase" or decl.name == "turn",
                      "E0221" if extends else "E0214", decl)
            self.declare(file, decl)
            return
        refuse_if(extends and decl.kind not in EXTENDED, "E0222", decl)
        before = slot.decl
        new, old = ([name for name, _ in one.params or ()] for one in (decl, before))
        for wrong, code in (
                (before.deprecated, "E0227"),
                (not extends and before.change == "override" and before.file is decl.file, "E0220"),
                (before.file is self.prelude and decl.kind == "fn" and
                 decl.type.name != before.type.name, "E0519"),
                (decl.kind == "moves" and extends and new and new != old, "E0223")):
            refuse_if(wrong, code, decl)
        self.conflicts.discard(slot)
        foreign = before.file not in (slot.file, file, *file.all_bases()) and \
            before.file.sort == "variant"
        if foreign and not extends and not holds(decl, lambda node: node.name == "base"):
            self.conflicts.add(slot)
        decl.base = Slot(before, before.file)
        if decl.kind == "piece" and decl.letter is None:
            decl.letter = before.letter
        slot.decl = decl

    def remove(self, file, decl):
        for name in {*decl.names} - {"view", "show"}:
            keys = [("global", name)] if name in GLOBAL else \
                [("name", name), *(("call", name, n) for n in range(16))]
            gone = {key: slot for key in keys if (slot := self.below(file, key))}
            refuse_if(not gone, "E0215", decl)
            for key, slot in gone.items():
                del (self.game_slots if key[0] == "global" else slot.file.slots)[key]

    def find(self, file, key, line=0):
        if key[0] == "global":
            return self.game_slots.get(key)
        return last_of([*file.all_bases(), file], key) or self.in_modules(file, key, line) or \
            last_of(self.games if file.sort == "library" else [], key)

    def in_modules(self, file, key, line, code="E0304"):
        level = [(module, only) for user in [file, *file.all_bases()] for module, only in user.uses]
        levels = [[module for module, only in level if key[1] in only]]
        seen = set()
        while level:
            found = dict.fromkeys(module for module, only in level if not only)
            levels.append(list(found))
            seen |= {module for module, _ in level}
            level = [(module, ()) for user in found for module, only in user.uses
                     if module not in seen and (not only or key[1] in only)]
        for modules in [*levels, [self.prelude]]:
            found = {module.slots[key] for module in modules if key in module.slots}
            refuse_if(len(found) > 1, code, line)
            if found:
                return found.pop()
        return None

    def module(self, file, name):
        return next((other for other in self.files.values()
                     if other.sort == "library" and other.title == name), None)

    def slots(self, kind):
        files = [file for file in self.files.values() if file.done and file not in self.games]
        return [slot for file in [*files, *self.games] for slot in file.slots.values()
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
        yield from declared([*decl.yes, *decl.no]) if decl.kind == "when" else [decl.name]


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
