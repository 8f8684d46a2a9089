"""pages: see pages.sh.  Usage: pages.py MAP.html ANOTHER.html BROKEN.html CUT.html SIZES.html"""

import sys

from browser import Browser, column, quiet

page, another, broken, cut, sizes = sys.argv[1:]


def color_at(b, canvas, x, y):
    """The colour of a canvas at shares of its width and height."""
    return tuple(b.script("""const c = document.querySelector(arguments[0]), copy = document.createElement('canvas');
        copy.width = copy.height = 1;
        const one = copy.getContext('2d', { willReadFrequently: true });
        one.drawImage(c, -Math.floor(c.width * arguments[1]), -Math.floor(c.height * arguments[2]));
        return [...one.getImageData(0, 0, 1, 1).data].slice(0, 3)""", canvas, x, y))


with Browser() as b:
    b.open(page)
    quiet(b, "pages")
    assert b.texts("#page-map-object option")[0] == "all pages" and {"a", "b", '<c> & "d"'} <= set(b.texts("#page-map-object option"))
    b.script("const s = document.getElementById('page-map-object'); s.value = [...s.options].find(o => o.text === 'b').value; s.dispatchEvent(new Event('change'))")
    b.wait(lambda: b.script("return document.querySelector('#page-times').height > 10"))
    b.settle()
    assert set(column(b, "#page-map", 0)) == {"b"} and set(column(b, "#page-map", 2)) == {"1"} and "64 rows" in b.text("#page-map .count")
    axes = b.script("return [...document.querySelectorAll('#page-times + .axis, #page-threads + .axis')].map(e => [...e.children].map(one => one.textContent))")
    times = [float(text.split(" s")[0]) for text in axes[0]]
    assert len(times) == 5 and times == sorted(times) and axes[1][0] == "thread 0" and len(axes[1]) == 2, axes
    b.click("#page-map th:nth-child(6) button")
    b.wait(lambda: b.find("#page-map th:nth-child(6)").get_attribute("aria-sort") == "ascending")
    assert column(b, "#page-map", 5)[:20] == ["thread 0"] * 16 + ["thread 1"] * 4, column(b, "#page-map", 5)

    # Each quarter of b is one thread's, in its column and its colour, whatever the order of the threads; nowhere else is any.
    seen = set()
    left = 140 / b.script("return document.querySelector('#page-threads').clientWidth")
    for quarter in range(4):
        row = [color_at(b, "#page-threads", left + (1 - left) * (k + 0.5) / 4, (quarter + 0.5) / 4) for k in range(4)]
        used = [k for k in range(4) if row.count(row[k]) == 1]
        assert len(used) == 1, (quarter, row)
        seen.add(used[0])
    assert seen == {0, 1, 2, 3}, seen

    # What a cell is, where the pointer is and by keys.
    size = b.find("#page-threads").size
    b.hover("#page-threads", int(size["width"] * (left + (1 - left) / 8)), 8)
    assert "thread 0: " in b.text("#tip") and "access hooks" in b.text("#tip") and b.text("#tip").startswith("b, 0x"), b.text("#tip")
    b.script("document.getElementById('page-times').focus()")
    b.press("ArrowDown", "ArrowDown", "ArrowRight")
    assert "b, 0x" in b.text("#tip") and " to " in b.text("#tip"), b.text("#tip")

    # No two threads use the same page of b; of a, four pairs do, and no thread is a pair with itself.
    assert "no two threads are known to use the same page" in b.text("#page-map") and not b.all("#page-sharing")
    b.script("const s = document.getElementById('page-map-object'); s.value = [...s.options].find(o => o.text === 'a').value; s.dispatchEvent(new Event('change'))")
    b.wait(lambda: b.script("const c = document.querySelector('#page-sharing'); return c && c.height > 10"))
    b.settle()
    width = b.script("return document.querySelector('#page-sharing').clientWidth")
    left = b.script("return document.querySelector('#page-sharing').clientWidth > 500 ? 140 : 0")
    cells = [[color_at(b, "#page-sharing", (left + 24 * (k + 0.5)) / width, (row + 0.5) / 4) for k in range(4)] for row in range(4)]
    empty = cells[0][0]
    used = {(row, k) for row in range(4) for k in range(4) if cells[row][k] != empty}
    assert len(used) == 8 and all((k, row) in used and k != row for row, k in used), cells
    row, k = min(used)
    b.hover("#page-sharing", int(left + 24 * (k + 0.5)), 24 * row + 12)
    assert b.text("#tip").startswith(f"threads {row} and {k}: 32 pages, ") and "counted by access hooks" in b.text("#tip"), b.text("#tip")
    b.script("document.getElementById('page-sharing').focus()")
    b.press("ArrowDown")
    assert b.text("#tip").startswith("thread 0 itself"), b.text("#tip")

    b.click("#page-map th:nth-child(4) button")
    b.wait(lambda: b.find("#page-map th:nth-child(4)").get_attribute("aria-sort") == "descending")
    b.type("#filter-object", "<c>")
    b.wait(lambda: b.texts("#page-map-object option") == ["all pages", '<c> & "d"'])
    b.script("const s = document.getElementById('page-map-object'); s.selectedIndex = 1; s.dispatchEvent(new Event('change'))")
    b.wait(lambda: set(column(b, "#page-map", 0)) == {'<c> & "d"'})
    before = color_at(b, "#page-threads", 0.99, 0.5)
    b.click("#theme")
    b.wait(lambda: color_at(b, "#page-threads", 0.99, 0.5) != before)
    b.width(400)
    b.wait(lambda: b.script("return document.documentElement.scrollWidth <= 400"))
    b.width(1280)
    b.printed("pages.pdf")
    quiet(b, "pages")

    b.open(another)
    quiet(b, "another run")
    assert "it is of another run" in b.text("#page-map")
    b.open(broken)
    quiet(b, "broken")
    assert ".ompp.pages: " in b.text("#page-map") and not b.all("#page-map canvas")
    b.open(cut)
    quiet(b, "cut off")
    assert b.all("#page-map .note"), b.text("#page-map")

    # Sizes of pages are in the table and at the pointer, where they are known; else there is "-", and nothing.
    b.open(sizes)
    quiet(b, "sizes")
    rows = b.script("return JSON.parse(document.getElementById('profile').textContent).pageMap.pictures[0].time.rows")


    def texts(r):
        return "–".join(f"{n:,}".replace(",", "\u202f") for n in sorted(set(r["pageBytes"]))) if "sized" in r else "-"


    seen = column(b, "#page-map", 8)  # the rows in sight
    assert len(seen) > 20 and seen == [texts(r) for r in rows][:len(seen)], seen
    b.script("document.getElementById('page-times').focus()")
    for r in rows:
        b.press("ArrowDown")
        size = f" of {texts(r)} bytes" + ("" if r["sized"] == r["pages"] else f" (known of {r['sized']})") if "sized" in r else ""
        assert b.text("#tip").split("\n")[0].endswith(f": {r['pages']} pages{size}"), (r, b.text("#tip"))
    b.script("const s = document.getElementById('page-map-object'); s.value = [...s.options].find(o => o.text === 'given').value; s.dispatchEvent(new Event('change'))")
    b.wait(lambda: set(column(b, "#page-map", 8)) == {"-"})
