# schema: the JSON of ompp diff and ompp scaling keeps its schemas, as another program reads them; the pages have the same data
. "$srcdir/tests/lib.sh"
need python3
python3 -c 'import jsonschema' 2>/dev/null || skip 'python3-jsonschema is not installed'
make=$builddir/tests/compare/runs_make
check() {
	python3 "$srcdir/tests/compare/schema_check.py" "$srcdir/env/ompp-$1-1.schema.json" "$2.json" "$2.html" || fail "$2"
}

"$make" . a 3 11 noisy && "$make" . b 3 12 planted moved noisy
"$builddir/tests/golden/example_main" profile hostile >hostile.ompp
"$builddir/tests/golden/example_main" profile samples >samples.ompp
"$builddir/tests/golden/example_main" profile counters >counters.ompp
"$builddir/tests/golden/example_main" profile plain >plain.ompp
for format in json html; do
	ompp diff --format=$format a?.ompp -- b?.ompp >several.$format || fail "several runs: $format"
	ompp diff --format=$format a1.ompp b1.ompp >one.$format || fail "one run: $format"
	ompp diff --format=$format a1.ompp a1.ompp >same.$format || fail "the same run: $format"
	ompp diff --format=$format hostile.ompp samples.ompp >hostile.$format || fail "hostile names: $format"
	ompp diff --format=$format counters.ompp plain.ompp >counters.$format || fail "counters: $format"
done
for kind in several one same hostile counters; do
	check diff $kind
done

for threads in 1 2 4; do
	"$make" . "t$threads-" 2 $threads threads=$threads serial=2 limited
done
for size in 1000 2000 4000; do
	"$make" . "s$size-" 2 "$size" size=$size serial=2
done
for threads in 1 2 4; do # as many threads, so much more time
	"$make" . "w$threads-" 2 $threads threads=$threads size=$((1000 * threads * threads)) serial=2
done
"$make" . e1- 1 1 threads=1 even && "$make" . e2- 1 2 threads=2 even
for format in json html; do
	ompp scaling --format=$format t?-?.ompp >runs.$format || fail "scaling: $format"
	ompp scaling --format=$format t1-1.ompp t2-1.ompp >two.$format || fail "two runs: $format"
	ompp scaling --format=$format --size=1000 s1000-?.ompp --size=2000 s2000-?.ompp --size=4000 s4000-?.ompp >sizes.$format || fail "by size: $format"
	ompp scaling --format=$format --size=0.5 s1000-1.ompp --size=1e20 s4000-1.ompp >twosizes.$format || fail "two runs by size: $format"
	ompp scaling --format=$format w?-?.ompp >worse.$format || fail "more threads are slower: $format"
	ompp scaling --format=$format e1-1.ompp e2-1.ompp >even.$format || fail "nothing serial: $format"
done
for kind in runs two even sizes twosizes worse; do
	check scaling $kind
done
python3 - <<'P' || fail 'what limits'
import json
runs, two = json.load(open("runs.json")), json.load(open("two.json"))
assert runs["limit"] == "sure" and runs["parts"][0]["name"].startswith("PARALLEL solve.c (68-78)"), runs["limit"]
assert two["limit"] == "unsure" and two["at_most"]["from"] is None
law = {p["threads"]: p for p in runs["law"]}
sizes, two = json.load(open("sizes.json")), json.load(open("twosizes.json"))
assert sizes["by"] == "size" and sizes["fastest"] is not None and abs(sizes["parts"][sizes["fastest"]]["power"] - 2) < 0.1, sizes["fastest"]
assert sizes["power_from"] < sizes["power"] < sizes["power_to"] and abs((sizes["power_to"] - sizes["power"]) / sizes["power_error"] - 2.776) < 0.001  # Student's t of 4
assert [p["size"] for p in sizes["points"]] == [1000, 2000, 4000] and sizes["law"][-1] == sizes["predictions"][-1] and sizes["law"][-1]["size"] == 16000
assert [p["size"] for p in two["points"]] == [0.5, 1e20] and two["power_from"] is None and two["law"][0]["from_ns"] is None and two["fastest"] is None
worse = json.load(open("worse.json"))
assert worse["serial_fraction"] is None and worse["parallel_s"] < 0 and worse["at_most"]["speedup"] is None and worse["points"][2]["efficiency"] < 0.1
assert all(p["speedup"] is None for p in worse["law"] + worse["predictions"])
assert all(abs(law[p["threads"]]["speedup"] - p["speedup"]) < 1e-12 for p in runs["predictions"] if p["threads"] in law) and 16 in law
P
# a terminal gets no page
python3 - <<'P' || fail 'a page on a terminal'
import os, pty, subprocess
for command in (["diff", "a1.ompp", "b1.ompp"], ["scaling", "t1-1.ompp", "t2-1.ompp"], ["report", "a1.ompp"]):
    main, end = pty.openpty()
    p = subprocess.run(["ompp", command[0], "--format=html", *command[1:]], stdout=end, stderr=subprocess.PIPE, text=True)
    os.close(end)
    assert p.returncode == 2 and p.stderr.startswith("ompp: --format: html is a page for a browser"), (command, p)
    os.close(main)
P
# what cannot be written is said
! ompp diff --format=html a1.ompp b1.ompp >/dev/full 2>said || fail 'a full disk'
grep -q '^ompp: standard output: cannot be written: ' said || fail "said: $(cat said)"
