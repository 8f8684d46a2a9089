# pages: the trace of pages beside a profile (OMPP_PAGES) as pictures in its page: pages over time, by threads, and common to
# each two threads, with the numbers of ompp pages, for each object; by the mouse and by keys; names of strangers; traces
# that are broken or of another run
. "$srcdir/tests/lib.sh"
need python3
export OMPP_OVERWRITE=1 OMPP_QUIET=1 OMPP_PROFILE=1 OMPP_PAGES=auto
cp "$srcdir/tests/runtime/pages.c" .
kinst --access "$CC" -O1 -g -fopenmp -o pages pages.c || fail 'kinst'
./pages >printed || fail "the program: $?"
profile=$(echo pages.*.ompp)
ompp report --format=html "$profile" >map.html || fail "report: $?"
ompp pages --view=objects --format=csv "$profile.pages" >objects.csv
ompp pages --view=sharing --object=a --format=csv "$profile.pages" >sharing.csv
# data FILE: what the page knows of pages
data() {
	python3 - "$1" <<'P'
import json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
print(json.dumps(json.loads(re.search(r'<script type="application/json" id="profile">(.*?)</script>', page, re.S).group(1)).get("pageMap")))
P
}
data map.html >map.json
python3 - <<'P' || fail 'the numbers of the pictures'
import csv, json
m = json.load(open("map.json"))
# object, …, loads, stores, …: what ompp pages says of them
listed = {r[0]: int(r[9]) + int(r[10]) for r in list(csv.reader(open("objects.csv")))[1:] if len(r) > 10 and r[9].isdigit() and r[10].isdigit()}
picture = {p["object"]: p for p in m["pictures"]}
assert picture[None] and {"a", "b", '<c> & "d"'} <= set(picture), list(picture)
# 64 pages of 512 doubles: of a 64 * 512 stores and two loads each; of b one store and one load; of c one store a page, and a load of one
for name, want in (("a", 98304), ("b", 65536), ('<c> & "d"', 65)):
    assert listed[name] == want, (name, listed)
    for kind in ("time", "threads"):
        g = picture[name][kind]
        rows = g["rows"]
        assert sum(r["pages"] for r in rows) == 64 and len(rows) <= 64, (name, kind)
        found = sum(sum(r["accesses"]) for r in rows)
        # over time a cell has a share of what an interval has, which is rounded
        assert abs(found - want) <= (0 if kind == "threads" else want * 0.05 + 64 * 120), (name, kind, found)
threads = picture["b"]["threads"]
assert threads["columns"] == 4 and [sum(1 for r in threads["rows"] if t < len(r["accesses"]) and r["accesses"][t]) for t in range(4)] == [16] * 4
# of a, thread t has pages from 16 t on and those from 48 - 16 t on, and one thread stored to all; b has a quarter for each
pairs = [[int(x) for x in r[:4]] for r in list(csv.reader(open("sharing.csv")))[1:] if len(r) > 4 and r[0].isdigit()]
assert picture["a"]["sharing"] == {"threads": 4, "threadsLeftOut": 0, "pairs": pairs} and sorted(p[2:] for p in pairs) == [[32, 0]] + [[32, 32]] * 3, picture["a"]["sharing"]
assert picture["b"]["sharing"]["pairs"] == []
# all pages have those of a, at least
both = {tuple(p[:2]): p[2] for p in picture[None]["sharing"]["pairs"]}
assert all(both.get(tuple(p[:2]), 0) >= p[2] for p in pairs), both
assert m["method"] and m["isWhole"] == 1 and not m["leftOut"] and "error" not in m
P

# sizes of pages, where they are known, are those that ompp pages has
cp "$srcdir/tests/runtime/page_sizes.c" .
kinst --access "$CC" -O1 -g -fopenmp -o sizes page_sizes.c || fail 'kinst'
OMPP_PAGES_INTERVAL=86400s ./sizes >printed || fail "sizes: $?"
sizes=$(echo sizes.*.ompp)
ompp report --format=html "$sizes" >sizes.html || fail "report: $?"
ompp pages --view=pages --format=csv "$sizes.pages" >sizes.csv
data sizes.html >sizes.json
python3 - <<'P' || fail 'the sizes of pages'
import csv, json
listed = list(csv.reader(open("sizes.csv")))
bytes_at = next(r for r in listed if "page bytes" in r).index("page bytes")
known = {int(r[0], 16): int(r[bytes_at]) if r[bytes_at] != "-" else None for r in listed if r and r[0].startswith("0x")}
picture = json.load(open("sizes.json"))["pictures"]
assert sum(r["pages"] for r in picture[0]["time"]["rows"]) == len(known) >= 512 + 512 + 511, len(known)
for one in picture:
    for kind in ("time", "threads"):
        for r in one[kind]["rows"]:
            of = [n for at, n in known.items() if int(r["first"], 16) <= at <= int(r["last"], 16)]
            sizes = [n for n in of if n]
            assert len(of) == r["pages"] and r.get("sized", 0) == len(sizes), (r, of)
            assert r.get("pageBytes") == ([min(sizes), max(sizes)] if sizes else None), (r, of)
# pages that were given back have no size, and some row has such pages and others
assert all("pageBytes" not in r for one in picture if one["object"] == "given" for r in one["time"]["rows"])
assert not any(known.values()) or any(0 < r.get("sized", 0) < r["pages"] for r in picture[0]["time"]["rows"])
P

# without a trace there is no such section; one of another run, or what is no trace, is said
mkdir other && cp "$profile" other/
ompp report --format=html "other/$profile" >none.html && [ "$(data none.html)" = null ] || fail 'a page without a trace'
OMPP_APPNAME=second ./pages >printed
cp second.*.ompp.pages "other/$profile.pages"
ompp report --format=html "other/$profile" >another.html && data another.html | grep -q '"error": "it is of another run"' || fail 'a trace of another run'
echo nonsense >"other/$profile.pages"
ompp report --format=html "other/$profile" >broken.html && data broken.html | grep -q '"error": "' || fail 'a broken trace'
head -c 900 "$profile.pages" >"other/$profile.pages"
ompp report --format=html "other/$profile" >cut.html || fail 'a trace that was cut off'
{ cat "$profile.pages"; head -c 26000000 /dev/zero; } >"other/$profile.pages"
ompp report --format=html "other/$profile" >large.html && data large.html | grep -q '"error": "it is so large' || fail 'a large trace'
# the page of several profiles says why it has none
ompp report --format=html --merge "other/$profile" "$profile" >two.html && data two.html | grep -q '"error": "pictures are of one process' ||
	fail "several profiles: $(data two.html)"
rm "other/$profile.pages"
ompp report --format=html --merge "other/$profile" "other/$profile" >two.html && [ "$(data two.html)" = null ] || fail 'several profiles without traces'
# the page that ompp run writes has the pictures, too
mkdir run
ompp run --outdir=run --outformat=html --pages=auto ./pages >out 2>said || fail "ompp run: $(cat said)"
data run/*.html | grep -q '"pictures"' || fail "ompp run: $(ls run)"

. "$srcdir/tests/browser/browser.sh"
browse "$srcdir/tests/browser/pages.py" map.html another.html broken.html cut.html sizes.html
