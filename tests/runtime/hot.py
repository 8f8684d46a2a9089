"""Compares the samples of a profile with what the program's functions measured themselves.

hot.py PROFILE.json SPENT RULE…: a rule is PLACE:FUNCTION.  PLACE is serial, the number of a thread in the parallel region,
short (the region of that name), lost (most of it may have lost its function, and nothing its place), or never."""
import json
import sys

profile = json.load(open(sys.argv[1]))
spent = {name: int(ns) for name, ns in (line.split() for line in open(sys.argv[2]))}
period = profile["run"]["hot_period_ns"]
rows = [dict(zip(profile["hot_spots"], values)) for values in zip(*profile["hot_spots"].values())]
paths = [dict(zip(profile["paths"], values)) for values in zip(*profile["paths"].values())]
regions = [dict(zip(profile["regions"], values)) for values in zip(*profile["regions"].values())]
labels = profile["threads"]["label"]


def place(row):
    region = paths[row["path"]]["region"]
    if region is None:
        return "serial"
    if regions[region]["name"] == "short":
        return "short"
    return labels[row["thread"]]


failed = False
for rule in sys.argv[3:]:
    where, function = rule.split(":")
    mine = [row for row in rows if row["function"] == function]
    n, ns = sum(row["samples"] for row in mine), sum(row["cpu_ns"] for row in mine)
    if where == "never":
        ok = n == 0
    elif where == "lost":
        lost = [row for row in rows if row["function"] == "(lost)"]
        ns += sum(row["cpu_ns"] for row in lost)
        want = spent["one"] + spent["two"] / 2
        ok = lost and all(place(row) == "serial" for row in lost) and abs(ns - want) < 0.05 * want
        ok = ok and profile["run"]["lost_hot_samples"] == sum(row["samples"] for row in lost)
    else:
        error = ns / max(n, 1) ** 0.5
        # the clock of the program is the kernel's, of which looking at it is some 1 %
        ok = n > 20 and abs(ns - spent[function]) < 4 * error + 0.03 * spent[function]
        there = [row for row in mine if place(row) == where]
        ok = ok and sum(row["samples"] for row in there) >= n - 2 - n // 100
        stated = sum(row["cpu_error_ns"] ** 2 for row in mine) ** 0.5
        ok = ok and abs(stated - error) < 0.02 * error
    if not ok:
        failed = True
        print(f"{rule}: {n} samples, {ns / 1e9:.4f} s, by itself {spent[function] / 1e9:.4f} s,",
              sorted({(place(row), row["samples"]) for row in mine}))
sys.exit(failed)
