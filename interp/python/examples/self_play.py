"""A linear policy learns Connect Four from games against itself, in some seconds.

    PYTHONPATH=build/python python3 interp/python/examples/self_play.py

The policy sees the game in the player's own view: its own and the other's pieces. It gives
each column a weight. After each round of games it makes the moves of those who did better than
others in their seat more likely, and the others less (REINFORCE, Williams 1992). At the end it
plays against random moves."""
import pathlib

import ferz
import numpy as np

GAMES = pathlib.Path(__file__).resolve().parents[3] / "games"
game = ferz.load(GAMES / "classic/connect-four.game")
random = np.random.default_rng(1)


def inputs(batch):
    """A row for each game: the pieces of the player who decides, those of the other, and 1."""
    pieces = batch.observe().pieces                 # game, owner, kind, site
    return np.concatenate([pieces[:, 0, 0], pieces[:, 1, 0], np.ones((len(batch), 1))], axis=1)


def chances(weights, seen, mask):
    """How likely each action is: softmax over the legal ones, 0 where there are none."""
    score = np.where(mask, np.exp(np.clip(seen @ weights, -20, 20)), 0)
    return score / np.maximum(score.sum(axis=1, keepdims=True), 1e-300)


def drawn(chance):
    """An action for each game; -1 for games that are over."""
    sums = chance.cumsum(axis=1)
    action = (random.random((len(chance), 1)) * sums[:, -1:] >= sums).sum(axis=1)
    return np.where(sums[:, -1] > 0, action, -1)


def learn(weights, count, seed, rate):
    """Plays games of the policy with itself to their ends, then changes the weights."""
    batch = game.batch(count, seed=seed, reset=False, own=True)
    turns, rewards = [], np.zeros((count, 2))
    while (batch.decider >= 0).any():
        seen, decider = inputs(batch), batch.decider
        chance = chances(weights, seen, batch.mask())
        action = drawn(chance)
        turns.append((seen, chance, action, decider))
        rewards += batch.step(action).rewards
    for seen, chance, action, decider in turns:
        live = np.flatnonzero(decider >= 0)
        change = -chance[live]
        change[np.arange(len(live)), action[live]] += 1
        gain = (rewards - rewards.mean(axis=0))[live, decider[live]]
        weights += rate / count * seen[live].T @ (gain[:, None] * change)


def score(weights, player, count, seed):
    """The share of games that the policy wins as a player against random moves; draws are half."""
    batch = game.batch(count, seed=seed, reset=False, own=True)
    total = np.zeros(2)
    while (batch.decider >= 0).any():
        seen, mask = inputs(batch), batch.mask()
        mine = drawn(chances(weights, seen, mask))
        other = drawn(chances(np.zeros_like(weights), seen, mask))
        total += batch.step(np.where(batch.decider == player, mine, other)).rewards.sum(axis=0)
    return total[player] / count


weights = np.zeros((2 * len(game.sites) + 1, game.actions))
before = [score(weights, player, 1000, seed=1) for player in (0, 1)]
for turn in range(120):
    learn(weights, 128, seed=turn + 2, rate=1.0)
after = [score(weights, player, 1000, seed=1) for player in (0, 1)]
for number, player in enumerate(game.players):
    print(f"{player.name}: {before[number]:.2f} before, {after[number]:.2f} after")
assert after[0] > before[0] + 0.15 and after[1] > before[1] + 0.15
