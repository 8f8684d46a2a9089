# The regions of a profile with most time, by `ompp report --format=json prog.4-0.ompp | python3 profile.py`.
import json, sys

p = json.load(sys.stdin)
regions, flat = p["regions"], p["flat"]
time_ns = [0] * len(regions["id"])
for region, exec_ns in zip(flat["region"], flat["exec_ns"]):
    time_ns[region] += int(exec_ns)  # beyond 2^53 a number is a text, and what was not measured is None
for i in sorted(range(len(time_ns)), key=lambda i: -time_ns[i]):
    print("%12.6f s  %s %s:%s" % (time_ns[i] / 1e9, regions["construct"][i], regions["file"][i], regions["begin_line"][i]))

# Each table is a data frame of pandas: pandas.DataFrame(p["flat"]).groupby("region").exec_ns.sum()
