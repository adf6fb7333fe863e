"""What the tests of the module share."""
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
GAMES = ROOT / "games"


def ferz(*words):
    """What the command prints; ferz on the PATH is the one that is tested."""
    return subprocess.run(["ferz", *map(str, words)], capture_output=True, text=True,
                          check=True).stdout


def ferz_data(*words):
    return json.loads(ferz(*words, "--format", "json"))


STONES = """
game "Seven stones";
players First, Second;
board none;
var stones: 0..7;
option Most: 2..4 = 3;
setup { stones = 7; }
turn {
    choose for n in 1..Most if n <= stones "{n}" => stones -= n;
        otherwise lose me;
}
"""
