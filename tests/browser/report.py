"""report: see report.sh.  Usage: report.py IMBALANCE.html IMBALANCE.csv SAMPLES.html HOSTILE.html NASTY.html RANKS.html OLD.html
VISITS.html VISITS.csv"""

import collections
import csv as csv_reader
import re
import sys

from browser import Browser, quiet

imbalance, csv, samples, hostile, nasty, ranks, old, visits, visits_csv = sys.argv[1:]


def number(text):
    return float(text.replace("\u202f", ""))


def column(b, table, n):
    return b.script("return [...document.querySelectorAll(arguments[0] + ' tbody tr.row')].map(r => r.children[arguments[1]].innerText)",
                    table, n)


def flat(path):
    """The flat profile in a report as CSV: {(type, line): {thread: {column: value}}}."""
    blocks, lines = {}, open(path).read().split("\n")
    for i, line in enumerate(lines):
        if line.startswith("##BEG R") and line.endswith("flat profile"):
            region, titles, at = lines[i + 1].split(","), lines[i + 2].split(","), i + 3
            rows = blocks[region[1], region[3]] = {}
            while not lines[at].startswith("##END"):
                values = lines[at].split(",")
                rows[values[0]] = dict(zip(titles, values))
                at += 1
    return blocks


def block(path, tag):
    """The rows of a table in a report as CSV: those between its innermost marks."""
    lines = re.split("(?m)^##BEG " + tag + "\n", open(path).read())[-1].split("\n##END")[0]
    return list(csv_reader.DictReader(lines.split("\n")))


with Browser() as b:
    # The planted problem stands in the first screen, with its place.
    b.open(imbalance)
    quiet(b, "imbalance")
    findings = b.texts("#summary .finding")
    assert any("Imbalance in parallel loop" in f and "LOOP imbalance.c (29-33)" in f for f in findings), findings
    assert b.script("return document.querySelector('.findings').getBoundingClientRect().top < innerHeight")
    assert "imbalance" in b.text("h1")

    # A click on a finding shows the threads of its region, with the numbers of the report.
    button = [e for e in b.all("#summary .finding button") if "LOOP" in e.text][0]
    b.click(button)
    rows = flat(csv)["LOOP", "29"]
    assert b.text("#threads h3").startswith("Threads in R"), b.text("#threads h3")
    assert column(b, "#threads", 0) == ["0", "1"]
    for thread, shown, tip in zip("01", column(b, "#threads", 2), b.script(
            "return [...document.querySelectorAll('#threads tbody tr.row')].map(r => r.children[2].dataset.tip)")):
        assert abs(number(shown) - float(rows[thread]["execT"])) <= float(rows[thread]["execT"]) / 1000, (shown, rows)
        assert rows[thread]["execT"] + " s" in tip and "measured by the clock" in tip, tip
    for thread, shown in zip("01", column(b, "#threads", 5)):
        waited = float(rows[thread]["exitBarT"])
        assert abs(number(shown) - waited) <= max(waited / 1000, 1e-9), (shown, rows)

    # Sorting by a title, and by it again; the title tells a screen reader.
    b.click("#regions th:nth-child(4) button")
    b.wait(lambda: b.find("#regions th:nth-child(4)").get_attribute("aria-sort") == "ascending")
    times = [number(v) for v in column(b, "#regions", 3)[:4]]
    assert times == sorted(times), times
    b.click("#regions th:nth-child(4) button")
    b.wait(lambda: [number(v) for v in column(b, "#regions", 3)[:4]] == times[::-1])

    # Searching and filtering.  (Keys reach a page some time after they were sent.)
    b.type("#regions input[type=search]", "loop 29")
    b.wait(lambda: column(b, "#regions", 1)[0].startswith("LOOP") and "1 of 4 rows" in b.text("#regions .count"))
    b.type("#filter-region", "barrier")
    b.wait(lambda: "0 of 4 rows" in b.text("#regions .count"))
    b.type("#regions input[type=search]", " ")
    b.wait(lambda: column(b, "#regions", 1)[0].startswith("BARRIER"))
    b.wait(lambda: any("BARRIER" in row for row in column(b, "#tree", 0)) and not any("MASTER" in row for row in column(b, "#tree", 0)))
    # A line of a file is a filter, too: all that has it in every section, and the findings there.
    b.type("#filter-region", "imbalance.c:31")
    b.wait(lambda: "2 of 4 rows" in b.text("#regions .count"))
    assert sorted(column(b, "#regions", 2)[:2]) == ["imbalance.c (19-36)", "imbalance.c (29-33)"], column(b, "#regions", 2)
    b.wait(lambda: b.texts("#summary .finding") and all("(29-33)" in f or "(19-36)" in f for f in b.texts("#summary .finding")))
    assert len(b.texts("#summary .finding")) <= len(findings)
    b.type("#filter-region", "other.c:31")
    b.wait(lambda: "0 of 4 rows" in b.text("#regions .count") and "is what the filter of regions says" in b.text("#summary") and not b.all("#summary .finding"))
    b.script("const i = document.getElementById('filter-region'); i.value = ''; i.dispatchEvent(new Event('input'))")
    b.wait(lambda: b.texts("#summary .finding") == findings)
    # At 1400 points no table of a section of times is wider than the page, and a long name has its end.
    b.width(1400)
    assert b.script("return ['regions', 'overheads', 'tree'].filter(id => [...document.querySelectorAll('#' + id + ' .scroll')].some(e => e.scrollWidth > e.clientWidth + 1))") == []
    b.width(1280)
    b.type("#filter-thread", "1")
    b.wait(lambda: column(b, "#threads", 0) == ["1"])
    b.script("const i = document.getElementById('filter-thread'); i.value = ''; i.dispatchEvent(new Event('input'))")

    # Keys: the arrow chooses the next region; in the flame graph they go down and to the side.
    b.script("document.querySelector('#regions .scroll').focus()")
    b.press("Home")
    b.wait(lambda: b.script("return !!document.activeElement.closest('#regions tr.chosen')"))
    first = b.text("#threads h3")
    b.press("ArrowDown")
    b.wait(lambda: b.text("#threads h3") != first)
    b.wait(lambda: b.script("return document.activeElement.classList.contains('chosen')"))
    b.script("document.querySelector('#tree canvas').focus()")
    b.press("ArrowDown")
    b.wait(lambda: "PARALLEL" in b.text("#threads h3"))
    back = b.find("#tree .tools button")
    b.press("ArrowDown", "Enter")
    b.wait(lambda: not back.get_property("disabled"))
    b.press("Escape")
    b.wait(lambda: back.get_property("disabled"))
    # the flame graph by the mouse: the widest box of the third line is the loop
    b.click("#tree canvas", 600, 55)
    b.wait(lambda: "LOOP" in b.text("#threads h3"))
    b.hover("#tree canvas", 600, 33)
    b.wait(lambda: "PARALLEL" in b.text("#tip") and "wall-clock" in b.text("#tip"))

    # The source, where the report finds it.
    [button] = [e for e in b.all("#threads button") if "source" in e.text]
    b.click(button)
    b.wait(lambda: any("#pragma omp for" in code for code in b.texts("#source tr.chosen td.code")), 5)
    # All that threads do at a barrier is to wait.
    cells = next(row for row in b.script("return [...document.querySelectorAll('#source tr')].map((tr) => "
                                         "[...tr.cells].map((td) => td.textContent))") if "#pragma omp barrier" in row[-1])
    assert cells[1] and cells[1] == cells[2], cells

    # Dark and light, a telephone: nothing is wider than the screen; and paper.
    colors = {}
    for name in ("dark", "light"):
        b.dark(name == "dark")
        b.wait(lambda: b.script("return document.documentElement.dataset.theme") == name)
        colors[name] = b.script("return getComputedStyle(document.body).backgroundColor")
    dark, light = colors["dark"], colors["light"]
    assert dark != light, (dark, light)
    b.script("document.getElementById('theme').click()")
    b.wait(lambda: b.script("return getComputedStyle(document.body).backgroundColor") == dark)
    b.width(400)
    b.wait(lambda: b.script("return document.documentElement.scrollWidth") <= 400)
    b.printed("imbalance.pdf")
    b.width(1280)
    quiet(b, "imbalance, at the end")

    # Data, samples and NUMA: heat map, threads of an object, latencies; the filter of objects holds for all of them.
    b.open(samples)
    quiet(b, "samples")
    # Findings below the limit are shown by a click on how many there are.
    n = len(b.all("#summary .finding"))
    assert b.text("#summary button.more") == "11 more cost less than 1 % each", b.text("#summary")
    b.click("#summary button.more")
    b.wait(lambda: len(b.all("#summary .finding")) == n + 11 and not b.all("#summary button.more"))
    assert len(b.all("#data table.heat tbody tr")) > 1 and b.all("#latencies table")
    # a cell has four digits of its number, all of them below 10,000; the tip has the number
    cells = b.script("return [...document.querySelectorAll('#data table.heat td')].map(c => [c.innerText, c.dataset.tip])")
    cells = [(text, int(re.match(r"[\d\u202f]+", tip.split("\n")[1])[0].replace("\u202f", ""))) for text, tip in cells if text]
    assert any(n >= 10000 for _, n in cells) and any(0 < n < 10000 for _, n in cells), cells
    for text, n in cells:
        shown = n if n < 10000 else float(text[:-1]) * {"k": 1e3, "M": 1e6, "G": 1e9}[text[-1]]
        assert text == str(n) if n < 10000 else abs(shown / n - 1) < 5e-4, (text, n)
    assert len(b.all("#memory table")) > 2 and len(b.all("#numa table")) > 2
    b.type("#filter-object", "buf")
    b.wait(lambda: not any(row == "x" for row in column(b, "#data", 0)))
    for table in b.all("#data table:not(.heat)"):
        objects = b.script("const t = arguments[0], i = [...t.querySelectorAll('th')].findIndex(c => /^object/.test(c.innerText));"
                           "return i < 0 ? [] : [...t.querySelectorAll('tbody tr.row')].map(r => r.children[i].innerText)", table)
        assert all("buf" in o for o in objects), objects
    # where it is not known from which thread or node, the matrix of NUMA says so; the rows are whole
    shares = b.texts("#numa-matrix td")
    assert shares and all(s == "-" or s.endswith(" %") for s in shares), shares
    # each number says its unit, or how sure it is
    tips = b.script("return [...document.querySelectorAll('#memory td[data-tip]')].map(c => c.dataset.tip)")
    assert any("sampled" in tip for tip in tips), tips[:5]
    # times of which not all visits were timed say their error, and why; others have none
    rows = b.script("return [...document.querySelectorAll('#regions tbody tr.row')].map(r => [...r.children].map(c => [c.innerText, c.dataset.tip || '']))")
    atomic = [r for r in rows if r[1][0].startswith("ATOMIC")][0]
    assert atomic[1][0] == "ATOMIC [costly, ~2.5 %]" and "chosen at random" in atomic[1][1], atomic
    assert "± 0.001000000 s of all threads" in atomic[3][1] and "chosen at random" in atomic[3][1], atomic
    ordered = [r for r in rows if r[1][0].startswith("ORDERED")][0]
    assert ordered[1][0] == "ORDERED [~10 %]" and "± 0.003000000 s of all threads" in ordered[3][1], ordered
    assert not any("±" in r[3][1] or "~" in r[1][0] for r in rows if r not in (atomic, ordered)), rows
    around = [c for c in b.script("return [...document.querySelectorAll('#tree tbody td[data-tip]')].map(c => [c.innerText, c.dataset.tip])") if "±" in c[1]]
    assert around and all(shown.endswith("~") for shown, tip in around), around
    # what was not measured is "-" and never 0
    assert b.script("return [...document.querySelectorAll('td')].some(c => c.innerText === '-' && /not measured/.test(c.dataset.tip || ''))")
    quiet(b, "samples, at the end")

    # What strangers wrote is shown, and does nothing.
    b.open(hostile)
    quiet(b, "hostile")
    for selector in ("#regions tbody tr.row", "#tree tbody tr.row", "#overheads tbody tr.row"):
        for i in range(min(12, len(b.all(selector)))):  # each click draws the rows anew
            b.script("document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, i)
    assert b.script("return window.hacked === undefined && !document.querySelector('img, svg, b b, script[src]')")
    assert "<script>window.hacked=1</script>" in b.text("h1") and b.text("h1") == b.driver.title.replace(" – ompp report", "")
    assert not any("\u202e" in text or "\u2028" in text for text in [b.script("return document.body.textContent")])
    quiet(b, "hostile, at the end")
    b.open(nasty)
    quiet(b, "nasty")
    assert "</script><img src=x onerror=alert(1)>" in b.text("h1") and not b.script("return document.querySelector('main img')")
    # a number beyond what a double holds has all its digits
    assert "9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f807" in b.script("return document.querySelector('#data').textContent") or \
        "9\u202f007\u202f199\u202f254\u202f740\u202f992" in b.script("return document.querySelector('#data').textContent")

    # Ranks that were added up, and a profile of the first version.
    b.open(ranks)
    quiet(b, "ranks")
    assert "2 processes" in b.text("#summary .tiles"), b.text("#summary .tiles")
    b.script("document.querySelector('#regions tr.row').click()")
    b.wait(lambda: any(label.startswith("r1:") for label in column(b, "#threads", 0)))
    b.open(old)
    quiet(b, "old")
    assert column(b, "#regions", 0)

    # Durations of visits: a row for each of the report, with its numbers; of a quantile both bounds.
    b.open(visits)
    quiet(b, "visits")
    wanted = block(visits_csv, "durations of visits")
    shown = b.script("return [...document.querySelectorAll('#durations tbody tr.row')].map(r => [...r.children].map(c => [c.innerText, c.dataset.tip || '']))")
    assert len(shown) == len(wanted) == 3, (shown, wanted)
    for row in shown:
        [of] = [w for w in wanted if w["region"] == row[0][0] and w["type"] == row[1][0]]
        assert row[3][0] == of["visits"] and row[10][0] == of["TID"], (row, of)
        for at, title in ((4, "firstT"), (5, "leastT"), (8, "mostT")):
            assert of[title] == "-" and row[at][0] == "-" or of[title] in row[at][1], (title, row, of)
        for at, title in ((6, "medianT"), (7, "95 %T")):
            bounds = of[title + " at least"], of[title + " at most"]
            if bounds[0] == "-":
                assert row[at][0] == "-", row
            else:
                assert row[at][0].endswith("~") and all(bound in row[at][1] for bound in bounds), (row, of)
                assert abs(number(row[at][0][:-1]) - (float(bounds[0]) + float(bounds[1])) / 2) < 1e-3, (row, of)
    assert shown[0][1][0] == "CRITICAL"  # that with the longest visit comes first
    b.click("#durations tbody tr.row:nth-of-type(2)")
    b.wait(lambda: "TASKEXEC" in b.text("#threads h3"))

    # Hot spots: a row for each function of a region, with the sum of its samples and the line with most of them.
    sums, lines = collections.Counter(), collections.Counter()
    own = 0
    for w in block(visits_csv, "hot spots"):
        if w["function"] == "(kinst)":  # the page says how many
            own += int(w["samples"])
            continue
        sums[w["region"], w["function"], w["module"], w["file"]] += int(w["samples"])
        lines[w["file"], w["line"]] += int(w["samples"])
    shown = b.script("return [...document.querySelectorAll('#hot tbody tr.row')].map(r => [...r.children].map(c => [c.innerText, c.dataset.tip || '']))")
    seconds = [number(row[2][0][:-1]) for row in shown]
    assert len(shown) == len(sums) and seconds == sorted(seconds, reverse=True), (shown, sums)
    for row in shown:
        region = row[5][0].split()[0] if row[5][0].startswith("R0") else ""  # else it is outside of regions
        [n] = [n for (r, f, module, file), n in sums.items() if r == region and (row[0][0].split(" of ")[0].split(" in ")[0]) == f and module in row[0][0]]
        assert row[2][1].startswith("%.9f s" % (n / 100)) and ", %d sample" % n in row[2][1] and "±" in row[2][1], (row, n)
        of_region = sum(k for (r, *_), k in sums.items() if r == region)
        assert abs(float(row[3][0].split()[0]) - 100 * n / of_region) < 0.1, (row, n, of_region)
        assert abs(float(row[4][0].split()[0]) - 100 * n / sum(sums.values())) < 0.1, (row, n)
    assert own and "%d more sample" % own in b.text("#hot"), own
    assert "3 samples found no room" in b.text("#hot") and "1 thread sampled at the beginning only" in b.text("#hot")
    assert [row[1][0] for row in shown if row[0][0] == "step"] == ["tick.c:6", "a.c:11"], shown
    b.type("#filter-region", "tick.c:3")
    b.wait(lambda: column(b, "#hot", 5) == ["outside of parallel regions"])
    b.type("#filter-region", "inner")
    b.wait(lambda: column(b, "#hot", 0) == ["inner in step"])
    b.script("const i = document.getElementById('filter-region'); i.value = ''; i.dispatchEvent(new Event('input'))")
    b.wait(lambda: len(column(b, "#hot", 0)) == len(sums))
    b.click("#hot tbody tr.row:nth-of-type(1)")
    b.wait(lambda: "LOOP" in b.text("#threads h3"))

    # The hot column beside the lines of the source.
    b.script("const s = document.getElementById('source-file'); s.value = [...s.options].findIndex(o => o.text === 'tick.c'); s.dispatchEvent(new Event('change'))")
    titles = [t.split("\n")[0].strip() for t in b.texts("#source th")]
    at = titles.index("CPU (s)")
    beside = b.script("return [...document.querySelectorAll('#source tbody tr.row')].map(r => [r.children[0].innerText, r.children[arguments[0]].innerText, r.children[arguments[0]].dataset.tip || ''])", at)
    assert len(beside) == 8, beside
    for line, text, tip in beside:
        n = lines["tick.c", line]
        assert text == "" and not n or text.endswith("~") and abs(number(text[:-1]) - n / 100) < 1e-3 and ", %d samples" % n in tip, (line, text, tip, n)
    assert sum(bool(text) for _, text, _ in beside) == 4
    b.width(1400)
    assert b.script("return ['durations', 'hot'].filter(id => [...document.querySelectorAll('#' + id + ' .scroll')].some(e => e.scrollWidth > e.clientWidth + 1))") == []
    b.width(1280)
    quiet(b, "visits, at the end")
    # Where nothing of it was measured there are no such sections.
    b.open(old)
    assert not b.all("#durations") and not b.all("#hot")
