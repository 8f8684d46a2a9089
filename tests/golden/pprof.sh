# pprof: profile.proto has the times, executions and counters of the profile by call path and thread, as an independent decoder and
# Go's pprof read it, with whatever names; what is not known is left out, and said.
. "$srcdir/tests/lib.sh"
need python3

for kind in plain counters samples hostile visits; do
	"$builddir/tests/golden/example_main" profile $kind >$kind.ompp
	for format in pprof json speedscope callgrind; do
		ompp report --format=$format $kind.ompp >$kind.$format || fail "$kind, $format"
	done
done
cat >judge.py <<'P'
import collections, json, sys
sys.path.insert(0, sys.argv[1])
import decode_pprof

seen = collections.Counter()
for kind in "plain", "counters", "samples", "hostile", "visits":
    p = decode_pprof.read(kind + ".pprof")
    profile = json.load(open(kind + ".json", encoding="utf-8"))
    run, cells, paths, threads = (profile[k] for k in ("run", "cells", "paths", "threads"))
    assert p["types"][:2] == [("time", "nanoseconds"), ("executions", "count")] and p["default"] == "time", p["types"]
    assert (p["start_ns"], p["duration_ns"]) == (int(run["start_unix_ns"]), int(run["duration_ns"]))
    labels = [next(iter(labels.values())) for stack, values, labels in p["samples"]]
    assert all(set(s[2]) == {"thread"} for s in p["samples"]) and set(labels) <= set(threads["label"])
    assert all(n >= 0 for s in p["samples"] for n in s[1])

    # Times: each stack of each thread is that of speedscope, which is checked against the folded lines.
    d = json.load(open(kind + ".speedscope", encoding="utf-8"))
    names = [f["name"] for f in d["shared"]["frames"]]
    want, got = collections.Counter(), collections.Counter()
    for t in d["profiles"]:
        for stack, ns in zip(t["samples"], t["weights"]):
            want[t["name"], tuple(names[i] for i in stack)] += ns
    for stack, values, label in p["samples"]:
        got[label["thread"], tuple(f[0][0] for f in stack)] += values[0]
    got = collections.Counter({k: n for k, n in got.items() if n})
    assert want == got, [x for x in set(want.items()) ^ set(got.items())][:3]
    assert sum(got.values()) == 21200000000 or kind == "visits", sum(got.values())

    # Executions: those of the cells, by region and thread.
    region_of = lambda i: (profile["regions"]["file"][i], profile["regions"]["begin_line"][i] or 0)
    want, got = collections.Counter(), collections.Counter()
    for path, thread, n in zip(cells["path"], cells["thread"], cells["executions"]):
        if path:
            want[region_of(paths["region"][path]), threads["label"][thread]] += int(n)
    for stack, values, label in p["samples"]:
        got[stack[-1][0][1:], label["thread"]] += values[1]
    clean = lambda counts: sorted(n for k, n in counts.items() if n)
    assert clean(want) == clean(got), (want, got)
    if kind != "hostile":
        assert +want == +got
    seen["executions"] += sum(got.values())

    # Lines: those of the regions, and no others.
    lines = {f[1] for f in p["functions"].values()}
    assert {f for f in lines if f.startswith("/src")} <= set(profile["regions"]["file"]) | set(profile["hot_spots"]["file"])
    for stack, values, label in p["samples"]:
        assert all(line == function[2] for function, line in stack)

    # Counters: those known everywhere, which callgrind has, too, with what each path has by itself; the others are named.
    events, costs = None, []
    for line in open(kind + ".callgrind", encoding="utf-8"):
        if line.startswith("summary:"):
            costs = [int(n) for n in line.split()[1:]]
    sums = [sum(s[1][i] for s in p["samples"]) for i in range(len(p["types"]))]
    assert [sums[0]] + sums[2:] == costs, (kind, sums, costs)
    written, left = [t[0] for t in p["types"][2:]], 0
    for counter in profile["counters"]:
        if counter["name"] not in written and kind != "hostile":
            why = "it was not counted" if counter["certainty"] == "not counted" else "some of its values are missing"
            assert "left out, as %s: %s" % (why, counter["name"]) in p["comments"], (counter["name"], p["comments"])
            left += 1
            seen[why] += 1
        assert counter["name"] in written or any("left out" in c for c in p["comments"]) or kind == "hostile"
    seen["counters"] += len(written)
    seen["left"] += left

    # A path that was not always timed has its error in a comment.
    estimates = [c for c in p["comments"] if c.startswith("an estimate, as not all visits were timed: ")]
    untimed = {path for path, n in zip(cells["path"], cells["untimed"]) if n and int(n)}
    assert len(estimates) == len(untimed), (estimates, untimed)
    if kind == "hostile":
        for text in [c for f in p["functions"].values() for c in f[:2]] + p["comments"] + list(p["mappings"].values()):
            assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or 0x202a <= ord(c) <= 0x202e for c in text), ascii(text)
        assert any("\u0600" <= c or '"' in f[0] for f in p["functions"].values() for c in f[0])
assert seen["executions"] and seen["counters"] > 3 and seen["left"], seen
assert seen["it was not counted"] and seen["some of its values are missing"], seen
P
python3 judge.py "$srcdir/tests/golden" || fail 'the decoder'

# What pprof itself reads: it has no network and no tool of the machine to ask.
if command -v go >/dev/null; then
	for kind in plain counters hostile; do
		HOME=$work PPROF_TMPDIR=$work go tool pprof -top -nodecount=1000 -nodefraction=0 -unit=ns $kind.pprof >top 2>said || fail "$kind: $(head -3 said)"
		grep -q 'of 21200000000ns total' top || { head -20 top; fail "$kind: the total"; }
	done
	HOME=$work go tool pprof -top -nodefraction=0 -unit=ns plain.pprof >top 2>said || fail "$(cat said)"
	# two threads' 1.127 s of work; 2 s with 0.6 s of waiting and what is below
	grep -q '^ *1127000000ns .* 2000000000ns .* LOOP a.c (12-16)$' top || { cat top; fail 'the loop'; }
	HOME=$work go tool pprof -top -nodefraction=0 -sample_index=PAPI_TOT_INS plain.pprof >top 2>said || fail "$(cat said)"
	grep -q '^ *5181000 .* 6000000 .* LOOP a.c (12-16)$' top || { cat top; fail 'the counter of the loop'; }
	HOME=$work go tool pprof -top -nodefraction=0 -unit=ns -tagfocus=thread=h2:0 plain.pprof >top 2>said || fail "$(cat said)"
	grep -q 'accounting for 900000000ns, .* of 21200000000ns total' top || { cat top; fail 'one thread'; }
else
	echo "without Go's pprof"
fi

# Bytes are nothing for a terminal.
python3 - >said <<'P' || { cat said; fail 'a terminal'; }
import os, pty
pid, at = pty.fork()
if not pid:
    os.execvp("ompp", ["ompp", "report", "--format=pprof", "plain.ompp"])
said = b""
try:
    while True:
        said += os.read(at, 4096)
except OSError:
    pass
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 2, said
assert b"pprof is bytes for programs, and the output is a terminal; add >FILE" in said, said
P
