"""Facts in the game's own texts: positions, moves, variables, distributions.
The form is told in facts.py."""
import re
from fractions import Fraction

from .common import Failure, Result

# What a position text says that no fact knows.
NEVER_COMPARED = {"turns", "plies", "last", "next", "option"}


# ---- Position texts ------------------------------------------------------------------------------

def parts(text):
    """What a position text says: {"board": rows, "mover": ..., "score[White]": ...},
    elements one by one."""
    found = {"board": []}
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith("//") or not line:
            continue
        if line == "played:":
            break
        head = re.match(r"(mover|turns|plies|out|last|over|next|pieces): *(.*)|(option) |"
                        r"([A-Za-z_]\w*)(\[.*\])? = (.*)", line)
        if not head:
            found["board"].append(" ".join(line.split()))
        elif head[1]:
            found[head[1]] = head[2]
        elif head[4]:
            found.update({head[4] + index: head[6] for index in indexes(head[5] or "")})
    return found


def indexes(text):
    """[White, a1|b1] as [White, a1] and [White, b1]."""
    before, comma, last = text.strip("[]").rpartition(", ")
    return [f"[{before}{comma}{one}]" if text else "" for one in last.split("|")]


def compared(facts, text, over, mover):
    """The parts that a fact is about, as a text. Nobody is to move when the game is over; a fact
    may leave the mover open."""
    ignored = (NEVER_COMPARED | set(facts.data.get("ignore", []))
               | ({"mover", "over"} if over or not mover else set()))
    kept = {key: value for key, value in parts(text).items()
            if key.partition("[")[0] not in ignored}
    return "\n".join(kept.pop("board") + [f"{key} = {kept[key]}" for key in sorted(kept)])


def text_of(state):
    """A state's position text; in the middle of a turn as it stands now."""
    return state["now"] if "\nplayed:" in state["position"] else state["position"]


def described(facts, fact, state=None):
    """What the fact says of a position (text or fen), or what the state is in the same words."""
    over = state["over"] if state else fact.get("result") is not None
    if "text" in fact:
        return compared(facts, text_of(state) if state else fact["text"], over,
                        "mover" in parts(fact["text"]))
    fields = facts.fen(fact["fen"]).split()[:facts.data.get("fen_fields", 2)]
    if over and len(fields) > 1:
        del fields[1]
    if not state:
        return " ".join(fields)
    got = (state["fen"] or "").split()
    if over and len(got) > 1:
        del got[1]
    return " ".join(got[:len(fields)])


# ---- What a position's facts are -----------------------------------------------------------------

def check(facts, name, position, ranks):
    """The results for what a position says besides moves and perft; `ranks` reads a result."""
    words = facts.words(position)
    results = []
    if any(key in position
           for key in ("legal", "includes", "excludes", "count", "score", "values", "after")):
        state = facts.moves(words)
        results += listed(name, position, [move["text"] for move in state["moves"]])
        results += variables(name, position, parts(text_of(state)))
        if "after" in position:
            expected, got = (described(facts, position["after"], of) for of in (None, state))
            results.append(Result(f"{name}: after", expected == got,
                                  f"expected\n{expected}\ngot\n{got}"))
    for number, outcome in enumerate(position.get("outcomes", []), 1):
        results.append(distribution(facts, f"{name}: outcomes {number}", words, outcome, ranks))
    for depth, expected in enumerate(position.get("expected", []), 1):
        got = sequences(facts, words, depth, facts.words({"options": position.get("options", {})}))
        results.append(Result(f"{name}: expected {depth}", got == Fraction(expected),
                              f"expected {expected}\ngot      {got}"))
    return results


def listed(name, position, texts):
    why = f"{position.get('why', '')} {position.get('options', '')}\n"
    if "legal" in position:
        missing, surplus = (sorted(set(a) - set(b))
                            for a, b in ((position["legal"], texts), (texts, position["legal"])))
        yield Result(f"{name}: legal",
                     not missing and not surplus and len(texts) == len(position["legal"]),
                     f"{why}missing: {' '.join(missing)}\n"
                     f"not legal, but listed: {' '.join(surplus)}")
    if "includes" in position:
        missing = sorted(set(position["includes"]) - set(texts))
        yield Result(f"{name}: includes", not missing,
                     f"{why}missing: {' '.join(missing)}\nlegal: {' '.join(texts)}")
    if "excludes" in position:
        surplus = sorted(set(position["excludes"]) & set(texts))
        yield Result(f"{name}: excludes", not surplus,
                     f"{why}not legal, but listed: {' '.join(surplus)}")
    if "count" in position:
        yield Result(f"{name}: count", position["count"] == len(texts),
                     f"{why}expected {position['count']}\ngot      {len(texts)}: {' '.join(texts)}")


def variables(name, position, said):
    """`score` is what the elements of that variable hold, `values` those of any.
    What has its default is unsaid."""
    wanted = {f"score[{key}]": value for key, value in position.get("score", {}).items()}
    wanted.update(position.get("values", {}))
    for key, value in wanted.items():
        good = said[key] == str(value) if key in said else value in (0, None)
        yield Result(f"{name}: {key}", good,
                     f"expected {value}\ngot      {said.get(key, 'its default')}")


# ---- Chance --------------------------------------------------------------------------------------

def distribution(facts, name, words, outcome, ranks):
    """Every end of a move, equal positions merged, with the sum of their probabilities."""
    given = [word for text in outcome.get("given", []) for word in ("--given", text)]
    move = [outcome["move"]] if outcome.get("move") else []
    ends = facts.asked("outcomes", *move, *words, *given)
    with_result = any("result" in item for item in outcome["distribution"])
    patterns = {item["next"] for item in outcome["distribution"] if "next" in item}
    expected, got = {}, {}
    for item in outcome["distribution"]:
        add(expected, described(facts, item) + owed(item.get("next")),
            ranks(item) if with_result else None, item["p"])
    for end in ends:
        if "/" not in end["probability"]:
            raise Failure(f"a probability that is no fraction: {end['probability']}")
        add(got, described(facts, outcome["distribution"][0], end)
            + owed(next_moves(facts, end, patterns)),
            end["result"] and end["result"]["ranks"] if with_result else None, end["probability"])
    differing = [f"expected {expected.get(key, 0)}, got {got.get(key, 0)}:\n{key}"
                 for key in sorted(set(expected) | set(got)) if expected.get(key) != got.get(key)]
    return Result(name, not differing, "\n".join([" ".join(move), *differing]))


def next_moves(facts, end, patterns):
    """In the middle of a turn, the pattern that all moves of this end have; else their texts."""
    if not patterns or "\nplayed:" not in end["position"]:
        return None
    moves = [move["text"] for move in facts.moves(["--position", end["position"]])["moves"]]
    fitting = [pattern for pattern in patterns
               if all(re.fullmatch(pattern, move) for move in moves)]
    return fitting[0] if fitting else " ".join(moves)


def owed(moves):
    return f"\nthe turn goes on with {moves}" if moves else ""


def sequences(facts, words, depth, options):
    """The mean number of sequences of so many decisions, summed over every end of every move."""
    moves = facts.moves(words)["moves"]
    if depth == 1:
        return Fraction(len(moves))
    return sum(Fraction(end["probability"])
               * sequences(facts, ["--position", end["position"], *options], depth - 1, options)
               for move in moves
               for end in facts.asked("outcomes", move["text"], *words))


def add(found, position, result, probability):
    key = position + (f"\nresult {result}" if result else "")
    found[key] = found.get(key, 0) + Fraction(probability)
