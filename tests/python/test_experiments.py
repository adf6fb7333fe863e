"""Measures, reports, shards, archives and studies are those of the command."""
import json
import pathlib
import tempfile
import unittest

import ferz
from support import GAMES, ferz as command, ferz_data

TIC = GAMES / "classic/tic-tac-toe.game"


def rounded(value):
    """The command prints ten digits of a number, and so is what it is compared with."""
    return json.loads(json.dumps(value), parse_float=lambda text: f"{float(text):.10g}")


class Experiments(unittest.TestCase):
    def test_measures_are_those_of_the_command(self):
        game = ferz.load(TIC)
        found = ferz.measure(game, count=50, seed=3, threads=2)
        self.assertEqual(rounded(found),
                         rounded(ferz_data("measure", TIC, "-n", 50, "--seed", 3)))
        with self.assertRaises(ferz.Error) as problem:
            ferz.measure(game, agents="nobody")
        self.assertEqual(problem.exception.status, "usage")

    def test_report(self):
        page = ferz.report(ferz.load(TIC), count=20)
        self.assertIn("<svg", page)
        self.assertIn("20 games, seed 1", page)

    def test_progress_stops_a_run_and_may_fail(self):
        game, calls = ferz.load(TIC), []
        ferz.measure(game, count=10**6, threads=1, progress=lambda *now: calls.append(now) or True)
        self.assertEqual(calls[0][1], 10**6)

        def fail(_done, _total):
            raise KeyError("progress")
        with self.assertRaises(KeyError):
            ferz.measure(game, count=10**6, progress=fail)

    def test_shards(self):
        game = ferz.load(TIC)
        parts = [ferz.shard(game, count=31, seed=5, shard=(k, 3)) for k in (3, 1, 2)]
        joined = ferz.join(parts)
        self.assertEqual(joined["playouts"], 31)
        self.assertEqual(rounded(joined),
                         rounded(ferz_data("playout", TIC, "-n", 31, "--seed", 5)))
        with self.assertRaisesRegex(ferz.Error, "in none of the files"):
            ferz.join(parts[:2])

    def test_archive(self):
        game = ferz.load(TIC)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "games.db")
            with ferz.archive(path) as archive:
                self.assertEqual(archive.play(game, count=20, seed=2, records="all"), 20)
                with self.assertRaisesRegex(ferz.Error, "already has this run"):
                    archive.play(game, count=20, seed=2, records="all")
                self.assertEqual(archive.play(game, count=20, seed=2, records="all", resume=True),
                                 20)
                self.assertEqual([run["games"] for run in archive.runs], [20])
                self.assertEqual(ferz.Record(archive.record(1, 3)).seed, 2)
                with self.assertRaises(ferz.Error):
                    archive.record(1, 21)
            with self.assertRaisesRegex(ferz.Error, "closed"):
                archive.play(game)
            self.assertIn("run", command("export", path))
            with self.assertRaises(ferz.Error):
                ferz.archive(TIC, create=False)

    def test_study(self):
        script = f"study Small\ngame {TIC}\nplayouts 20\nagents random\nagents greedy\n"
        study = ferz.study("small.study", script=script, seed=4)
        self.assertEqual([row["games"] for row in study.results], [20, 20])
        self.assertEqual(study.table("study"), {"study": "Small", "seed": "4", "cells": 2})
        with self.assertRaises(ferz.Error):
            study.table("chairs")
        with self.assertRaisesRegex(ferz.Error, "small.study:1:1: unknown word 'gaem'"):
            ferz.study("small.study", script="gaem x")


if __name__ == "__main__":
    unittest.main()
