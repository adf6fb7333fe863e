"""Changes an archive as SQL says, and gives each row the checksum that it then has.

    python3 tests/cli/edit_archive.py ARCHIVE SQL"""
import sqlite3
import sys

ROWS = {"source": "program, number, path, text",
        "run": "run, experiment, first, count, records, command, started, ended",
        "ending": "run, ending, kind, place",
        "game": "run, game, decisions, turns, moves, ending, ranks, against, payoffs, record",
        "use": "run, game, use"}


def number(value):
    return (value % 2**64).to_bytes(8, "little")


def checksum(*values):
    """As docs/archive.md describes it."""
    text = b""
    for value in values:
        if isinstance(value, str):
            data = value.encode()
            text += b"t" + number(len(data)) + data
        else:
            text += b"n" if value is None else b"i" + number(value)
    result = 0xcbf29ce484222325
    for byte in text:
        result = (result ^ byte) * 0x100000001b3 % 2**64
    return result - 2**64 if result >> 63 else result


database = sqlite3.connect(sys.argv[1])
database.execute(sys.argv[2])
database.create_function("checksum", -1, checksum)
for table, columns in ROWS.items():
    database.execute(f"UPDATE {table} SET checksum = checksum({columns})")
database.commit()
