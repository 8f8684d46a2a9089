# efficiency.py make SEED RANKS THREADS: prints a program of random phases, in which ranks and threads sleep for times that
# are known, and wait for each other; RANKS 0: without MPI.  It prints how long each rank took for each phase, of that in MPI,
# and each thread's sleep by its own clock, as others on the machine delay it: "stamp RANK PHASE WALL MPI BEGIN SLEEP…", ns,
# with the begin of its call, and then how long after the phase each thread began to sleep.
# efficiency.py judge SEED RANKS THREADS STAMPS PROFILE.json LEFT: adds up these times as the definitions of the efficiencies
# say, and compares those of the run and of its parallel regions with those of the profile of all ranks.  Until a thread of a
# team begins it either waits or is being started, which the program cannot tell: a number may be between the two.  Where
# others delay threads in other ways numbers are off by chance; so the file LEFT keeps those that were wrong in all runs.
import json, os, random, sys

MOST_DIFFERENCE = 0.02
NAMES = ["parallel_efficiency", "mpi_efficiency", "mpi_load_balance", "mpi_communication", "mpi_serialisation", "mpi_transfer", "openmp_efficiency", "openmp_serial",
         "openmp_region", "openmp_load_balance", "openmp_scheduling"]


# What happens, in order: a kind and milliseconds, by rank and thread.
def phases(seed, n_ranks, n_threads):
    rng = random.Random(seed)
    ranks = range(max(n_ranks, 1))
    some = lambda: rng.choice([40, 80, 120, 200])
    kinds = ["serial", "team", "critical", "single", "small", "team", "serial"]
    if n_ranks:
        kinds += ["barrier", "message", "barrier", "master"]
    rng.shuffle(kinds)
    if n_ranks:
        kinds.insert(rng.randrange(len(kinds)), "one")
    for kind in kinds:
        base = some()  # so that threads and ranks differ, and some regions are balanced
        if kind in ("serial", "single", "critical"):
            yield kind, [some() for _ in ranks]
        elif kind == "master":  # ranks that wait in MPI keep processors busy, which delays those that sleep
            yield kind, [rng.choice([120, 160, 240]) for _ in ranks]
        elif kind in ("team", "small"):
            even = rng.random() < 0.3
            yield kind, [[base if even else some() for _ in range(n_threads)] for _ in ranks]
        elif kind == "one":
            yield kind, [320 if r == len(ranks) - 1 else 0 for r in ranks]
        else:
            yield kind, None


# ---- the program ----

PROLOGUE = """#include <omp.h>
#include <stdio.h>
#include <time.h>
%s
enum { MOST_PHASES = 40, MOST_THREADS = 16 };
static long long wall[MOST_PHASES], mpi[MOST_PHASES], came[MOST_PHASES], slept[MOST_PHASES][MOST_THREADS];
static long long begin, late[MOST_PHASES][MOST_THREADS];
static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}
static void nap(int phase, int ms)
{
	struct timespec t = { ms / 1000, ms %% 1000 * 1000000L };
	long long since = now();

	late[phase][omp_get_thread_num()] = since - begin;
	nanosleep(&t, NULL);
	slept[phase][omp_get_thread_num()] += now() - since;
}
int main(int argc, char **argv)
{
	int rank = 0, x = 0;
	long long call;"""

# The calls of MPI are in time from one stamp to the next.
TIMED = "call = now();\n\t%s\n\tmpi[%d] += now() - call;\n\tcame[@] = call;"


def make(seed, n_ranks, n_threads):
    lines, regions = [], []

    def line(text):
        lines.extend(text.split("\n"))

    def table(i, values):
        line("\tstatic const int t%d[] = { %s };" % (i, ", ".join(map(str, values))))

    line(PROLOGUE % ("#include <mpi.h>" if n_ranks else ""))
    line("\t(void)x, (void)call, (void)argc, (void)argv;")
    if n_ranks:
        line("\tint given;\n\tMPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);\n\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);")
    for i, (kind, ms) in enumerate(phases(seed, n_ranks, n_threads)):
        if ms:
            table(i, [v for row in ms for v in row] if isinstance(ms[0], list) else ms)
        mine, its = "nap(%d, t%d[rank]);" % (i, i), "nap(%d, t%d[rank * %d + omp_get_thread_num()]);" % (i, i, n_threads)
        line("\tbegin = now();")
        if kind in ("serial", "one"):
            line("\t" + mine)
        elif kind == "barrier":
            line("\t" + TIMED % ("MPI_Barrier(MPI_COMM_WORLD);", i))
        elif kind == "message":
            line("\tif (rank == 0) {\n\t" + TIMED % ("MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);", i) + "\n\t}\n\tif (rank == 1) {\n\t" +
                 TIMED % ("MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", i) + "\n\t}")
        else:
            regions.append(len(lines) + 1)
            line("#pragma omp parallel num_threads(%d)\n\t{" % (max(1, n_threads // 2) if kind == "small" else n_threads))
            if kind in ("team", "small"):
                line("\t\t" + its)
            elif kind == "critical":
                line("#pragma omp critical\n\t\t" + mine)
            elif kind == "single":
                line("#pragma omp single\n\t\t" + mine)
            else:  # the others wait at the end, while the first thread is in MPI
                line("#pragma omp master\n\t\t{\n\t" + mine + "\n\t" +
                     TIMED % ("MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);", i) + "\n\t\t}")
            line("\t}")
        lines[:] = [l.replace("[@]", "[%d]" % i) for l in lines]
        line("\twall[%d] = now() - begin;" % i)
    if n_ranks:
        line("\tMPI_Finalize();")
    line("""	for (int i = 0; i < %d; i++) {
		char text[1000];
		int n = sprintf(text, "stamp %%d %%d %%lld %%lld %%lld", rank, i, wall[i], mpi[i], came[i]);
		for (int k = 0; k < %d; k++)
			n += sprintf(text + n, " %%lld", slept[i][k]);
		for (int k = 0; k < %d; k++)
			n += sprintf(text + n, " %%lld", late[i][k]);
		puts(text);
	}
	return 0;
}""" % (i + 1, n_threads, n_threads))
    return lines, regions


# ---- what it has to do ----

class Rank:
    """Milliseconds of one rank: wall in all, in MPI outside of teams; of threads: in teams, in MPI there, waiting there."""

    def __init__(self, wall=0, mpi=0):
        self.wall, self.mpi = wall, mpi
        self.in_region = self.team = self.team_mpi = self.balance = self.scheduling = 0
        self.wait = self.team_wait = 0  # of that in MPI

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def team(kind, n, wall, mpi, slept, started):
    """A parallel region of n threads: those who do not sleep, are not in MPI, and are not being started, wait."""
    r = Rank(wall)
    r.in_region, r.team, r.team_mpi = wall, n * wall, mpi
    if kind == "critical":  # each waits for those before it, and then at the end for those behind it
        r.scheduling = sum(slept) / n * n * (n - 1) / 2
    if kind in ("team", "small"):
        r.scheduling = sum(started[:n])
    r.balance = r.team - mpi - sum(slept) - r.scheduling
    return r


def play(seed, n_ranks, n_threads, stamps, is_started):
    """Returns the ranks of the run, and of each parallel region.  is_started: 1 when late threads are being started, else 0"""
    run, regions = [Rank() for _ in range(max(n_ranks, 1))], []
    for i, (kind, ms) in enumerate(phases(seed, n_ranks, n_threads)):
        here = []
        for r in range(len(run)):
            wall, mpi, came, *of_threads = stamps[r, i]
            slept, late = of_threads[:n_threads], [is_started * ms for ms in of_threads[n_threads:]]
            n = max(1, n_threads // 2) if kind == "small" else n_threads
            planned = 0 if ms is None else sum(ms[r][:n]) if isinstance(ms[r], list) else ms[r] * (n if kind == "critical" else 1)
            if sum(slept) < planned:
                sys.exit("phase %d of rank %d: slept less than it had to" % (i, r))
            here.append(Rank(wall, mpi) if kind in ("serial", "one", "barrier", "message") else team(kind, n, wall, mpi, slept, late))
        # All wait for the last at a collective call, and rank 1 for what rank 0 sends; a message of a few bytes is away at once.
        came, calls = [[stamps[r, i][k] for r in range(len(run))] for k in (2, 1)]
        for r, h in enumerate(here):
            if kind == "barrier":
                h.wait = max(came) - came[r]
            elif kind == "master":
                h.team_wait = max(came) - came[r]
            elif kind == "message" and r == 1:
                h.wait = min(max(0, came[0] - came[1]), calls[1])
        for r, h in zip(run, here):
            r.add(h)
        if here[0].team:
            regions.append(here)
    return run, regions


def efficiencies(ranks, n_threads, has_mpi):
    """As the POP project defines them (ompp-efficiency(7)), of lists of what each thread did."""
    wall = max(r.wall for r in ranks)
    outside = [r.wall - r.mpi - r.team_mpi / n_threads for r in ranks]  # by rank
    useful = sum(r.wall - r.mpi - r.in_region + r.team - r.team_mpi - r.balance - r.scheduling for r in ranks)
    at_work = sum(r.wall - r.mpi - r.in_region + r.team - r.team_mpi for r in ranks)
    scheduled = at_work - sum(r.scheduling for r in ranks)
    e = {"openmp_efficiency": useful / n_threads / sum(outside), "openmp_serial": at_work / n_threads / sum(outside),
         "openmp_region": useful / at_work, "openmp_load_balance": useful / scheduled, "openmp_scheduling": scheduled / at_work,
         "parallel_efficiency": useful / (wall * n_threads * len(ranks))}
    if has_mpi:
        e["mpi_efficiency"] = sum(outside) / len(ranks) / wall
        e["mpi_load_balance"] = sum(outside) / len(ranks) / max(outside)
        e["mpi_communication"] = max(outside) / wall
        ideal = max(o + r.wait + r.team_wait / n_threads for o, r in zip(outside, ranks))
        e["mpi_serialisation"] = max(outside) / ideal
        e["mpi_transfer"] = ideal / wall
    return e


def judge(seed, n_ranks, n_threads, said, path, left):
    stamps = {}
    for line in open(said):
        words = line.split()
        if words[:1] == ["stamp"]:
            stamps[int(words[1]), int(words[2])] = [int(w) / 1e6 for w in words[3:]]
    profile = json.load(open(path))
    got, regions = profile["efficiency"], profile["regions"]
    runs, parts = zip(*(play(seed, n_ranks, n_threads, stamps, is_started) for is_started in (0, 1)))
    lines = make(seed, n_ranks, n_threads)[1]
    bad = {}

    def compare(what, row, *ranks):
        wants = [efficiencies(r, n_threads, n_ranks > 0) for r in ranks]
        for name in NAMES:
            have, should = got[name][row], sorted(want[name] for want in wants if name in want)
            if (have is None) != (not should) or (
                    should and not should[0] - MOST_DIFFERENCE <= have <= should[-1] + MOST_DIFFERENCE):
                bad["%s: %s" % (what, name)] = "is %s, not %s" % (have, should)

    if n_ranks and got["processes"][0] != n_ranks:
        sys.exit("not of %d ranks" % n_ranks)
    if got["threads"][0] != n_threads * max(n_ranks, 1):
        sys.exit("%d threads" % got["threads"][0])
    compare("run", 0, *runs)
    rows = {regions["begin_line"][r]: i for i, r in enumerate(got["region"]) if r is not None}
    for line, *part in zip(lines, *parts):
        if line not in rows:
            sys.exit("no row for the region at line %d" % line)
        compare("region at line %d" % line, rows[line], *part)
    if os.path.exists(left):
        before = json.load(open(left))
        bad = {what: before[what] + "; " + words for what, words in bad.items() if what in before}
    json.dump(bad, open(left, "w"))
    for what, words in bad.items():
        print(what, words)
    sys.exit(bool(bad))


seed, n_ranks, n_threads = map(int, sys.argv[2:5])
if sys.argv[1] == "make":
    print("\n".join(make(seed, n_ranks, n_threads)[0]))
else:
    judge(seed, n_ranks, n_threads, *sys.argv[5:])
