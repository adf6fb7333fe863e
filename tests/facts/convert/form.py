"""How a file of facts is written: the converters beside this one share it."""
import json


def written(data):
    """One fact per line, so that a difference between two versions can be read."""
    lines = []
    for key, value in data.items():
        if isinstance(value, list):
            facts = ",\n".join("  " + json.dumps(fact) for fact in value)
            lines.append(f" {json.dumps(key)}: [\n{facts}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def about(fact):
    """What a fact says of itself; each may be missing. `cites` and `rulings` are the same,
    so are `note` and `why`."""
    found = {"id": fact.get("id"), "why": fact.get("why", fact.get("note")),
             "rulings": fact.get("rulings", fact.get("cites"))}
    return {key: value for key, value in found.items() if value}


def on_or_off(value):
    """A switch of the facts (true, "on", "yes") as a value of a Ferz option."""
    return "true" if value in (True, "true", "on", "yes") else "false"


def option_words(given, table):
    """The options of a fact as those of a script. The table has, for each name of the facts, the
    script's name and its names of the values; a switch has None for them, and a number is
    itself."""
    found = {}
    for key, value in (given or {}).items():
        name, values = table[key.lower().replace("-", "_").replace(" ", "_")]
        if values is None:
            found[name] = on_or_off(value)
        elif values == int:
            found[name] = str(value)
        else:
            found[name] = values[str(value).lower().replace("_", "-").replace(" ", "-")]
    return found
