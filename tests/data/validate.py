#!/usr/bin/env python3
"""Prints what is wrong with answers of Ferz.

    validate.py SCHEMA < ANSWERS

ANSWERS is a JSON array of [name, answer]. Each answer must follow the schema; without a member that
the schema demands, or with one more, it must not."""
import json
import sys

import jsonschema


def changed(answer, required):
    """The answer without each of its members, and with another one."""
    for member in required:
        yield f"without {member}", {name: answer[name] for name in answer if name != member}
    yield "with another member", {**answer, "another member": 1}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema)
    for name, answer in json.load(sys.stdin):
        for error in judge.iter_errors(answer):
            print(f"{name}: {error.json_path}: {error.message[:300]}")
        if isinstance(answer, dict):
            for how, other in changed(answer, schema["required"]):
                if judge.is_valid(other):
                    print(f"{name}: the schema takes the answer {how}")


main()
