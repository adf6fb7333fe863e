"""Computes the posterior of laps.game by hand for several wears and errors; prints whether `ferz
reconstruct` agrees. reconstruct.test runs it."""
import json
import math
import subprocess


def log_shares(uses):
    """A line without use counts as half of the least."""
    return [math.log(x or min(y for y in uses if y) / 2) for x in uses]


def weight(laps, wear, error):
    """The sum over both directions of the board; a variance of 1 more where there is no wear."""
    use, total = log_shares([2 * laps - 1, 1]), 0
    for w in (wear, wear[::-1]):
        variances = [error ** 2 + (not x) for x in w]
        residuals = [a - b for a, b in zip(log_shares(w), use)]
        weights = sum(1 / v for v in variances)
        mean = sum(r / v for r, v in zip(residuals, variances)) / weights
        square = sum((r - mean) ** 2 / v for r, v in zip(residuals, variances))
        total += math.exp(-square / 2) / math.sqrt(math.prod(variances) * weights)
    return total


def reconstructed(wear, errors):
    with open("wear", "w", encoding="utf-8") as file:
        file.write("a1-b1 %s\nc1-b1 %s\n" % wear)
    with open("p.study", "w", encoding="utf-8") as file:
        file.write("game tests/cli/laps.game\ngrid Laps=all\nplayouts 20\nwear wear\n"
                   f"error {errors}\n")
    done = subprocess.run("ferz reconstruct p.study --trials 0 -f json", shell=True, check=True,
                          capture_output=True, encoding="utf-8")
    return {row["ruleset"]: row["posterior"] for row in json.loads(done.stdout)["rulesets"]}


for wear in (3, 1), (1, 6), (5, 0):
    for text, errors in ("0.5", [0.5]), ("0.1..0.4", [0.1 * 4 ** (k / 8) for k in range(9)]):
        by_hand = [sum(weight(laps, wear, error) for error in errors) for laps in (1, 2, 3)]
        got = reconstructed(wear, text)
        print(*wear, text, all(abs(got[f"Laps={k + 1}"] - p / sum(by_hand)) < 1e-6
                               for k, p in enumerate(by_hand)))
