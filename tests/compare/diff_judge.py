# Counts, over comparisons in JSON, in how many a planted change was not found, and in how many something else was called a change.
# Usage: diff_judge.py planted|same FILE.json…     prints: comparisons, with a planted change not found, and the most comparisons in
# which one table had a false alarm
import json, sys

planted = sys.argv[1] == "planted"
n = missed = 0
false = {}
for path in sys.argv[2:]:
    d = json.load(open(path))
    n += 1
    found, alarms = {}, []
    for row in d["rows"]:
        sure = row["sure"] in ("yes", "exact")
        key = row["group"], row["measure"], row["name_a"]
        is_planted = planted and (
            row["group"] == "program"  # what regions won and lost is its, too
            or "(102-111)" in row["name_a"] or "(104-108)" in row["name_a"]  # loop 5
            or "(164-176)" in row["name_a"] or "(166-173)" in row["name_a"]  # loop 9
            or (row["group"] == "counts" and "CRITICAL" in row["name_a"])
            or (row["group"] == "data" and row["name_a"] == "x"))
        if not is_planted and sure:
            alarms.append(key)
        if is_planted and (row["measure"] == "execT" or row["group"] == "data" or "CRITICAL" in row["name_a"]):
            found[key] = sure and abs(row["relative"] - (1 / 3 if row["group"] == "data" else 1 if row["group"] == "counts" else
                                                         0.25 if "(102-" in row["name_a"] or "(104-" in row["name_a"] else -0.5)) < 0.15
        if not planted or row["group"] == "program":
            continue
        # lines moved by 40, and nothing but its own region was taken for one
        if row["group"] != "data":
            a, b = [int(row[k].split("(")[1].split("-")[0]) for k in ("name_a", "name_b")]
            if b != a + 40:
                alarms.append(("taken for another", row["name_a"], row["name_b"]))
    if planted:
        missed += len(found) != 7 or not all(found.values())
        if [r["name"] for r in d["only_a"]] != ["PARALLEL solve.c (342-351)", "LOOP solve.c (344-348)"] or len(d["only_b"]) != 2:
            alarms.append(("regions of one side",))
    if alarms:
        for group in set(a[0] for a in alarms):
            false[group] = false.get(group, 0) + 1
        print(path, alarms[:3], file=sys.stderr)
print(n, missed, max(false.values(), default=0))
print(false, file=sys.stderr)
