"""Checks of scripts, and differences of two games."""
import unittest

import ferz
from support import GAMES, STONES

UNEQUAL = GAMES.parent / "tests/cli/unequal.game"


class Checking(unittest.TestCase):
    def test_deep(self):
        found = ferz.check(UNEQUAL, playouts=50, deep=True)
        self.assertEqual(([d.code for d in found.diagnostics], found.playouts, found.failure),
                         (["W0619"], 50, ""))
        self.assertGreater(found.positions, 0)
        deep = [finding for finding in found.findings if finding.deep]
        self.assertTrue(any("mirrored" in finding.message for finding in deep))
        self.assertTrue(any(finding.line and finding.file for finding in deep))
        shown = next(finding for finding in deep if finding.record)
        self.assertTrue(list(ferz.Record(shown.record).states(ferz.load(UNEQUAL))))

    def test_rules_that_never_run(self):
        script = STONES.replace("lose me;", "{ if stones > 9 win me; lose me; }")
        found = ferz.check(text=script, playouts=20)
        rule = next(finding for finding in found.findings if finding.rule)
        self.assertEqual(rule.rule, "win me;")
        self.assertEqual((rule.file, rule.record, rule.deep), ("script.game", None, False))

    def test_mistakes(self):
        found = ferz.check(text=STONES.replace("lose me", "lose mee"), deep=True)
        self.assertEqual([d.severity for d in found.diagnostics], ["error"])
        self.assertEqual((found.findings, found.positions), ([], 0))
        with self.assertRaises(ferz.Error) as caught:
            ferz.check("absent.game")
        self.assertEqual(caught.exception.status, "not-found")
        self.assertRaises(TypeError, ferz.check)
        self.assertRaises(TypeError, ferz.check, text=STONES, playouts="many")
        self.assertRaises(ferz.Error, ferz.check, text=STONES, limits={"foo": 1})


class Comparing(unittest.TestCase):
    def test_the_same(self):
        game = ferz.load(text=STONES)
        found = ferz.compare(game, game, depth=20)
        self.assertEqual((found.reason, found.whole, found.only), (None, True, ([], [])))

    def test_another_option(self):
        found = ferz.compare(ferz.load(text=STONES), ferz.load(text=STONES, options={"Most": 2}))
        self.assertEqual((found.reason, found.plies, found.only, found.shortest),
                         ("the legal moves differ", 0, (["3"], []), True))
        self.assertIn("Seven stones", found.record)

    def test_set_ups_that_fail(self):
        bad = STONES.replace("stones = 7;", "stones = 7; stones = stones * 9;")
        with self.assertRaises(ferz.Error) as caught:
            ferz.compare(ferz.load(text=bad), ferz.load(text=STONES))
        self.assertEqual(caught.exception.status, "runtime")
