"""roofline: see roofline.sh.  Usage: roofline.py WITH_TIMES.html WITH_TIMES.csv WITHOUT_TIMES.html"""

import csv
import math
import re
import sys

from browser import Browser, quiet

with_times, path, without = sys.argv[1:]
table = re.split("(?m)^##BEG roofline by region\n", open(path).read())[1].split("\n##END")[0]
rows = [row for row in csv.DictReader(table.split("\n")) if not row["object"]]
DOTS = "return [...document.querySelectorAll('#roofline .dot')].map(e => ({x: Number(e.getAttribute('cx')), " \
    "y: Number(e.getAttribute('cy')), tip: e.dataset.tip, tag: e.tagName}))"

with Browser() as b:
    b.open(with_times)
    quiet(b, "with times")
    dots = b.script(DOTS)
    drawn = [row for row in rows if int(row["flops"])]
    assert len(rows) == 3 and len(drawn) == len(dots) == 2, dots
    names = b.script("return [...document.querySelectorAll('#roofline .ceiling text')].map(e => e.textContent)")
    assert sorted(names) == ["L1", "L2", "memory", "scalar double", "vector FMA double"], names
    # of the two, the one with three times the operations on as many bytes is further to the right: by logarithms
    places = {row["region"]: next(d for d in dots if d["tip"].startswith(row["region"])) for row in drawn}
    first, second = (places[row["region"]] for row in drawn)
    ticks = b.script("return [...document.querySelectorAll('#roofline .grid')].map(e => Number(e.getAttribute('x1')))")
    decade = sorted(set(ticks))[2] - sorted(set(ticks))[1]
    for a, c, name in ((first["x"], second["x"], "flop/byte below L1 (modelled)"),):
        ratio = float(drawn[1][name]) / float(drawn[0][name])
        assert abs((c - a) / decade - math.log10(ratio)) < 0.01, (a, c, decade, ratio)
    assert (first["y"] > second["y"]) == (float(drawn[0]["Gflop/s"]) < float(drawn[1]["Gflop/s"])), places
    assert "bound by: " + drawn[0]["bound by"] in first["tip"] and "exact" in first["tip"], first
    # bytes of the program instead
    b.script("const s = document.getElementById('roofline-level'); s.value = '0'; s.dispatchEvent(new Event('change'))")
    assert b.script(DOTS)[0]["x"] != dots[0]["x"]
    # a click chooses the region
    b.script("document.querySelector('#roofline .dot').dispatchEvent(new Event('click'))")
    assert re.match(r"Threads in R0000[23]", b.text("#threads h3")), b.text("#threads h3")
    b.type("#filter-region", "R00002")
    assert len(b.script(DOTS)) == 1
    b.open(without)
    quiet(b, "without times")
    assert [d["tag"] for d in b.script(DOTS)] == ["line", "line"]
    assert "dashed line" in b.text("#roofline p")
