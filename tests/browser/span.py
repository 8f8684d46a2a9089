"""span: see span.sh.  Usage: span.py WITH.html WITH.csv WITH.json WITHOUT.html"""

import csv
import json
import re
import sys

from browser import Browser, quiet

page, report, profile, without = sys.argv[1:]
profile = json.load(open(profile))


def block(tag):
    """The rows of a table in the report as CSV."""
    found = re.search("(?m)^##BEG " + tag + "\n((?:.*\n)*?)##END", open(report).read())
    return list(csv.DictReader(found[1].splitlines())) if found else []


def number(text):
    return float(text.replace("\u202f", "").replace("<", ""))


def rows(b, heading):
    """The titles and rows of the page's table below a heading."""
    return b.script("""const box = [...document.querySelectorAll('#span h3')].find(e => e.innerText.startsWith(arguments[0])).parentElement;
return [[...box.querySelectorAll('th')].map(e => e.innerText.trim()), [...box.querySelectorAll('tbody tr.row')].map(r => [...r.children].map(c => c.innerText))]""", heading)


TIPS = """const c = document.querySelector('#span canvas'), o = c.getBoundingClientRect(), seen = [];
for (let y = 11; y < c.clientHeight; y += 22)
    for (let x = 0.5; x < c.clientWidth; x++) {
        c.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: o.left + x, clientY: o.top + y }));
        seen.push([y, document.querySelector('#tip').hidden ? '' : document.querySelector('#tip').textContent]);
    }
return [c.clientWidth, seen]"""

with Browser() as b:
    b.open(page)
    quiet(b, "span")

    # Times with other numbers of threads: those of the report, of the run and of each region.
    want = block("time by threads")
    assert [r["threads"] for r in want] == [str(2 ** k) for k in range(9)], want
    titles, got = rows(b, "The same run with other numbers of threads")
    at = [next(i for i, t in enumerate(titles) if t.startswith(name)) for name in ("threads", "at least", "likely", "at most")]
    assert [r[at[0]] for r in got] == [r["threads"] for r in want], got
    for r, w in zip(got, want):
        for i, name in zip(at[1:], ("at least", "likely", "at most")):
            assert (r[i] == "-") == (w[name] in ("-", "")) and (r[i] == "-" or abs(number(r[i]) - float(w[name])) <= 0.01 * float(w[name])), (name, r, w)
    regions = block("region by threads")
    assert len(regions) == 18 and len(rows(b, "Parallel regions with other numbers")[1]) == 18, regions

    # What changes gain.
    gains = block("what if")
    titles, got = rows(b, "What the run would gain")
    assert gains and len(got) == len(gains), (got, gains)
    at = [next(i for i, t in enumerate(titles) if t.startswith(name)) for name in ("gain at least", "at most")]
    for r, w in zip(got, gains):
        assert w["change"] in r and w["region"] in r, (r, w)
        for i, name in zip(at, ("gain at least", "at most")):
            assert abs(number(r[i]) - float(w[name])) <= 0.01 * float(w[name]), (name, r, w)

    # The flame graph: each call path on the longest path has a box as wide as its part of it, with what is in it.
    spans, paths = profile["spans"], profile["paths"]
    parents, own = paths["parent"], [0] * len(paths["parent"])
    for path, ns in zip(spans["path"], spans["on_span_ns"]):
        own[path] += ns
    below = own[:]
    for i in range(len(own) - 1, 0, -1):
        below[parents[i]] += below[i]
    b.script("document.querySelector('#span canvas').scrollIntoView({ block: 'center' })")
    width, seen = b.script(TIPS)
    said = {}
    for y, tip in seen:
        if tip:
            said.setdefault((y, tip), 0)
            said[y, tip] += 1
    wanted = [i for i in range(len(own)) if below[i] >= below[0] / 100]
    assert len(wanted) >= 4, (own, below)
    for i in wanted:
        ns = [n for (_, tip), n in said.items() if abs(float(re.search(r"on the longest path ([\d.\u202f]+)", tip)[1].replace("\u202f", "")) * 1e9 - own[i]) < 1 and
              abs(n - width * below[i] / below[0]) <= 2.5]
        assert ns, (i, own[i], below[i], said)
    quiet(b, "span, at the end")

    b.open(without)
    assert not b.all("#span")
