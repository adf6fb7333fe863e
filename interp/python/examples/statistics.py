"""What random games of the Royal Game of Ur say: who wins, how long they take, and why they end.

    PYTHONPATH=build/python python3 interp/python/examples/statistics.py

The numbers are those of `ferz playout games/race/ur.game -n 20000`."""
import pathlib

import ferz
import numpy as np

GAMES = pathlib.Path(__file__).resolve().parents[3] / "games"
game = ferz.load(GAMES / "race/ur.game")
games = game.playouts(20_000, seed=1, threads=2)

share = games.utilities.mean(axis=0)
error = games.utilities.std(axis=0) / np.sqrt(len(games))
for player, mean, width in zip(game.players, share, 1.96 * error):
    print(f"{player.name:6} wins {mean:.3f} ± {width:.3f}")
print("length: mean {:.1f}, middle half from {:.0f} to {:.0f} decisions".format(
    games.plies.mean(), *np.percentile(games.plies, [25, 75])))
for ending, count in zip(*np.unique(games.endings, return_counts=True)):
    print(f"ended by {ferz.Ending(ending).name.lower()}: {count}")

counts, edges = np.histogram(games.plies, bins=10)
for count, low, high in zip(counts, edges, edges[1:]):
    print(f"{low:4.0f} to {high:4.0f}  {'#' * int(60 * count / counts.max())}")
assert abs(share.sum() - 1) < 1e-9 and counts.sum() == len(games)
