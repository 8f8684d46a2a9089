"""big: see big.sh.  Usage: big.py BIG.html FLAT.csv, which has the region R00002"""

import sys

from browser import Browser

page, csv = sys.argv[1:]
with Browser() as b:
    b.open(page)
    assert b.script("return document.documentElement.dataset.ready") == "1"
    # tables draw what is seen, wherever they are scrolled to
    for top in (0, 10000, 1e9):
        b.script("for (const s of document.querySelectorAll('.scroll')) s.scrollTop = arguments[0]", top)
        b.wait(lambda: b.script("return document.querySelectorAll('tr.row').length") > 20)
        assert b.script("return document.querySelectorAll('tr.row').length") < 500
    [every] = [e for e in b.all("#tree .tools button") if e.text == "open all"]
    b.click(every)
    assert "10 001 rows" in b.text("#tree .tools .count").replace("\u202f", " ") or "10\u202f001 rows" in b.script(
        "return document.querySelector('#tree .count').textContent"), b.script("return document.querySelector('#tree .count').textContent")
    assert b.script("return document.querySelectorAll('tr.row').length") < 500
    # a region of many threads has the numbers of the report
    b.type("#regions input[type=search]", "R00002")
    b.script("document.querySelector('#regions tr.row').click()")
    rows = [line.split(",") for line in open(csv) if line[0].isdigit()]
    assert len(rows) == 256, len(rows)
    tips = {}
    for top in range(0, 256 * 27, 250):
        b.script("document.querySelector('#threads .scroll').scrollTop = arguments[0]", top)
        b.script("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tips.update(b.script("return Object.fromEntries([...document.querySelectorAll('#threads tr.row')].map("
                             "r => [r.children[0].innerText, r.children[2].dataset.tip.split(' ')[0]]))"))
    assert tips == {row[0]: row[1] for row in rows}, sorted(set(tips.items()) ^ {(row[0], row[1]) for row in rows})[:5]
    # the call paths with least time have sums alone, and the page says so
    without = b.script("const p = JSON.parse(document.getElementById('profile').textContent), n = Object.keys(p.pathThreads).length; return [n, p.nodes.parent.length - 1]")
    assert 0 < without[0] < without[1], without
    assert not b.errors() and not b.requests(), (b.errors(), b.requests())
