"""call_paths.py JSON: prints "AROUND|REGION|EXECUTIONS" of each region directly below another one, sorted; regions by
their names, else by their constructs, and the whole program by nothing."""
import collections
import json
import sys

profile = json.load(open(sys.argv[1]))
regions, paths, cells = profile["regions"], profile["paths"], profile["cells"]


def name(path):
    region = paths["region"][path]
    return "" if region is None else regions["name"][region] or regions["construct"][region]


count = collections.Counter()
for cell, path in enumerate(cells["path"]):
    if path:
        count[name(paths["parent"][path]), name(path)] += cells["executions"][cell]
print(*sorted("%s|%s|%d" % (*key, n) for key, n in count.items()), sep="\n")
