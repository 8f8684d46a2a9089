# exchange: call paths for flame graphs, speedscope and callgrind have the times of the profile, as other programs read them, with
# whatever names; formats that there are not are named.
. "$srcdir/tests/lib.sh"

for kind in plain counters samples hostile visits; do
	"$builddir/tests/golden/example_main" profile $kind >$kind.ompp
	for format in folded speedscope callgrind; do
		ompp report --format=$format $kind.ompp >$kind.$format || fail "$kind, $format"
	done
done

# A folded line is frames, one blank, and a whole number; no name adds a frame or a line.
for kind in plain counters samples hostile visits; do
	! grep -qvE '^[^;]+(;[^;]+)* [1-9][0-9]*$' $kind.folded || fail "$kind: $(grep -vE '^[^;]+(;[^;]+)* [0-9]+$' $kind.folded | head -1)"
done
for kind in plain hostile; do
	awk -F';' '{ print NF }' $kind.folded >$kind.frames
done
same 'the frames of hostile names' plain.frames hostile.frames
sed 's/.* //' plain.folded >plain.times
sed 's/.* //' hostile.folded >hostile.times
same 'the times of hostile names' plain.times hostile.times

# All lines together are the time of all teams, of the second host thread, and of the user region outside of teams: what
# the callgraph of CSV has, of all threads.
total=$(awk '{ n += $NF } END { printf "%.0f\n", n }' plain.folded)
[ "$total" = 21200000000 ] || fail "folded: $total ns, not 0.1 outside + 2 x 6 + 4 x 1.8 - 3.6 + 1.4 + 2 x 1.6 + 0.9 s"

# A call path is called as often as its region was executed, by all threads together.
awk -F= '$1 == "calls" { n += $2 } END { printf "%.0f\n", n }' plain.callgrind >calls
ompp report --format=json plain.ompp >json
python3 -c 'import json
p = json.load(open("json"))
print(sum(n for n, path in zip(p["cells"]["executions"], p["cells"]["path"]) if path))' >executions
same 'calls of callgrind' calls executions

# What valgrind's own reader finds.
if command -v callgrind_annotate >/dev/null; then
	for kind in plain counters hostile; do
		callgrind_annotate --auto=no --inclusive=yes --threshold=100 $kind.callgrind >read 2>said || fail "$kind: $(cat said)"
		[ ! -s said ] || fail "$kind: callgrind_annotate says: $(head -3 said)"
		grep -q '^21,200,000,000 .* PROGRAM TOTALS$' read || { cat read; fail "$kind: the total"; }
	done
	callgrind_annotate --auto=no --threshold=100 plain.callgrind >read
	# exclusive: two threads' 1.127 s of work, and 0.6 s of waiting
	grep -q '^ *1,727,000,000 .*  */src/a.c:LOOP a.c (12-16)$' read || { cat read; fail 'the loop by itself'; }
	callgrind_annotate --auto=no --inclusive=yes --threshold=100 plain.callgrind >read
	grep -q '^ *2,000,000,000 .* 6,000,000 .*  */src/a.c:LOOP a.c (12-16)$' read || { cat read; fail 'the loop with what is in it'; }
	grep -q '^# left out, as some of its values are missing: L3_MISSES$' plain.callgrind || fail 'a counter with missing values'
	grep -q '^# left out, as it was not counted: PAPI_FP_OPS$' counters.callgrind || fail 'a counter that was not counted'
else
	echo 'without callgrind_annotate'
fi

# The stacks of each thread of speedscope are those of the folded lines, and its functions have its own samples' part of the
# work: the samples are those of the profile as JSON.
ompp report --format=json visits.ompp >visits.json
if command -v python3 >/dev/null; then
	python3 - <<'P' || fail 'speedscope'
import collections, json
def without_functions(sums, of):
    """Sums without the frames of functions, which are all that is neither a region nor a part."""
    less = collections.Counter()
    for stack, n in sums.items():
        frames = stack.split(";")
        less[";".join(frames[:1] + [f for f in frames[1:] if f not in of])] += n
    return less


for kind in "plain", "counters", "samples", "hostile", "visits":
    d = json.load(open(kind + ".speedscope", encoding="utf-8"))
    assert d["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    names = [f["name"] for f in d["shared"]["frames"]]
    sums = collections.Counter()
    for p in d["profiles"]:
        assert p["type"] == "sampled" and p["unit"] == "nanoseconds" and len(p["samples"]) == len(p["weights"])
        assert p["endValue"] == sum(p["weights"]) and min(p["weights"], default=1) > 0
        for stack, weight in zip(p["samples"], p["weights"]):
            sums[";".join(names[i].replace(";", ":") for i in stack)] += weight
    folded = collections.Counter()
    for line in open(kind + ".folded", encoding="utf-8"):
        stack, n = line.rstrip("\n").rsplit(" ", 1)
        folded[stack] += int(n)
    # folded lines divide all threads' work by all samples, a thread here has its own: without functions they are the same
    functions = set()
    if kind == "visits":
        functions = {"read \"all\": then", "inner in step", "sin of libm.so.6", "step", "(kinst)"}
        assert functions <= set(n.replace(";", ":") for n in names) and functions <= {s.split(";")[-1] for s in folded}
        assert not any("gomp" in n for n in names), names
        profile = json.load(open("visits.json"))
        columns = profile["hot_spots"]
        spots = [dict(zip(columns, values)) for values in zip(*columns.values())]
        n_paths, labels = len(profile["paths"]["parent"]), profile["threads"]["label"]
        for p in d["profiles"]:
            for path in {s["path"] for s in spots}:
                own = collections.Counter()
                for s in spots:
                    if s["path"] == path and labels[s["thread"]] == p["name"] and not s["module"].startswith("libgomp"):
                        name = s["function"] + (" in " + s["within"] if s["within"] else "") + (" of " + s["module"] if s["module"] else "")
                        own[name, s["file"]] += s["samples"]
                parts = {}
                for stack, weight in zip(p["samples"], p["weights"]):
                    frame = d["shared"]["frames"][stack[-1]]
                    if stack[-1] >= n_paths + 2 and stack[-2] == path:
                        parts[frame["name"], frame.get("file", "")] = weight
                assert set(parts) == set(own), (p["name"], path, parts, own)
                whole = sum(parts.values())
                for name, n in own.items():
                    assert abs(parts[name] - whole * n / sum(own.values())) < len(own), (p["name"], path, parts, own)
    sums, folded = without_functions(sums, functions), without_functions(folded, functions)
    assert sums == folded, [x for x in (set(sums.items()) ^ set(folded.items()))][:4]
    assert [p["name"] for p in d["profiles"]] == ["0", "0.0", "0.1", "1", "1.0", "1.1", "h2:0"]
P
fi

! ompp report --format=cube plain.ompp >out 2>err || fail 'cube'
grep -q 'libcubew, which Debian does not have; take json' err || { cat err; fail 'cube: what it says'; }
! ompp report --format=speedscop plain.ompp >out 2>err || fail 'a format that there is not'
grep -q "did you mean 'speedscope'" err || { cat err; fail 'the nearest format'; }

! ompp report --format=folded-path plain.ompp >out 2>err || fail 'a path where there is none'
[ ! -s out ] || fail 'a path where there is none: lines'
grep -q 'has no longest path.*OMPP_SPAN=1' err || { cat err; fail 'no longest path: what it says'; }
