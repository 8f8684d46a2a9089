# Draws where the time of all threads goes, region by region: python3 plot.py prog.4-0.ompp >prog.svg
# Each bar is a region with its work, its waiting and its management; all bars together are the time of all threads.  It
# needs the module ompp beside it (or installed: pip install .), and nothing else.
import sys
from xml.sax.saxutils import escape

import ompp
from ompp.text import shown

PARTS = (("work_ns", "work", "#4477aa"), ("waiting_ns", "waiting", "#ee6677"),
         ("management_ns", "management", "#ccbb44"))
MOST, WIDTH, BAR, LEFT = 20, 900, 22, 380


def picture(profile):
    regions = profile.regions()
    rows = [(r, sum(r[p] or 0 for p, _, _ in PARTS)) for r in regions[:MOST]]
    scale = (WIDTH - LEFT - 90) / max([ns for _, ns in rows] + [1])
    height = BAR * (len(rows) + 3)
    cut = ", the first %d of %d regions" % (len(rows), len(regions)) if len(rows) < len(regions) else ""
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">'
           % (WIDTH, height)]
    out.append('<text x="10" y="16">%s: seconds of all threads%s</text>' % (escape(shown(profile.run["app"])), cut))
    for i, (_, name, color) in enumerate(PARTS):
        out.append('<rect x="%d" y="26" width="12" height="12" fill="%s"/><text x="%d" y="37">%s</text>' % (
            LEFT + 110 * i, color, LEFT + 16 + 110 * i, name))
    for i, (r, ns) in enumerate(rows):
        y, x = BAR * (i + 2), LEFT
        title = escape(shown(r["title"]))
        out.append('<text x="%d" y="%d" text-anchor="end"><title>%s</title>%s</text>' % (
            LEFT - 6, y + 15, title, title if len(r["title"]) < 60 else escape(shown(r["title"][:58])) + "…"))
        for part, name, color in PARTS:
            if r[part]:
                width = r[part] * scale
                at = (x, y + 2, width, BAR - 5, color)
                out.append('<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s">' % at)
                out.append("<title>%s: %s, %.9f s</title></rect>" % (title, name, r[part] / 1e9))
                x += width
        some = any(r[p] is None for p, _, _ in PARTS)
        out.append('<text x="%.2f" y="%d">%s</text>' % (x + 4, y + 15, "-" if some else "%.6f" % (ns / 1e9)))
    return "\n".join(out + ["</svg>"]) + "\n"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: plot.py FILE.ompp... >FILE.svg")
    try:
        sys.stdout.buffer.write(picture(ompp.load(sys.argv[1:])).encode())
    except ompp.Error as e:
        sys.exit(str(e))
