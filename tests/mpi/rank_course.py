# rank_course.py make SEED RANKS: prints a program of sleeping ranks of THREADS threads, each of which says when it was in teams, in calls of
# MPI, and when its threads slept in teams, by the time of day, in the file said.RANK: "team RANK BEGIN END", "mpi …", "nap …", ns.
# rank_course.py judge RANKS SAID MERGED.json RANK.json…: how long all threads of all ranks worked, waited, were in MPI or in no team in each of
# PARTS parts of the run is arithmetic from that, and from when each rank's own profile says that the rank began and ended; does the
# course of the merged profile say the same?
import json, random, sys

THREADS, PARTS, MOST_OFF = 2, 25, 0.02

HEAD = """#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <time.h>
enum { N = 1024 };
static const char *what[N];
static long begin[N], end[N];
static int n, rank;
static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}
static void keep(const char *kind, long since)
{
	long until = now();
	int at = __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);

	what[at] = kind;
	begin[at] = since;
	end[at] = until;
}
static void nap(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}
static void team_nap(int ms)
{
	long since = now();

	nap(ms);
	keep("nap", since);
}
#define CALL(call) do { long since_ = now(); call; keep("mpi", since_); } while (0)
int main(int argc, char **argv)
{
	long since;

	CALL(MPI_Init(&argc, &argv));
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
"""


def make(seed, n):
    rng = random.Random(seed)
    out = [HEAD]

    def table(low, high):
        return "static const int ms[] = { %s };" % ", ".join(str(rng.randint(low, high)) for _ in range(n * THREADS))

    for _ in range(5):
        out.append("\t{ %s nap(ms[rank]); }\n" % table(5, 150))
        out.append("\tsince = now();\n#pragma omp parallel num_threads(%d)\n\t{ %s team_nap(ms[rank * %d + omp_get_thread_num()]); }\n"
                   '\tkeep("team", since);\n' % (THREADS, table(5, 150), THREADS))
        if rng.random() < 0.7:
            out.append("\tCALL(MPI_Barrier(MPI_COMM_WORLD));\n")
    # rank 0, which begins first, goes on for longer than all that was before, so that its slices are longer than those of the others
    out.append("\tCALL(MPI_Finalize());\n\tif (rank == 0)\n\t\tnap((now() - begin[0]) / 1000000 * 14 / 10);\n")
    out.append('\tchar name[32];\n\tsprintf(name, "said.%d", rank);\n\tFILE *to = fopen(name, "w");\n\tif (!to)\n\t\treturn 1;')
    out.append('\tfor (int i = 0; i < n; i++)\n\t\tfprintf(to, "%s %d %ld %ld\\n", what[i], rank, begin[i], end[i]);\n\treturn fclose(to) ? 1 : 0;\n}')
    print("".join(out))


class Parts:
    def __init__(self, start, length):
        self.start, self.length, self.ns = start, length, [0] * PARTS

    def add(self, begin, end, weight):
        for i in range(PARTS):
            lo, hi = self.start + i * self.length, self.start + (i + 1) * self.length
            self.ns[i] += weight * max(0, min(hi, end) - max(lo, begin))


def judge(n, said, merged, ranks):
    course, slice_ns = merged["course"], int(merged["run"]["course_slice_ns"])
    starts = [int(r["run"]["start_unix_ns"]) for r in ranks]
    ends = [s + int(r["run"]["duration_ns"]) for s, r in zip(starts, ranks)]
    start, length = min(starts), (max(ends) - min(starts)) / PARTS
    took = [e - s for s, e in zip(starts, ends)]
    lengths = {int(r["run"]["course_slice_ns"]) for r in ranks}
    want, have = [[Parts(start, length) for _ in range(4)] for _ in range(2)]
    work, wait, idle, mpi = want
    first = {}
    for r in range(n):
        work.add(starts[r], ends[r], 1)
    for line in open(said):
        kind, r, begin, end = line.split()[0], *map(int, line.split()[1:])
        if kind == "nap":
            work.add(begin, end, 1)
            wait.add(begin, end, -1)
        elif kind == "mpi":
            work.add(begin, end, -1)
            mpi.add(begin, end, 1)
        else:
            work.add(begin, end, -1)
            wait.add(begin, end, THREADS)
            idle.add(begin, end, 1 - THREADS)
            first[r] = min(begin, first.get(r, begin))
    for r in range(n):
        idle.add(first[r], ends[r], THREADS - 1)
    for i, number in enumerate(course["slice"]):
        for parts, columns in zip(have, (("work_ns",), ("wait_ns", "manage_ns"), ("idle_ns",), ("mpi_ns",))):
            ns = sum(course[c][i] for c in columns)
            parts.add(start + number * slice_ns, start + (number + 1) * slice_ns, ns / slice_ns)
    bad = 0
    for name, a, b in zip(("work", "waiting", "no team", "MPI"), have, want):
        off = sum(abs(x - y) for x, y in zip(a.ns, b.ns)) / ((max(ends) - start) * THREADS * n)
        print("%s: %.2f %% of the time" % (name, 100 * off))
        if off > MOST_OFF:
            print("%s is in the wrong part: ms %s, not %s" % (name, [round(x / 1e6) for x in a.ns], [round(x / 1e6) for x in b.ns]))
            bad = 1
    # a rank's slices become twice as long when they are too many: of two runs, of which one takes twice as long, they surely differ
    if (len(lengths) < 2 and max(took) > 2.05 * min(took)) or max(starts) - min(starts) < 50e6:
        print("the ranks' slices are all alike: %s, of %s ns, begun within %d ns" % (lengths, took, max(starts) - min(starts)))
        bad = 1
    # in the same slices of each rank, the threads of all ranks: no more time than there is
    most = max(sum(course[c][i] for c in ("work_ns", "wait_ns", "manage_ns", "idle_ns", "mpi_ns")) for i in range(len(course["slice"])))
    if most > 1.01 * slice_ns * THREADS * n or len(course["slice"]) > 1000:
        print("a slice has %d ns, and can have %d; %d slices" % (most, slice_ns * THREADS * n, len(course["slice"])))
        bad = 1
    sys.exit(bad)


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
else:
    judge(int(sys.argv[2]), sys.argv[3], json.load(open(sys.argv[4])), [json.load(open(path)) for path in sys.argv[5:]])
