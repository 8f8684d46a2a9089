"""ranks: see ranks.sh.  Usage: ranks.py RANKS.html ONE.html"""

import re
import sys

from browser import Browser, quiet

N, THREADS, REGIONS = 48, 2, 3
many, one = sys.argv[1:]


def ns(rank, region):
    """What tests/browser/profiles.c says that all threads of a rank spend in a region."""
    return sum(1000000 * (region + t) + 3000 * rank for t in range(THREADS))


SHADES = """const c = document.querySelector('#ranks canvas'), g = c.getContext('2d'), rows = arguments[0], n = arguments[1];
return [...Array(rows).keys()].map(r => [...Array(n).keys()].map(k => {
    const d = g.getImageData(Math.floor((k + 0.5) * c.width / n), Math.floor((r + 0.5) * c.height / rows), 1, 1).data;
    return 255 - d[3];
}))"""

with Browser() as b:
    b.open(many)
    quiet(b, "many")
    names = b.texts("#ranks .names div")
    assert [n.split()[0] for n in names] == ["R00003", "R00002", "R00001"], names
    for shades in b.script(SHADES, REGIONS, N):
        assert shades[0] > shades[N - 1] and all(x >= y for x, y in zip(shades, shades[1:])), shades
    place = b.script("const c = document.querySelector('#ranks canvas'); c.scrollIntoView(); return [c.clientWidth, c.clientHeight]")
    for row, rank in ((0, 0), (0, 47), (2, 17), (1, 30)):
        tip = b.script("const c = document.querySelector('#ranks canvas'), o = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent("
                 "'mousemove', {bubbles: true, clientX: o.left + arguments[0], clientY: o.top + arguments[1]}));"
                 "return document.querySelector('#tip').textContent",
                 (rank + 0.5) * place[0] / N, (row + 0.5) * place[1] / REGIONS)
        region = REGIONS - row
        assert tip.startswith("r%d, R0000%d " % (rank, region)), (rank, region, tip)
        said = float(re.search(r"\n([\d.]+) s", tip)[1])
        assert abs(said - ns(rank, region) / 1e9) < 1e-9, (tip, ns(rank, region))
    rows = [r.split("\n") for r in b.texts("#ranks tbody tr.row")]
    assert len(rows) == REGIONS, rows
    cells = b.script("return [...document.querySelectorAll('#ranks tbody tr.row')].map(r => [...r.children].map(c => c.textContent))")
    for region, row in zip((3, 2, 1), cells):
        assert row[1] == "48" and row[3] == "r0" and row[6] == "r47", row
        for value, want in ((row[2], ns(0, region)), (row[4], sum(ns(r, region) for r in range(N)) / N), (row[5], ns(47, region))):
            assert abs(float(value) - want / 1e9) < 1e-5, (row, want)
    b.script("const c = document.querySelector('#ranks canvas'), o = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent("
             "'click', {bubbles: true, clientX: o.left + 3, clientY: o.top + o.height / 2}))")
    assert b.text("#threads h3").startswith("Threads in R00002"), b.text("#threads h3")
    b.type("#filter-region", "R00001")
    assert [n.split()[0] for n in b.texts("#ranks .names div")] == ["R00001"]
    b.script("const s = document.querySelector('#ranks select'); s.value = 'waiting'; s.dispatchEvent(new Event('change'))")
    shades = b.script(SHADES, 1, N)[0]
    assert shades[0] > shades[N - 1], shades
    b.open(one)
    quiet(b, "one")
    assert not b.script("return document.querySelectorAll('#ranks').length")
