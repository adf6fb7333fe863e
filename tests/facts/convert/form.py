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
