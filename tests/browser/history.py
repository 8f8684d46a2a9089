"""history: see history.sh.  Usage: history.py HISTORY.html HISTORY.json ONE.html NEW.html STRANGE.html"""

import json
import re
import sys

from browser import Browser, column, quiet

history, path, one, new, strange = sys.argv[1:]
d = json.load(open(path))
RUNS = [version["runs"] for version in d["versions"]]
PICTURES = """return [...document.querySelectorAll('#courses .course')].map(e => ({ name: e.querySelector('h3').textContent, said: e.querySelector('p').textContent,
    runs: e.querySelector('path.run').getAttribute('d'), line: e.querySelector('.part path').getAttribute('d'),
    medians: [...e.querySelectorAll('.part circle')].map(c => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy')), c.dataset.tip]),
    bands: [...e.querySelectorAll('.between')].map(r => [Number(r.getAttribute('x')), Number(r.getAttribute('width')), r.getBoundingClientRect().height, r.style.fill, r.dataset.tip]) }))"""


def near(a, b):
    return abs(a - b) < 0.11  # places have one digit behind the point


with Browser() as b:
    b.open(history)
    quiet(b, "history")
    assert RUNS == [5] * 8 and [v["name"] for v in d["versions"]] == ["v%d" % i for i in range(1, 9)]
    # Two loops and their regions changed, the program with them or not: the findings of the page are those of JSON.
    changed = [s for s in d["series"] if s["changes"]]
    assert any(s["name"].startswith("LOOP") and 1.2 < s["changes"][0]["ratio"] < 1.3 for s in changed), changed
    assert any(s["name"].startswith("LOOP") and 0.45 < s["changes"][0]["ratio"] < 0.55 for s in changed), changed
    findings = b.script("return [...document.querySelectorAll('#summary .finding')].map(e => [e.classList.contains('less'), e.innerText])")
    assert len(findings) == sum(len(s["changes"]) for s in changed), findings
    for (is_less, text), (s, c) in zip(findings, [(s, c) for s in changed for c in s["changes"]]):
        ratio = 100 * (c["ratio"] - 1)
        assert s["name"] in text and is_less == (ratio < 0) and "%.1f %%" % abs(ratio) in text, (text, s["name"], ratio)
        assert "at version %d" % (c["version_index"] + 1) in text and "v%d" % (c["version_index"] + 1) in text, text
    assert b.script("return document.querySelector('.findings').getBoundingClientRect().top < innerHeight")

    # Places of pictures: the same distance from version to version; upwards by the time, which two points tell.
    drawn = b.script(PICTURES)
    assert [p["name"] for p in drawn] == [s["name"] for s in d["series"][:12]], [p["name"] for p in drawn]
    for picture, s in zip(drawn, d["series"]):
        dots, medians = picture["medians"], s["median_ns"]
        assert len(dots) == len(medians) == picture["line"].count("L") + 1, s["name"]
        assert all(near(dots[i][0], dots[0][0] + (dots[7][0] - dots[0][0]) * i / 7) for i in range(8)), dots
        runs = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", picture["runs"])]
        assert len(runs) == len(s["run_ns"]) == 40, s["name"]
        top, bottom = s["run_ns"].index(max(s["run_ns"])), s["run_ns"].index(min(s["run_ns"]))
        scale = (runs[bottom][1] - runs[top][1]) / (s["run_ns"][top] - s["run_ns"][bottom])
        assert scale > 0
        for i, ((x, y), ns) in enumerate(zip(runs, s["run_ns"])):
            assert near(x, dots[i // 5][0]) and near(y, runs[top][1] + scale * (s["run_ns"][top] - ns)), (s["name"], i)
        for (x, y, tip), ns, version in zip(dots, medians, d["versions"]):
            assert near(y, runs[top][1] + scale * (s["run_ns"][top] - ns)) and version["name"] in tip and "of 5 runs" in tip, (s["name"], tip)
        # a change of less than a twentieth is not drawn larger than it is
        assert (runs[bottom][1] - runs[top][1]) * max(s["run_ns"]) <= 176 / 1.1 * 20 * (max(s["run_ns"]) - min(s["run_ns"])) * 1.001
        assert len(picture["bands"]) == len(s["changes"]), picture["bands"]
        for (x, width, height, fill, tip), c in zip(picture["bands"], s["changes"]):
            assert near(x, dots[c["version_index_from"] - 1][0]) and near(x + width, dots[c["version_index_to"]][0]), (x, width, c)
            assert height > 100, height
            assert fill == "var(--%s)" % ("bad" if c["ratio"] > 1 else "good") and "%#.4g %% interval " % (100 * (1 - d["level"])) in tip, (fill, tip)

    # More pictures, one by one and by the table, which has all.
    table = column(b, "#regions", 0)
    assert len(table) == len(d["series"]) + sum(max(0, len(s["changes"]) - 1) for s in d["series"]), len(table)
    b.click("#courses > button")
    assert len(b.script(PICTURES)) == 24
    last = d["series"][-1]["name"]
    b.type("#regions input[type=search]", last)
    b.wait(lambda: column(b, "#regions", 0) == [last])
    b.click("#regions tbody tr.row")
    b.wait(lambda: len(b.script(PICTURES)) == len(d["series"]))
    assert not b.find("#courses > button").is_displayed()
    assert column(b, "#versions", 1) == ["v%d" % i for i in range(1, 9)] and column(b, "#versions", 2) == ["c%d" % i for i in range(1, 9)]
    b.script("document.querySelector('#courses .part circle').focus()")
    b.settle()
    assert "version 1, v1: median" in b.text("#tip"), b.text("#tip")
    b.dark(True)
    b.width(400)
    b.wait(lambda: b.script("return document.documentElement.scrollWidth <= 400"))
    b.width(1280)
    b.printed("history.pdf")
    quiet(b, "history")

    b.open(one)
    quiet(b, "one run")
    assert "Too few runs" in b.text("#summary") and all(len(p["medians"]) == 1 for p in b.script(PICTURES))

    # A region that two versions alone have took no time in the others.
    b.open(new)
    quiet(b, "a new region")
    while b.find("#courses > button").is_displayed():
        b.click("#courses > button")
    [target] = [p for p in b.script(PICTURES) if p["name"].startswith("TARGET")]
    heights = [y for _, y, _ in target["medians"]]
    assert len(heights) == 8 and len(set(heights[:6])) == 1 and heights[6] == heights[7] < heights[0] - 100, heights

    b.open(strange)
    quiet(b, "strange names")
    assert not b.all("img") and "</script><img src=x onerror=alert(1)>" in b.text("h1")
    assert any("</script><img" in name for name in column(b, "#regions", 0)) and any("</script><img" in name for name in column(b, "#versions", 1))
