# Checks profiles in JSON, with what knows nothing of kinst: the schema by jsonschema, the tables, and the times against CSV.
# Usage: json_check.py SCHEMA PROFILE.json PROFILE.csv
import copy, csv, json, sys

import jsonschema

schema = json.load(open(sys.argv[1]))
text = open(sys.argv[2], encoding="utf-8").read()
profile = json.loads(text)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def check(ok, what):
    if not ok:
        sys.exit("%s: %s" % (sys.argv[2], what))


for error in validator.iter_errors(profile):
    check(False, "%s: %s" % (list(error.absolute_path), error.message[:200]))

# The schema is no rubber stamp: what is not in the format is found.
cell = profile["cells"]
rejected = 0
for member in profile:
    less = {k: v for k, v in profile.items() if k != member}
    check(not validator.is_valid(less), "the schema does not miss " + member)
    rejected += 1
for table, column, value in (("cells", "exec_ns", 1.5), ("cells", "executions", -1), ("cells", "executions", None), ("cells", "path", -1),
                             ("cells", "exec_ns", 2**53), ("cells", "exec_ns", "12"), ("regions", "file", None), ("regions", "is_costly", 1)):
    wrong = copy.deepcopy(profile)
    wrong[table][column][0] = value
    check(not validator.is_valid(wrong), "the schema takes %r as %s.%s" % (value, table, column))
    rejected += 1
wrong = copy.deepcopy(profile)
wrong["units"]["cells"]["exec_ns"]["certainty"] = "guessed"
check(not validator.is_valid(wrong), "the schema takes a certainty that there is not")
check(rejected > 40, "%d wrong profiles" % rejected)

# The tables: columns of one length, references to rows that exist, a unit for each number that has one.
tables = {k: v for k, v in profile.items() if k in profile["units"]}
rows = {}
for name, columns in tables.items():
    lengths = set(len(column) for column in columns.values())
    check(len(lengths) == 1, "%s: columns of lengths %s" % (name, lengths))
    rows[name] = lengths.pop()
    for column in columns:
        if column.endswith("_ns") or column.endswith("_bytes"):
            unit = profile["units"][name].get(column, {}).get("unit")
            check(unit == ("ns" if column.endswith("_ns") else "B"), "%s.%s: unit %s" % (name, column, unit))
of = {"path": "paths", "region": "regions", "thread": "threads", "object": "objects", "cell": "cells", "sample": "samples",
      "toucher": "threads", "touched_at": "paths"}
for name, columns in tables.items():
    for column, target in of.items():
        for i in columns.get(column, ()):
            check(i is None or i < rows[target], "%s.%s: %s of %d" % (name, column, i, rows[target]))
for counter in profile["counters"]:
    check(len(counter["values"]) == rows["cells"] and len(counter["flat_values"]) == rows["flat"], "values of a counter")

# No byte that could leave the place it is in: controls, what ends a script or a line, what changes the direction of writing.
for c in text:
    check(c == "\n" or (c >= " " and c not in "<>&\x7f\u2028\u2029\u202e\ufeff"), "a raw %r" % c)

# The flat profile of CSV has the same times and counts, digit by digit.
seconds, counts, found = {}, {}, 0
flat = tables["flat"]
for region, construct, thread, ns, n in zip(*[flat[c] for c in ("region", "construct", "thread", "exec_ns", "executions")]):
    key = "R%05d" % tables["regions"]["id"][region], construct, tables["threads"]["label"][thread]
    seconds[key] = "%d.%09d" % divmod(int(ns), 10**9)
    counts[key] = str(n)
block = None
for line in csv.reader(open(sys.argv[3], encoding="utf-8", errors="surrogateescape", newline="")):
    if line and line[0].startswith("##BEG R") and line[0].endswith(" flat profile"):
        block, columns = "", None
    elif line and line[0].startswith("##END"):
        block = None
    elif block == "":
        block = tuple(line[:2])
    elif block and columns is None:
        columns = line
    elif block and line[0] != "SUM":
        row = dict(zip(columns, line))
        if row["execT"] == "-":
            continue
        key = block + (row["TID"],)
        check(seconds.get(key) == row["execT"] and counts.get(key) == row["execC"],
              "%s: %s s, %s times, CSV %s s, %s times" % (key, seconds.get(key), counts.get(key), row["execT"], row["execC"]))
        found += 1
check(found == rows["flat"] and found > 0, "%d lines, CSV has %d" % (rows["flat"], found))
