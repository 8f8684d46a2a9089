"""reuse: see reuse.sh.  Usage: reuse.py WITH.html WITH.csv WITHOUT.html"""

import csv
import math
import re
import sys

from browser import Browser, quiet

with_curves, path, without = sys.argv[1:]
table = re.split("(?m)^##BEG miss ratio by region\n", open(path).read())[1].split("\n##END")[0]
wanted = {}
for row in csv.DictReader(table.split("\n")):
    wanted.setdefault(row["region"], []).append((int(row["cache bytes"]), float(row["misses (%)"])))
CURVES = "return [...document.querySelectorAll('#reuse .part')].map(e => ({tip: e.dataset.tip, " \
    "path: e.querySelector('path').getAttribute('d'), points: [...e.querySelectorAll('circle')]" \
    ".map(c => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy')), c.dataset.tip])}))"

with Browser() as b:
    b.open(with_curves)
    quiet(b, "with curves")
    drawn = {c["tip"].split()[0]: c for c in b.script(CURVES)}
    assert {"R00001", "R00002"} <= drawn.keys() <= wanted.keys(), drawn.keys()
    # places follow from two points of the curve that has most misses: by logarithm to the right, by share upwards
    most = max(drawn, key=lambda r: wanted[r][0][1])
    assert wanted[most][0][1] > 1 > wanted[most][-1][1], wanted
    (x0, y0, _), (x1, y1, _) = drawn[most]["points"][0], drawn[most]["points"][-1]
    (size0, part0), (size1, part1) = wanted[most][0], wanted[most][-1]
    for region, curve in drawn.items():
        assert len(curve["points"]) == len(wanted[region]) == curve["path"].count("H") + 1, region
        for (x, y, tip), (size, part) in zip(curve["points"], wanted[region]):
            assert abs(x - x0 - (x1 - x0) * math.log(size / size0) / math.log(size1 / size0)) < 0.1, (region, size)
            assert abs(y - y0 - (y1 - y0) * (part - part0) / (part1 - part0)) < 0.1, (region, size)
            told = float(re.search(r"([\d.e-]+) % \+- [\d.e-]+ % of its accesses miss", tip)[1])
            assert abs(told - part) <= 1e-3 * part, (tip, part)
    b.script("document.querySelector('#reuse .part').dispatchEvent(new Event('click'))")
    assert re.match(r"Threads in R0000[12]", b.text("#threads h3")), b.text("#threads h3")
    b.type("#filter-region", "R00002")
    assert [c["tip"].split()[0] for c in b.script(CURVES) if "(serial)" not in c["tip"]] == ["R00002"]
    b.open(without)
    quiet(b, "without")
    assert not b.script("return document.querySelectorAll('#reuse').length")
