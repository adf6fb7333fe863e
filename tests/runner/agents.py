"""Agents: each one plays a game of every shipped script within a bound of processor time.

`./dev test` plays a sample, `./dev soak agents` all of them."""
import resource
import subprocess

from .common import ROOT, Job, Result

AGENTS = "greedy", "softmax", "flat:10", "mcts:10", "alphabeta:1"
SECONDS = 60            # of the processor, for one game
# Random games take long: playouts are short.
LONG = ("race/chinese-checkers", "race/conspirateurs", "race/halma", "tafl/alea-evangelii",
        "war/castello")
SHORT = {"flat:10": "flat:10:depth=30", "mcts:10": "mcts:10:depth=30"}
SAMPLE = 40             # one script of so many
REFUSALS = "plays only games", "has no", "one player"


def jobs(context):
    scripts = sorted(path for path in context.games.rglob("*.game"))
    if context.soak:
        for path in scripts:
            yield Job(f"agents/soak/{path.relative_to(context.games)}", played, path, AGENTS)
        return
    for number, path in enumerate(scripts[::SAMPLE]):
        yield Job(f"agents/{path.relative_to(context.games)}", played, path,
                  AGENTS[number % len(AGENTS):][:1])


def bound():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def problem(context, path, agent):
    """What is wrong with a game of the agent; None if nothing is, or it does not play this one."""
    done = subprocess.run([*context.ferz, "playout", str(path.relative_to(ROOT)), "-n", "1",
                           "-t", "1", "--agents", agent], cwd=ROOT, env=context.environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          preexec_fn=bound)
    if done.returncode < 0:
        return f"{agent}: not within {SECONDS} s of the processor"
    if done.returncode and not any(refusal in done.stderr for refusal in REFUSALS):
        return f"{agent}: {done.stderr}"
    return None


def played(context, name, path, agents):
    if str(path.relative_to(context.games).with_suffix("")) in LONG:
        agents = [SHORT.get(agent, agent) for agent in agents]
    bad = [found for found in (problem(context, path, agent) for agent in agents) if found]
    return [Result(name, not bad, "\n".join(bad))]
