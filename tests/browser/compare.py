"""compare: see compare.sh.  Usage: compare.py DIFF.html DIFF.csv ONE.html SAME.html HOSTILE.html SCALING.html SCALING.json TWO.html STRANGE.html SIZES.html SIZES.json TWOSIZES.html WORSE.html"""

import csv
import json
import sys

from browser import Browser, column, quiet

diff, diff_csv, one, same, hostile, scaling, scaling_json, two, strange, sizes, sizes_json, two_sizes, worse = sys.argv[1:]


def number(text):
    return float(text.replace("\u202f", "").rstrip(" %s"))


def tips(b, table, n):
    return b.script("return [...document.querySelectorAll(arguments[0] + ' tbody tr.row')].map(r => r.children[arguments[1]].dataset.tip)",
                    table, n)


def csv_table(path, name):
    lines = open(path, encoding="utf-8").read().split("\n")
    at = lines.index("##BEG " + name) + 1
    return list(csv.DictReader(lines[at:lines.index("##END " + name)]))


def narrow(b, what):
    """On a telephone nothing is wider than the page, but what scrolls by itself."""
    b.width(400)
    b.wait(lambda: b.script("return document.documentElement.scrollWidth <= 400"))
    quiet(b, what + " on a telephone")
    b.width(1280)


with Browser() as b:
    # ---- diff ----
    b.open(diff)
    quiet(b, "diff")
    planted = b.texts("#summary .finding")
    for words in ("PARALLEL solve.c (204-216)", "LOOP solve.c (206-213)", "PARALLEL solve.c (142-151)", "LOOP solve.c (144-148)", "CRITICAL solve.c (63-64)", "x"):
        assert any(words in text for text in planted), (words, planted)
    assert all("solve.c" in text or "PAPI" in text or text.startswith("x") for text in planted), planted
    assert b.script("return document.querySelector('.findings').getBoundingClientRect().top < innerHeight")
    assert "may be chance" in b.text("#summary .tiles")

    # Its numbers are those of CSV, with unit, certainty, interval and test on hover.
    rows = csv_table(diff_csv, "times")
    changed = [row for row in rows if row["sure"] not in ("same", "small") and float(row["change"])]
    assert "%d of %d rows" % (len(changed), len(rows)) in b.text("#times .count").replace("\u202f", ""), b.text("#times .count")
    for shown, a_tip, tip, row in zip(column(b, "#times", 4), tips(b, "#times", 2), tips(b, "#times", 4), changed):
        assert abs(number(shown) - float(row["change"])) <= abs(float(row["change"])) / 1000 + 1e-9, (shown, row)
        assert row["A"] + " s" in a_tip and "measured" in a_tip and "runs: " in a_tip, (a_tip, row)
        assert "95 % confidence interval: " in tip and row["from"].lstrip("-") in tip and "adjusted: Welch's t-test" in tip, (tip, row)
    bars = b.script("return [...document.querySelectorAll('#times .change')].slice(0, 4).map(e => [e.children[0].style.background, e.getAttribute('aria-label')])")
    assert [color for color, _ in bars] == ["var(--good)"] * 2 + ["var(--bad)"] * 2, bars
    assert all("%, from " in label for _, label in bars), bars

    # A click on what changed shows its row; the fields of the page hold for all tables.
    b.click([e for e in b.all("#summary .finding button") if "LOOP solve.c (144-148)" in e.text][0])
    b.wait(lambda: set(column(b, "#times", 0)) == {"LOOP solve.c (144-148)"})
    assert "was" not in column(b, "#times", 0)[0] and "A: LOOP solve.c (104-108)" in tips(b, "#times", 0)[0]
    b.type("#times input[type=search]", " ")
    b.click("#only-sure")
    b.wait(lambda: len(column(b, "#times", 0)) == 4 and set(column(b, "#times", 7)) == {"✓ yes"})
    b.type("#filter-region", "206")
    b.wait(lambda: column(b, "#times", 0) == ["LOOP solve.c (206-213)"] and column(b, "#counts", 0) == [] and column(b, "#counters", 0) == ["LOOP solve.c (206-213)"])
    b.script("const i = document.getElementById('filter-region'); i.value = ''; i.dispatchEvent(new Event('input'))")
    b.click("#only-sure")
    b.click("#with-dull")
    b.wait(lambda: "%d rows" % len(rows) in b.text("#times .count"))
    b.click("#with-dull")

    # Sorting, by the mouse and by keys.
    b.click("#times th:nth-child(6) button")
    b.wait(lambda: b.find("#times th:nth-child(6)").get_attribute("aria-sort") == "descending")
    shares = [number(v) for v in column(b, "#times", 5)]
    assert shares == sorted(shares, reverse=True) and shares[0] > 20, shares[:5]
    b.press("Enter")
    b.wait(lambda: [number(v) for v in column(b, "#times", 5)][:3] == sorted(shares)[:3])
    b.hover("#times tbody tr.row td:nth-child(5)")
    assert "confidence interval" in b.text("#tip")

    # The flame graph of the change: the planted paths alone have its colours; it goes by keys, and its table has the same.
    tree = b.script("return JSON.parse(document.getElementById('diff').textContent).tree")
    sure = {node["name"]: node["b"] - node["a"] for node in tree if node["sure"] == "yes"}
    assert {name: change > 0 for name, change in sure.items()} == {
        "PARALLEL solve.c (142-151)": True, "LOOP solve.c (144-148)": True, "PARALLEL solve.c (204-216)": False, "LOOP solve.c (206-213)": False,
        "PARALLEL solve.c (342-351)": False, "LOOP solve.c (344-348)": False, "PARALLEL solve.c (45-54)": True, "LOOP solve.c (47-51)": True}, sure
    colors = b.script("""
        const style = getComputedStyle(document.documentElement), canvas = document.querySelector('#tree canvas'), c = canvas.getContext('2d');
        const of = (color) => { const d = document.createElement('canvas').getContext('2d'); d.fillStyle = color; d.fillRect(0, 0, 1, 1); return [...d.getImageData(0, 0, 1, 1).data].join(); };
        const names = Object.fromEntries(['bad', 'good', 'unsure'].map((name) => [of(style.getPropertyValue('--' + name).trim()), name]));
        const row = c.getImageData(0, Math.round(canvas.height / 3 + 3), canvas.width, 1).data, seen = new Set();
        for (let x = 0; x < canvas.width; x++) seen.add(names[[...row.slice(4 * x, 4 * x + 4)].join()]);
        return [...seen].filter(Boolean).sort()""")
    assert colors == ["bad", "good", "unsure"], colors
    b.script("const c = document.querySelector('#tree canvas'); c.scrollIntoView(); c.focus()")
    b.press("ArrowDown")
    b.press("ArrowDown")
    b.wait(lambda: "LOOP solve.c" in b.script("return document.querySelector('#tree [role=status]').textContent"))
    said = b.script("return document.querySelector('#tree [role=status]').textContent")
    assert "confidence interval" in said and "mean of the runs" in said and " → " in said, said
    assert b.script("return document.querySelector('#tree tr.chosen td').textContent") in said
    assert len(tree) == int(number(b.text("#tree .count").split()[0])), b.text("#tree .count")
    b.type("#filter-region", "142-151")
    b.wait(lambda: column(b, "#tree", 0) == ["solve", "PARALLEL solve.c (142-151)", "LOOP solve.c (144-148)"])
    b.script("const i = document.getElementById('filter-region'); i.value = ''; i.dispatchEvent(new Event('input'))")

    # Regions of one side; dark and light; paper.
    assert len(column(b, "#only-a", 0)) == 2 == len(column(b, "#only-b", 0))
    light = b.script("return getComputedStyle(document.body).backgroundColor")
    b.click("#theme")
    assert b.script("return getComputedStyle(document.body).backgroundColor") != light
    b.screenshot("diff-dark.png")
    b.dark(True)
    narrow(b, "diff")
    b.printed("diff.pdf")
    quiet(b, "diff")

    b.open(one)
    quiet(b, "one")
    assert set(column(b, "#tree", 4)) == {"unknown"}
    assert "One run of a side cannot tell" in b.text("#summary") and "✓ yes" not in b.text("#times")
    assert "no interval" in tips(b, "#times", 4)[0]
    b.open(same)
    quiet(b, "same")
    assert "Nothing differs." in b.text("#summary")
    b.open(hostile)
    quiet(b, "hostile")
    assert not b.all("img") and any("</script><img src=x onerror=alert(1)>" in text for text in column(b, "#only-a", 0))
    assert not b.script("return /[\\u0000-\\u0008\\u000b-\\u001f\\u202e\\u2028]/.test(document.body.innerText)")
    narrow(b, "hostile")

    # ---- scaling ----
    b.open(scaling)
    quiet(b, "scaling")
    d = json.load(open(scaling_json))
    assert "PARALLEL solve.c (68-78) limits: 0.4" in b.text("#limit"), b.text("#limit")
    assert "%.2f %% ± %.2f %%" % (100 * d["serial_fraction"], 100 * d["serial_fraction_error"]) in b.text("#summary .tiles"), b.text("#summary .tiles")
    assert column(b, "#points", 0)[:4] == ["1", "2", "4", "8"] and column(b, "#points", 0)[4:] == ["16", "32", "any"]
    for shown, point in zip(column(b, "#points", 4), d["points"]):
        assert abs(number(shown) - point["speedup"]) < 0.001 * point["speedup"]
    # Points lie where their numbers are: of the speed-up's plot the higher the greater, with both lines.
    plots = b.script("""return [...document.querySelectorAll('svg.lines')].map(e => ({ law: !!e.querySelector('.law').getAttribute('d'), range: !!e.querySelector('.range').getAttribute('d'),
        dots: [...e.querySelectorAll('.runs circle')].map(c => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy'))]), tips: [...e.querySelectorAll('.runs')].map(c => c.dataset.tip) }))""")
    assert len(plots) == 2 and all(p["law"] and p["range"] and len(p["dots"]) == 4 for p in plots), plots
    assert all(a[0] < c[0] and a[1] > c[1] for a, c in zip(plots[0]["dots"], plots[0]["dots"][1:])), plots[0]
    assert all(a[0] < c[0] and a[1] < c[1] for a, c in zip(plots[1]["dots"], plots[1]["dots"][1:])), plots[1]
    steps = [c[0] - a[0] for a, c in zip(plots[0]["dots"], plots[0]["dots"][1:])]
    assert max(steps) - min(steps) < 0.01, steps
    assert all("standard deviation of 3 runs" in tip and "measured" in tip for tip in plots[0]["tips"]), plots[0]["tips"]
    b.script("document.querySelector('svg.lines .runs').focus()")
    b.settle()
    assert "speed-up 1.000" in b.text("#tip"), b.text("#tip")

    # The overheads of the region that limits, then those of another one.
    assert "PARALLEL solve.c (68-78)" in b.text("#classes-of-part h3")
    lost = b.texts("#classes-of-part .columns span")
    want = [sum(p[c] for c in ("Synch", "Imbal", "Limpar", "Mgmt")) / p["total_ns"] for p in d["parts"][0]["points"]]
    assert [number(text) for text in lost] == [round(100 * share, 2) for share in want], (lost, want)
    heights = b.script("return [...document.querySelectorAll('#classes-of-part .columns i')].map(e => e.getBoundingClientRect().height)")
    assert len(heights) == 3 and heights == sorted(heights) and heights[0] > 20, heights
    b.type("#parts input[type=search]", "37-48")
    b.wait(lambda: column(b, "#parts", 0) == ["PARALLEL solve.c (37-48)"])
    b.click("#parts tbody tr.row")
    b.wait(lambda: "PARALLEL solve.c (37-48)" in b.text("#classes-of-part h3"))
    b.script("const i = document.querySelector('#parts input[type=search]'); i.value = ''; i.dispatchEvent(new Event('input'))")
    b.click("#parts th:nth-child(2) button")
    b.wait(lambda: b.find("#parts th:nth-child(2)").get_attribute("aria-sort") == "descending")
    assert column(b, "#parts", 0)[:2] == ["PARALLEL solve.c (68-78)", "the serial part"]
    b.script("document.querySelector('#parts .scroll').focus()")
    b.press("ArrowDown")
    b.type("#overheads input[type=search]", "68-78")
    b.wait(lambda: column(b, "#overheads", 1) == ["1", "2", "4", "8"])
    assert number(column(b, "#overheads", 5)[2]) == 75, column(b, "#overheads", 5)
    b.dark(True)
    narrow(b, "scaling")
    b.printed("scaling.pdf")
    quiet(b, "scaling")

    b.open(two)
    quiet(b, "two runs")
    assert "which may be chance" in b.text("#limit") and "2 threads, which count as ideal" in b.script("return document.querySelector('#summary .tile').dataset.tip")
    b.open(strange)
    quiet(b, "strange names")
    assert not b.all("img") and "</script><img src=x onerror=alert(1)>" in b.text("h1") and "</script><img" in column(b, "#parts", 0)[0]
    narrow(b, "strange names")

    # ---- scaling by the size of the problem ----
    b.open(sizes)
    quiet(b, "scaling by size")
    d = json.load(open(sizes_json))
    fastest = d["parts"][d["fastest"]]
    assert abs(fastest["power"] - 2) < 0.1 and fastest["name"] + " grows fastest: with the power %.3f ± " % fastest["power"] in b.text("#limit"), b.text("#limit")
    assert "%.3f ± %.3f" % (d["power"], d["power_error"]) in b.text("#summary .tiles"), b.text("#summary .tiles")
    assert [text.replace("\u202f", "") for text in column(b, "#points", 0)] == ["1000", "2000", "4000", "8000", "16000", "32000"]
    assert abs(number(column(b, "#points", 3)[-1]) / (d["predictions"][1]["to_ns"] / 1e9) - 1) < 0.001
    plots = b.script("""return [...document.querySelectorAll('svg.lines')].map(e => ({ law: !!e.querySelector('.law')?.getAttribute('d'), range: !!e.querySelector('.range')?.getAttribute('d'), ideal: !!e.querySelector('.ideal'),
        dots: [...e.querySelectorAll('.runs circle')].map(c => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy'))]),
        parts: [...e.querySelectorAll('.part')].map(g => [g.getAttribute('aria-label'), [...g.querySelectorAll('circle')].map(c => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy'))])]) }))""")
    assert len(plots) == 2 and plots[0]["law"] and plots[0]["range"] and plots[0]["ideal"] and len(plots[0]["dots"]) == 4, plots
    dots = plots[0]["dots"]
    assert all(a[0] < c[0] and a[1] > c[1] for a, c in zip(dots, dots[1:])), dots
    # A power is the slope of a line: that of the part which grows with the square is twice that of the others.
    slopes = {name: (line[0][1] - line[-1][1]) / (line[-1][0] - line[0][0]) for name, line in plots[1]["parts"]}
    steepest = max(slopes, key=slopes.get)
    others = [slope for name, slope in slopes.items() if name != steepest]
    assert len(slopes) == 6 and steepest == fastest["name"] and all(1.8 < slopes[steepest] / slope < 2.2 for slope in others), slopes
    b.script("document.querySelector('svg.lines .part circle').focus()")
    b.settle()
    assert "time ∝ size^" in b.text("#tip") and "95 % interval" in b.text("#tip"), b.text("#tip")
    b.click("#parts th:nth-child(2) button")
    b.wait(lambda: b.find("#parts th:nth-child(2)").get_attribute("aria-sort") == "descending")
    assert column(b, "#parts", 0)[0] == fastest["name"] and column(b, "#parts", 1)[0] == "%.3f" % fastest["power"], column(b, "#parts", 1)[:3]
    b.dark(False)
    b.screenshot("sizes.png")
    b.dark(True)
    narrow(b, "scaling by size")
    b.printed("sizes.pdf")
    quiet(b, "scaling by size")
    b.open(two_sizes)
    quiet(b, "two runs by size")
    assert "Two runs do not tell errors" in b.text("#limit") and "±" not in b.text("#summary .tiles"), b.text("#limit")
    b.open(worse)
    quiet(b, "more threads are slower")
    assert " limits: it took " in b.text("#limit") and " with 1 thread and " in b.text("#limit") and "NaN" not in b.text("main") and not b.all("svg.lines .law"), b.text("#limit")
    assert b.texts("#summary .tile")[2].startswith("-") and "which Amdahl's law knows nothing of" in b.text("#summary"), b.texts("#summary .tile")
