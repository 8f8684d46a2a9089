# chrome: the course of a run as a Chrome trace: its counters are the course of the profile, in order, with their sums, and gaps are
# zero; regions are told as sampled; a profile without a course says so.
. "$srcdir/tests/lib.sh"
need python3
cp "$srcdir/examples/spin.h" "$srcdir/examples/imbalance.c" .
mkdir 'a "b" <x>é'
cp spin.h imbalance.c 'a "b" <x>é'
kinst "$CC" -O2 -fopenmp 'a "b" <x>é/imbalance.c' -o 'prog "q" é'
OMP_NUM_THREADS=3 OMPP_QUIET=1 './prog "q" é' >/dev/null
cat >gap.c <<'C'
#include <omp.h>
#include <pthread.h>
#include <time.h>

static void *later(void *x)
{
	(void)x;
	nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
#pragma omp parallel num_threads(2)
	nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, later, NULL);
	pthread_join(t, NULL);
	return 0;
}
C
kinst "$CC" -O2 -fopenmp gap.c -o gap -lpthread
OMPP_QUIET=1 ./gap
cat >judge.py <<'P'
import json, sys
for path, name in ("prog", 'prog "q" é'), ("gap", "gap"):
    d = json.load(open(path + ".chrome", encoding="utf-8"))
    p = json.load(open(path + ".json", encoding="utf-8"))
    course, slice_ns = p["course"], int(p["run"]["course_slice_ns"])
    events = d["traceEvents"]
    assert d["otherData"]["slice_ns"] == slice_ns and "measured" in d["otherData"]["threads"]
    assert "sampled" in d["otherData"]["regions"] and d["displayTimeUnit"] == "ns"
    assert {e["pid"] for e in events} == {p["run"]["pid"]} and {e["ph"] for e in events} <= set("MCX")
    assert all(type(e["pid"]) is int and type(e["tid"]) is int for e in events), "an event of no thread"
    assert {e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"} == {name}

    # Counters: the integral of each is the sum of the table; between slices that follow each other there is no gap.
    counters = [e for e in events if e["ph"] == "C"]
    assert {e["name"] for e in counters} == {"threads"} and len(counters) >= len(course["slice"]) + 1
    times = [round(e["ts"] * 1000) for e in counters]
    assert times == sorted(set(times)), "times that do not grow"
    assert all(v == 0 for v in counters[-1]["args"].values())
    last = course["slice"][-1] * slice_ns
    assert last < times[-1] <= last + slice_ns, (last, times[-1], slice_ns)
    has_mpi = any(int(ns) for ns in course["mpi_ns"])
    assert all(("mpi" in e["args"]) == has_mpi for e in counters)
    for part in ("work", "wait", "manage", "idle") + ("mpi",) * has_mpi:
        area = sum(e["args"][part] * (b - a) for e, a, b in zip(counters, times, times[1:]))
        want = sum(int(n) for n in course[part + "_ns"])
        assert abs(area - want) <= len(times) * (1 + 2e-9 * slice_ns), (part, area, want)
        by_time = {t: e["args"][part] for t, e in zip(times, counters)}
        for i, n in zip(course["slice"][:-1], course[part + "_ns"]):
            assert abs(by_time[i * slice_ns] * slice_ns - int(n)) <= 1 + 2e-9 * slice_ns, (part, i)
    slices = set(course["slice"])
    for t, e in zip(times[:-1], counters):
        assert t // slice_ns in slices or not any(e["args"].values()), (t, e)

    # Regions: each slice with a region lies in one bar of that title, and no two bars overlap.
    bars = [e for e in events if e["ph"] == "X"]
    of, last = {}, 0
    for e in bars:
        begin, length = round(e["ts"] * 1000), round(e["dur"] * 1000)
        assert begin >= last and length > 0 and e["args"]["certainty"] == "sampled"
        last = begin + length
        first = begin // slice_ns
        for i in range(first, first + e["args"]["slices"]):
            of[i] = e
    regions = p["regions"]
    for i, r, n in zip(course["slice"], course["region"], course["threads_in_region"]):
        assert (r is None) == (i not in of), i
        if r is not None:
            assert of[i]["name"].startswith(regions["construct"][r]), (of[i], regions["construct"][r])
            assert "(%s-%s)" % (regions["begin_line"][r], regions["end_line"][r]) in of[i]["name"], of[i]
            assert of[i]["args"]["least_threads"] <= n <= of[i]["args"]["most_threads"]
    assert bars, path
P
for name in prog gap; do
	ompp report --format=chrome "$name"*.ompp >$name.chrome || fail "$name"
	ompp report --format=json "$name"*.ompp >$name.json || fail "$name, json"
done
python3 judge.py || fail 'the trace'

# Two processes are one, and the trace says so.
cp gap.*.ompp copy.ompp
ompp report --format=chrome --merge gap.*.ompp copy.ompp >two.chrome || fail 'two processes'
grep -q '"processes":2,' two.chrome || { head -5 two.chrome; fail 'two processes are not told'; }

"$builddir/tests/golden/example_main" profile plain >plain.ompp
! ompp report --format=chrome plain.ompp >out 2>err || fail 'no course'
[ ! -s out ] || fail 'it writes something'
grep -q '^ompp: plain.ompp: has no course of the run, .*; measure with OMPP_COURSE=1' err || { cat err; fail 'no course: what it says'; }
