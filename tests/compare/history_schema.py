"""Checks histories in JSON by their schema, with what knows nothing of kinst, and that the schema is no rubber stamp.

Usage: history_schema.py SCHEMA FILE.json...
"""
import copy
import json
import sys

import jsonschema

import schema_members

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

seen = set()
for name in sys.argv[2:]:
    data = json.load(open(name, encoding="utf-8"))
    for error in validator.iter_errors(data):
        sys.exit("%s: %s: %s" % (name, list(error.absolute_path), error.message[:200]))
    seen.update(schema_members.check(validator, data, lambda what: sys.exit("%s: %s" % (name, what))))
    wrong = copy.deepcopy(data)
    wrong["series"][0]["course"] = "perhaps"
    if validator.is_valid(wrong):
        sys.exit("%s: the schema takes a word that there is not" % name)
if not {"versions", "commit", "median_ns", "drift_from", "version_index", "ratio_to"} <= seen:
    sys.exit("members that were not looked at: %s" % sorted(seen))
