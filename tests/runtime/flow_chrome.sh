# flow_chrome: ompp flow --chrome writes the regions of each thread as bars that begin and end in each other, and each other event
# once, as JSON that another program reads
. "$srcdir/tests/lib.sh"
need python3

cat >"$work/judge.py" <<'P'
import csv, json, sys
trace = json.load(open(sys.argv[1]))["traceEvents"]
open_bars, bars, marks, last = {}, {}, 0, {}
for e in trace:
    if e["ph"] in "BE":
        stack = open_bars.setdefault(e["tid"], [])
        assert e["ts"] >= last.get(e["tid"], 0), e
        last[e["tid"]] = e["ts"]
        if e["ph"] == "B":
            stack.append(e["name"])
            bars[e["tid"], e["name"]] = bars.get((e["tid"], e["name"]), 0) + 1
        else:
            assert stack.pop() == e["name"], e
    elif e["ph"] == "i":
        marks += 1
    else:
        assert e["ph"] == "M", e
assert not any(open_bars.values()), open_bars
rows = list(csv.DictReader(open(sys.argv[2])))
want = sum(r["kind"] != "change" and r["time_ns"] != "-" and r["thread"] != "-" for r in rows)
assert marks == want, (marks, want)
for name, n in (a.rsplit("=", 1) for a in sys.argv[3:]):
    found = sorted(v for (tid, bar), v in bars.items() if bar == name)
    assert found == [int(k) for k in n.split(",")], (name, bars)
P

"$builddir/tests/runtime/flow_make" made.flow 3000 || fail 'no trace is made'
ompp flow --chrome=made.json made.flow || fail 'a trace that was made'
ompp flow --view=events --format=csv made.flow >made.csv
python3 judge.py made.json made.csv || fail 'a trace that was made'
ompp flow --chrome=far.json --object=far made.flow || fail 'the accesses to one object'
ompp flow --view=events --format=csv --object=far made.flow >far.csv
python3 judge.py far.json far.csv || fail 'the accesses to one object'
[ "$(wc -l <far.csv)" -gt 10 ] && [ "$(wc -l <far.csv)" -lt "$(wc -l <made.csv)" ] || fail 'the object is all'
! ompp flow --chrome=far.json made.flow 2>err || fail 'a file that is there is overwritten'
grep -q 'far.json: cannot be made: .*; give the name of a file that does not exist' err || { cat err; fail 'what it says'; }

# a real program: two threads, each twice in the parallel loop
kinst "$CC" -O1 -g -fopenmp -o trace "$srcdir/tests/runtime/trace.c"
OMPP_OVERWRITE=1 OMPP_QUIET=1 OMPP_TRACE=1 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=50 ./trace
[ -e "$(echo trace.*.ompp.flow)" ] || skip 'accesses cannot be sampled by hooks here'
ompp flow --chrome=real.json trace.*.ompp.flow || fail 'a real trace'
ompp flow --view=events --format=csv trace.*.ompp.flow >real.csv 2>/dev/null
python3 judge.py real.json real.csv 'PARALLEL LOOP trace.c:28=2,2' || fail 'a real trace'
