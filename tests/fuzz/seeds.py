"""What the fuzz targets begin with, taken from the games and tests of the project.

    tests/fuzz/seeds.py FERZ FOLDER

writes FOLDER/TARGET/* for every target, and FOLDER/TARGET.dict, a dictionary for libFuzzer, for
those that read texts: words and signs that several seeds have.
"""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# As in common.c, the small ones: the first byte of a text's input says which game it is for.
GAMES = ["games/chess/microchess", "games/shogi/dobutsu", "games/sow/awari", "games/classic/achi",
         "games/cards/kuhn", "games/hidden/phantom-tic-tac-toe", "tests/language/stacks",
         "tests/language/die_faces"]
FIRST = ord("6")
TARGETS = ["script", "compiled", "damage", "move", "position", "fen", "record", "learned", "import"]
LARGEST = 40000         # larger seeds slow libFuzzer down more than they help


def ferz(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=120, check=False)
    return done.stdout if done.returncode == 0 else b""


def put(folder, name, data):
    if data and len(data) <= LARGEST:
        (folder / name).write_bytes(data)


def scripts():
    for part in ("games", "stdlib", "tests/language", "tests/errors"):
        yield from sorted((ROOT / part).glob("**/*.game"))


def texts(program, folder):
    """Moves, positions, FEN and records of each game, some moves into it."""
    for number, name in enumerate(GAMES):
        path, head = ROOT / f"{name}.game", b"%c0" % (FIRST + number)
        record = folder / "record.tmp"
        ferz(program, "playout", "-n1", "-s", number + 1, "--record", record, path)
        if not record.exists():
            continue
        lines = record.read_bytes().split(b"\n")
        record.unlink()
        put(folder / "record", f"{number}", head + b"\n".join(lines[:16]))
        entries = [re.sub(rb"^ *(\d+\. )?", b"", line).decode()
                   for line in lines if line.startswith(b" ")]
        for plies in (0, 1, 6, 20):
            played = ["--play", ", ".join(entries[:plies])] if plies else []
            place = folder / "position" / f"{number}-{plies}"
            ferz(program, "show", *played, "--history", "--output", place, path)
            if place.exists():
                place.write_bytes(head + place.read_bytes())
            shown = ferz(program, "show", *played, "--format", "json", path)
            fen = re.search(rb'"fen": *"([^"]*)"', shown)
            put(folder / "fen", f"{number}-{plies}", fen and head + fen[1])
            for move in ferz(program, "moves", *played, path).split(b"\n")[:3]:
                name = re.sub(rb"[^a-z0-9]", b"_", move).decode()
                put(folder / "move", f"{number}-{plies}-{name}",
                    b"%c%c" % (FIRST + number, ord("0") + plies % 16) + move)


def learned(program, folder):
    """Files of `ferz learn`, without most of their long lists; games that cannot be learned have
    none."""
    for number, name in enumerate(GAMES):
        path = folder / "learned.tmp"
        ferz(program, "learn", "-n3", "--output", path, ROOT / f"{name}.game")
        if path.exists():
            file = {key: value[:12] if key in ("weights", "sets") else value
                    for key, value in json.loads(path.read_text()).items()
                    if key not in ("checksum", "program", "game", "options", "ferz")}
            path.unlink()
            put(folder / "learned", f"{number}",
                b"%c0" % (FIRST + number) + json.dumps(file, separators=(",", ":")).encode())


def variants(folder):
    """A variant that states each key once, one for each built-in variant, games of Ludii."""
    room = ROOT / "grammar/import"
    for path in sorted((ROOT / "tests/import").glob("*.lud")):
        put(folder, path.stem, path.read_bytes())
    forms = re.findall(r'FORM\(BOOL, "(.*)", "', (room / "lud_forms.def").read_text())
    put(folder, "forms", b'(game "Forms" (players 2) (equipment {(board (square 3))}) (rules (play '
        b'(move Pass)) (end {' + "".join(f"(if {form} (result Mover Win))" for form in forms)
        .replace('\\"', '"').encode() + b"})))")
    for name, base, keys in re.findall(r'VARIANT\("([^"]*)", "([^"]*)", "([^"]*)"\)',
                                       (room / "fairy_builtin.def").read_text()):
        text = f"[{name}2:{base or name}]\n" + keys.replace("\\n", "\n")
        put(folder, name, text.encode())
    rows = re.findall(r'KEY\((\w+), \w+, \w+, \w+, "?(.*?)"?, \w+\)',
                      (room / "fairy_keys.def").read_text())
    put(folder, "keys", ("[keys:chess]\n" + "".join(f"{key} = {'-' if value == 'NULL' else value}\n"
                                                    for key, value in rows)).encode())


def dictionary(folder, target):
    words = {}
    for path in (folder / target).iterdir():
        for word in set(re.findall(rb"[A-Za-z_]{2,16}|[-+*/<>=!&|.:]{2,3}", path.read_bytes())):
            words[word] = words.get(word, 0) + 1
    least = 4 if target == "script" else 2
    (folder / f"{target}.dict").write_bytes(
        b"".join(b'"%s"\n' % word for word, count in sorted(words.items()) if count >= least))


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    for target in TARGETS:
        (folder / target).mkdir(parents=True)
    for path in scripts():
        name = "-".join(path.relative_to(ROOT).with_suffix("").parts)
        if "errors-e08" not in name:    # the limits: slow on purpose
            put(folder / "script", name, path.read_bytes())
        if "errors" not in name:
            compiled = folder / "compiled" / name
            ferz(program, "compile", "--output", compiled, path)
            if compiled.exists() and compiled.stat().st_size > LARGEST:
                compiled.unlink()
    for number in range(23):        # damage.c: a small game, and a change of each sort
        for how in range(16):
            changes = [bytes([where, how, 7 * how, 0, how, 0, 0, 0])
                       for where in (0, 130 + number)]
            game = (16 * number + 1).to_bytes(2, "little")
            put(folder / "damage", f"{number}-{how}", game + b"".join(changes))
    texts(program, folder)
    learned(program, folder)
    variants(folder / "import")
    for target in ("script", "position", "fen", "record", "learned", "import"):
        dictionary(folder, target)


main()
