"""joined: checks the section Roofline of a report (CSV) against other outputs.  Usage:
joined.py none REPORT.csv; rates REPORT.csv PLAIN.json; json REPORT.csv REPORT.json; verdicts REPORT.csv PROPERTIES.txt;
ranks REPORT.csv RANK.csv..."""

import csv
import json
import re
import sys


def below(row, level):
    return sum(int(row["%s below %s (modelled)" % (way, level)]) for way in ("fetched", "written"))


def none(rows):
    """Without a time there is no rate, and no verdict."""
    for row in rows:
        for name in "wall time", "overhead", "Gflop/s", "GB/s", "GB/s below L1 (modelled)", "of roof (%)":
            assert row[name] == "-", (name, row)
        assert row["bound by"] in ("-", "") and row["times of"] == "-", row


def rates(rows, path):
    """Rates are amounts by the wall-clock time of the plain run, and 1 MB a second is the nearest roof of all."""
    plain, wall, n = json.load(open(path)), {}, 0
    for path, region in enumerate(plain["paths"]["region"]):
        if region is not None:
            line = plain["regions"]["begin_line"][region]
            wall[line] = wall.get(line, 0) + plain["paths"]["wall_ns"][path] / 1e9
    for row in rows:
        if row["object"]:
            continue
        n += 1
        seconds = wall[int(row["begin"])]
        assert abs(float(row["wall time"]) - seconds) < 1e-8 and row["times of"] == "p/profile.ompp", row
        for name, amount in ("Gflop/s", int(row["flops"])), ("GB/s", int(row["bytes"])), \
                ("GB/s below L2 (modelled)", below(row, "L2")):
            assert abs(float(row[name]) - amount / seconds / 1e9) < 2e-6, (name, row)
        if not below(row, "L2"):
            continue
        assert row["roof"] == "memory", row
        assert abs(float(row["of roof (%)"]) / (100 * below(row, "L2") / 1e6 / seconds) - 1) < 1e-5, row
    assert n == 14, n


def exported(rows, path):
    """JSON has the same lines, with null for what CSV has not."""
    j = json.load(open(path))["roofline"]
    assert len(rows) == len(j["region"]), len(rows)
    for i, row in enumerate(rows):
        for name, column in ("flops", "flops"), ("intops", "intops"), ("bytes", "bytes"), \
                ("l1_fetched_bytes", "fetched below L1 (modelled)"), ("l2_written_bytes", "written below L2 (modelled)"):
            assert j[name][i] == (None if row[column] == "-" else int(row[column])), (name, row)
        assert (j["object"][i] is None) == (row["object"] == ""), row
        assert j["l3_fetched_bytes"][i] is None, row


def verdicts(rows, path):
    """Of a machine whose memory is so slow all regions are bound by it, or their threads wait, or they are too short."""
    properties = open(path).read()
    for row in rows:
        if row["object"]:
            continue
        if row["bound by"] == "memory bandwidth":
            assert re.search(r"BoundByMemory[^\n]*\n?[^\n]*\(%s-" % row["begin"], properties), (row, properties)
        else:
            assert float(row["overhead"]) > 25 or float(row["wall time"]) < 0.001, row


def table(path):
    with open(path) as report:
        text = re.split("(?m)^##BEG roofline by region\n", report.read())[1].split("\n##END")[0]
    return list(csv.DictReader(text.split("\n")))


def ranks(rows, *paths):
    """Operations of several ranks are the sum of theirs; bytes that were not counted are missing; no roof is near."""
    sums = {}
    for path in paths:
        for row in table(path):
            sums[row["begin"]] = sums.get(row["begin"], 0) + int(row["flops"])
            assert row["bytes"] == row["GB/s"] == "-" and row["Gflop/s"] != "-", row
    assert sums == {row["begin"]: int(row["flops"]) for row in rows}, sums
    for row in rows:
        assert row["roof"] == row["of roof (%)"] == row["bound by"] == row["bytes"] == "-", row


{"none": none, "rates": rates, "json": exported, "verdicts": verdicts, "ranks": ranks}[sys.argv[1]](
    table(sys.argv[2]), *sys.argv[3:])
