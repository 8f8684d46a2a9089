"""flow: see flow.sh.  Usage: flow.py TIME.html TIME.csv OBJECTS.html HOSTILE.html"""

import csv
import sys

from browser import Browser, column, quiet

time_page, time_csv, objects, hostile = sys.argv[1:]


def number(text):
    return float(text.replace("\u202f", ""))


with Browser() as b:
    # The rows are those of CSV, what is missing is "-", and the whole number is where the pointer is.
    b.open(time_page)
    quiet(b, "time")
    rows = list(csv.DictReader(open(time_csv, encoding="utf-8")))
    assert column(b, "#time", 0) == [row["object"] for row in rows], column(b, "#time", 0)
    for shown, row in zip(column(b, "#time", 6), rows):
        if row["latency"] == "-":
            assert shown == "-", (shown, row)
        else:
            assert abs(number(shown) - float(row["latency"])) <= abs(float(row["latency"])) / 1000, (shown, row)
    assert any(row["latency"] == "-" for row in rows) and any(row["latency"] != "-" for row in rows)
    tips = b.script("return [...document.querySelectorAll('#time tbody tr.row')].map(r => r.children[1].dataset.tip)")
    assert all(row["from"] in tip for tip, row in zip(tips, rows)), tips
    assert "process 43" in b.text("#traces"), b.text("#traces")
    # Sorted by samples, most first.
    b.click([e for e in b.all("#time th button") if e.text.startswith("samples")][0])
    b.wait(lambda: [number(n) for n in column(b, "#time", 4)] == sorted((float(row["samples"]) for row in rows), reverse=True))
    # The search looks at names.
    b.open(objects)
    quiet(b, "objects")
    b.all("#objects input[type=search]")[0].send_keys("far")
    b.wait(lambda: column(b, "#objects", 0) == ["far"])
    b.open(hostile)
    quiet(b, "hostile names")
    assert any("<img" in text for text in column(b, "#objects", 0)), column(b, "#objects", 0)
