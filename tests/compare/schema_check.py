"""Checks a comparison in JSON by its schema, with what knows nothing of kinst, and that the page has the same data.

Usage: schema_check.py SCHEMA FILE.json FILE.html
"""
import copy
import json
import re
import sys

import jsonschema

import schema_members

schema = json.load(open(sys.argv[1]))
text = open(sys.argv[2], encoding="utf-8").read()
data = json.loads(text)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def check(ok, what):
    if not ok:
        sys.exit("%s: %s" % (sys.argv[2], what))


for error in validator.iter_errors(data):
    check(False, "%s: %s" % (list(error.absolute_path), error.message[:200]))


# The schema is no rubber stamp: it misses each member of each kind of object, and takes no other.
rejected = len(schema_members.check(validator, data, lambda what: check(False, what)))
wrong = copy.deepcopy(data)
(wrong["rows"][0] if "rows" in data else wrong)["sure" if "rows" in data else "limit" if "limit" in data else "by"] = "perhaps"
check(not validator.is_valid(wrong), "the schema takes a word that there is not")
check(rejected > 30, "%d wrong ones" % rejected)

# No byte that could leave the place it is in.
for c in text:
    check(c == "\n" or (c >= " " and c not in "<>&\x7f\u2028\u2029\u202e\ufeff"), "a raw %r" % c)

# The page has the same numbers; its texts alone are cleaned for the eye.
page = open(sys.argv[3], encoding="utf-8").read()
found = re.search(r'<script type="application/json" id="(\w+)">(.*?)</script>', page, re.S)
check(found and found.group(1) == data["format"].replace("ompp-", ""), "the page has no data")


def numbers(value):
    if isinstance(value, dict):
        return {key: numbers(v) for key, v in value.items()}
    if isinstance(value, list):
        return [numbers(v) for v in value]
    return "" if isinstance(value, str) and not value.lstrip("-").isdigit() else value


check(numbers(json.loads(found.group(2))) == numbers(data), "the page has other numbers")
check(page.count("<script") == 3 == page.count("</script"), "script elements")
check("Content-Security-Policy\" content=\"default-src 'none'" in page, "the page may ask for something")
