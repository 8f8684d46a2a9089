"""bounds: compares the verdicts of a report (CSV) with what the source says of its kernels.  Usage:
bounds.py BOUNDS.c REPORT.csv

Returns 0 where none is wrong, and each kind has been found; 1 where one is wrong; 2 where a kind was not found.  A verdict
that is not given is never wrong: others may have had the machine.
"""

import csv
import re
import sys

# what may stand there: a cache may hold the vectors, and a memory may be so slow that a chain of additions keeps up with it
RIGHT = {"memory": "bandwidth|none", "latency": "latency|none|memory bandwidth", "division": "division|none",
         "operations": "operations|none", "vectors": "vector operations|none"}
FOUND = {"memory": "bandwidth", "latency": "latency", "division": "division", "vectors": "vector operations"}

source = open(sys.argv[1]).read().split("\n")
table = re.split("(?m)^##BEG roofline by region\n", open(sys.argv[2]).read())[1].split("\n##END")[0]
found, n = set(), 0
for row in csv.DictReader(table.split("\n")):
    if row["object"]:
        continue
    n += 1
    kind, verdict = re.search(r"/\* (\w+) \*/", source[int(row["begin"]) - 1])[1], row["bound by"]
    print(row["begin"], kind, verdict, row["of roof (%)"])
    assert verdict == "-" or re.fullmatch("(.* )?(" + RIGHT[kind] + ")", verdict), row
    if kind in FOUND and verdict.endswith(FOUND[kind]):
        found.add(kind)
assert n == 20, n
sys.exit(0 if found == FOUND.keys() else 2)
