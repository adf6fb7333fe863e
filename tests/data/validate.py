#!/usr/bin/env python3
"""Prints what is wrong with answers of Ferz.

    validate.py SCHEMA < ANSWERS

ANSWERS is a JSON array of [name, answer]. Each answer must follow the schema; without a member that
the schema demands, or with one more, it must not: each, where it is one of several forms."""
import json
import sys
import warnings
from pathlib import Path

import jsonschema


def changed(answer, required):
    """The answer without each of its members, and with another one."""
    for member in required:
        yield f"without {member}", {name: answer[name] for name in answer if name != member}
    yield "with another member", {**answer, "another member": 1}


def main():
    warnings.simplefilter("ignore")     # newer versions have another way, Debian's only this one
    path = Path(sys.argv[1]).resolve()
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(
        schema, resolver=jsonschema.RefResolver(path.as_uri(), schema))
    for name, answer in json.load(sys.stdin):
        for error in judge.iter_errors(answer):
            print(f"{name}: {error.json_path}: {error.message[:300]}")
        if isinstance(answer, dict):
            for how, other in changed(answer, schema.get("required", answer)):
                if judge.is_valid(other):
                    print(f"{name}: the schema takes the answer {how}")


main()
