"""A game of so many lines: many small declarations of every sort, each used by the turn, as a large
script has them.

    long_game.py LINES > long.game
"""
import sys

HEAD = """game "Long";
players A, B;
board square(8);
piece Man "M" { move to step(here, orthogonal) & empty; }
var total: int;
setup { put Man of A at rank(1);  put Man of B at rank(8); }
"""
TAIL = """turn {
  choose piece_moves otherwise lose me;
  rest_0();
}
limit 40 turns draw;
"""
BLOCK = """
/// Rule {0}: what stands on every {2} line.
let row_{0}[p: player]: sites = {{A: rank({1}), B: rank({3})}};
let near_{0}[s: site]: sites = step(s, orthogonal) & rank({1});
var count_{0}: int;
enum mark_{0} {{ Low_{0}, Middle_{0}, High_{0} }}
fn marked_{0}(s: site): mark_{0} =
  if s in row_{0}[me] then High_{0} else if s in near_{0}[s] then Middle_{0} else Low_{0};
fn worth_{0}(s: site): int {{
  var found = {2};
  for t in step(s, orthogonal) if marked_{0}(t) == High_{0} found += #near_{0}[t];
  return found;
}}
proc rule_{0}() {{
  for s in mine if worth_{0}(s) > {1} {{
    count_{0} = min(count_{0} + 1, 1000);
    total = (total + count_{0}) % 1000;
  }}
}}
test "rule {0}" {{
  do put Man of A at a{1};
  expect (as A : a{1} in row_{0}[A]) and worth_{0}(a1) >= {2};
}}
"""
STEP = "proc rest_{0}() {{ {1} }}\n"
GROUP = 20                 # rules that one procedure calls


def text(lines):
    parts = [HEAD]
    count = max(1, (lines - HEAD.count("\n") - TAIL.count("\n"))
                * GROUP // (BLOCK.count("\n") * GROUP + 1))
    parts += [BLOCK.format(i, 1 + i % 8, 1 + i % 5, 8 - i % 8) for i in range(count)]
    groups = [range(first, min(first + GROUP, count)) for first in range(0, count, GROUP)]
    for number, group in enumerate(groups):
        calls = [f"if turns % {len(groups)} == {number} {{ "
                 f"{' '.join(f'rule_{i}();' for i in group)} }}"]
        if number + 1 < len(groups):
            calls.append(f"rest_{number + 1}();")
        parts.append(STEP.format(number, "  ".join(calls)))
    parts.append(TAIL)
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(text(int(sys.argv[1])))
