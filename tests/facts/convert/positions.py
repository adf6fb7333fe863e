#!/usr/bin/env python3
"""Writes tests/facts/VARIANT-positions.json from a table of positions reached by random play:

    convert/positions.py VARIANT TABLE.tsv > tests/facts/VARIANT-positions.json

The table has the columns variant, fen, moves_from_start (long algebraic notation) and perft_1_2_3.
The moves are left out where the script writes moves in another way, and so are the positions in
LEFT_OUT.
"""
import csv
import sys

from form import written

CASTLING = {"e1g1": "O-O", "e8g8": "O-O", "e1c1": "O-O-O", "e8c8": "O-O-O"}
VARIANTS = {
    "chess": {"game": "chess/chess.game", "aliases": CASTLING},
    "shatranj": {"game": "chess/shatranj.game", "letters": {"q": "f", "b": "e"}},
    "breakthrough": {"game": "classic/breakthrough.game"},
    "xiangqi": {"game": "xiangqi/xiangqi.game"},
    "janggi": {"game": "xiangqi/janggi.game"},
    "makruk": {"game": "chess/makruk.game"},
    "shogi": {"game": "shogi/shogi.game"},
    "minishogi": {"game": "shogi/minishogi.game"},
}

OTHER_NOTATION = {"janggi", "makruk", "shogi", "minishogi"}
# The source counts two pawn drops that mate, which the rules forbid.
LEFT_OUT = {"1+Rsk1/b4/g1+b1S/4p/1KR2[Gp] b - - 0 20"}


def main():
    variant, table = sys.argv[1:]
    with open(table, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["variant"] == variant]
    rows = [row for row in rows if row["fen"] not in LEFT_OUT]
    sys.stdout.write(written({
        **VARIANTS[variant],
        "source": "Fairy-Stockfish c19b5f6",
        "positions": [{"id": f"random-{index}", "fen": row["fen"],
                       "perft": [int(count) for count in row["perft_1_2_3"].split(",")],
                       **({} if variant in OTHER_NOTATION else
                          {"played": row["moves_from_start"].split()})}
                      for index, row in enumerate(rows, 1)],
    }))


if __name__ == "__main__":
    main()
