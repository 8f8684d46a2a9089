# others: two threads on one processor, alone and beside a program that is on it, too: how long other programs had the
# processors is what /proc/stat says of the run, and at least what that program used; the finding names whose it was
. "$srcdir/tests/lib.sh"
need python3
need taskset
[ -e /proc/self/schedstat ] || skip 'the kernel does not count how long threads wait for a processor'

kinst $CC -O1 -w -fopenmp -DTIMES=200 "$srcdir/tests/findings/causes.c" -o causes -lm || fail 'kinst'
cat >judge.py <<'END'
import glob, json, os, resource, shutil, subprocess, sys, time

TICK = 0.01
cpus = os.sched_getaffinity(0)
if len(cpus) < 2:
    sys.exit(77)


def idle():
    """Seconds that the processors were idle, and all that the kernel has counted for them."""
    columns = [line.split() for line in open("/proc/stat") if line.startswith("cpu") and line[3].isdigit()]
    columns = [[int(x) * TICK for x in c[1:9]] for c in columns if int(c[0][3:]) in cpus]
    return sum(c[3] + c[4] + c[7] for c in columns), sum(sum(c) for c in columns)


def cpu_of(pid):
    return int(open(f"/proc/{pid}/schedstat").read().split()[0]) / 1e9


def measure(name, env, others):
    """Runs the program.  Returns the profile, the upper bound of what other programs had, what those beside it had in the
    measured time, and whether the kernel's count adds up."""
    before, begun, own = idle(), time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    used = sum(cpu_of(p.pid) for p in others)
    subprocess.run(["./causes"], env=env, check=True, stdout=subprocess.DEVNULL)
    used = sum(cpu_of(p.pid) for p in others) - used
    after, ended, then = idle(), time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    own = then.ru_utime + then.ru_stime - own.ru_utime - own.ru_stime
    elapsed = (ended - begun) * len(cpus)
    adds_up = abs(after[1] - before[1] - elapsed) < elapsed / 10
    report = ["ompp", "report", "--format=json"] + glob.glob(name + "/*.ompp")
    profile = json.loads(subprocess.run(report, check=True, capture_output=True).stdout)
    used *= profile["run"]["duration_ns"] / 1e9 / (ended - begun)
    return profile, elapsed - (after[0] - before[0]) - own, used, adds_up


def run(name, hogs):
    cpu = str(min(cpus))
    env = dict(os.environ, OMP_NUM_THREADS="2", OMP_PROC_BIND="true", OMP_PLACES="{%s}" % cpu, OMPP_OUTDIR=name,
               OMPP_QUIET="1")
    shutil.rmtree(name, ignore_errors=True)
    os.mkdir(name)
    others = [subprocess.Popen(["taskset", "-c", cpu, "sh", "-c", "while :; do :; done"]) for _ in range(hogs)]
    try:
        time.sleep(0.2)
        return measure(name, env, others)
    finally:
        for p in others:
            p.kill()
            p.wait()


for name, hogs in ("alone", 0), ("beside", 3):
    profile, most, used, adds_up = run(name, hogs)
    head, names = profile["run"], [f["name"] for f in profile["findings"]["list"]]
    others, error, queued = (head[k] for k in ("others_ns", "others_error_ns", "queued_all_ns"))
    print(name, others, error, queued, round(most, 3), round(used, 3), adds_up, head["living_threads"], names)
    if others is None:
        assert not adds_up or (head["processors"] or 0) < len(cpus), "others_ns is missing"
        continue
    others, error, queued = others / 1e9, error / 1e9, queued / 1e9
    slack = 5 * error + 0.1 * most + 0.1
    assert others <= most + slack, "more than the processors had beside idling and this program"
    assert others >= used - slack, "less than the program beside it used"
    assert head["living_threads"] == 2
    stolen = (head["stolen_ns"] or 0) / 1e9
    if 2 * (others + 3 * error + stolen) < 0.99 * queued / 2 and stolen < 0.1 * queued:
        assert "ThreadsOnOneProcessor" in names and "ProcessorTakenAway" not in names, names
    elif 2 * (others + 3 * error + stolen) > 1.01 * queued / 2:
        assert "ProcessorTakenAway" in names and "ThreadsOnOneProcessor" not in names, names
        text = [f["evidence"] for f in profile["findings"]["list"] if f["name"] == "ProcessorTakenAway"][0]
        assert "other programs had those of this one for" in text, text
END
judge() {
	status=0
	python3 judge.py || status=$?
	[ $status != 77 ] || skip 'there is one processor'
	return $status
}
retry 3 judge || fail 'others'
