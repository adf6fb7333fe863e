"""A linear policy learns Connect Four from games against an agent, in some seconds.

    PYTHONPATH=build/python python3 interp/python/examples/against_agents.py

The agent plays inside the batch, on all threads: the program sees only the positions in which its
policy has to choose. The policy gives each column a weight for each piece on the board, and learns
with REINFORCE (Williams 1992). At the end it plays against the same agent with other seeds."""
import pathlib

import ferz
import numpy as np

GAMES = pathlib.Path(__file__).resolve().parents[3] / "games"
game = ferz.load(GAMES / "classic/connect-four.game")
random = np.random.default_rng(1)
ME, OPPONENT = 0, "random"


def inputs(batch):
    """A row for each game: the player's pieces, the opponent's, and 1."""
    pieces = batch.observe(ME).pieces                # game, owner, kind, site
    return np.concatenate([pieces[:, 0, 0], pieces[:, 1, 0], np.ones((len(batch), 1))], axis=1)


def play(weights, count, seed):
    """Plays games to their ends. What was seen, how likely each action was, the action, and which
    games were not over, at each turn; and the reward of each game."""
    batch = game.batch(count, seed=seed, threads=2, agents=[None, OPPONENT], reset=False)
    turns, rewards = [], np.zeros(count)
    while (batch.decider == ME).any():
        seen, mask = inputs(batch), batch.mask()
        score = np.where(mask, np.exp(np.clip(seen @ weights, -20, 20)), 0)
        sums = score.cumsum(axis=1)
        action = (random.random((count, 1)) * sums[:, -1:] >= sums).sum(axis=1)
        going = batch.decider == ME
        turns.append((seen[going], (score / np.maximum(sums[:, -1:], 1e-300))[going],
                      action[going], going))
        rewards += batch.step(np.where(going, action, ferz.LEAVE)).rewards[:, ME]
    return turns, rewards


def learn(weights, turns, rewards, rate):
    """Makes the moves of games that went better than the mean more likely, those of others less."""
    for seen, chance, action, going in turns:
        change = -chance
        change[np.arange(len(action)), action] += 1
        gain = (rewards - rewards.mean())[going]
        weights += rate / len(rewards) * seen.T @ (gain[:, None] * change)


weights = np.zeros((2 * len(game.sites) + 1, game.actions))
before = play(weights, 2000, seed=1)[1].mean()
for turn in range(150):
    learn(weights, *play(weights, 200, seed=turn + 2), rate=1.0)
after = play(weights, 2000, seed=1)[1].mean()
print(f"share of the points against {OPPONENT}: {before:.2f} before, {after:.2f} after")
assert after > before + 0.15
