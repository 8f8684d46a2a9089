# ranks.py make SEED MODE RANKS: prints a program of sleeping ranks; MODE is what one rank, chosen by chance, does longer: serial
# (by its first thread alone), region (a parallel region); two ranks do (several); none does (even); or in each rank one thread
# does (threads).
# ranks.py judge SEED MODE RANKS PROFILE.json: does the finding UnequalRanks, or SerialPartOfOneRank where its first thread
# works alone, say this rank, where, and what it costs, and the other one not?  Status 3: the machine was too busy for it to say anything.
import json, random, sys

MORE_MS = 1500


def choice(seed, n):
    rng = random.Random(seed)
    first = rng.randrange(n)
    return first, (first + 1) % n


def make(seed, mode, n):
    ranks = choice(seed, n)[: 2 if mode == "several" else 1]
    has_more = " || ".join("rank == %d" % r for r in ranks)
    more = "(%s ? %d : 0)" % (has_more, MORE_MS)
    lines = """#include <mpi.h>
#include <omp.h>
#include <unistd.h>
static void nap(int ms)
{
	usleep(ms * 1000);
}
int main(int argc, char **argv)
{
	int rank, given;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	nap(100 + %s);
	MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel num_threads(2)
	nap(100 + %s);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}""" % (more if mode == "serial" else "0", {"region": more, "several": more, "threads": "(omp_get_thread_num() ? %d : 0)" % MORE_MS}.get(mode, "0"))
    return lines.split("\n")


def judge(seed, mode, n, path):
    profile = json.load(open(path))
    name = "SerialPartOfOneRank" if mode == "serial" else "UnequalRanks"
    of_ranks = [f for f in profile["findings"]["list"] if f["name"] in ("SerialPartOfOneRank", "UnequalRanks")]
    regions, findings = profile["regions"], of_ranks if mode in ("even", "threads") else [f for f in of_ranks if f["name"] == name]
    if mode in ("even", "threads"):
        # of what is left of 0.2 s, some ms are the machine's
        sys.exit("found where ranks have as much to do: %s" % findings if any(f["gain_ns"] > 60e6 for f in findings) else 0)
    n_more = 2 if mode == "several" else 1
    gain = MORE_MS * 1e6 * (1 - n_more / n)
    if not findings and max(profile["processes"]["queued_ns"][r] for r in choice(seed, n)[:n_more]) > 0.4 * gain:
        print("the rank waited for a processor, so nothing is said")
        sys.exit(3)
    if not findings:
        sys.exit("not found")
    f = findings[0]
    if len(of_ranks) > 1:
        sys.exit("two findings: %s" % of_ranks)
    if abs(f["gain_ns"] - gain) > 0.15 * gain:
        sys.exit("could save %d ns, not %d" % (f["gain_ns"], gain))
    if abs(f["time_ns"] - f["gain_ns"] * 2 * n) > 2 * n:
        sys.exit("costs %d ns" % f["time_ns"])
    if mode != "several" and ("s was for this rank; it was the last in " not in f["evidence"] or " collective calls." not in f["evidence"]):
        sys.exit("does not say that others waited for it: " + f["evidence"])
    ranks = ["rank %d (host " % r for r in choice(seed, n)[:n_more]]
    if mode == "serial":
        more = max(float(w) for w in f["evidence"].split("has ")[1].split(" s,")[:1])
        if "Outside of MPI and of parallel regions, " + ranks[0] not in f["evidence"] or abs(more - 1.6) > 0.15:
            sys.exit(f["evidence"])
    elif not any(("Outside of MPI, " + r) in f["evidence"] for r in ranks):
        sys.exit("%s: not %s" % (f["evidence"], ranks))
    if ("It stands out" in f["evidence"]) != (mode == "region" and n > 2):
        sys.exit("stands out: " + f["evidence"])
    line = None if f["region"] is None else regions["begin_line"][f["region"]]
    want = None if mode == "serial" else 1 + next(i for i, text in enumerate(make(seed, mode, n)) if "omp parallel" in text)
    if line != want:
        sys.exit("at line %s, not %s" % (line, want))


seed, mode, n = int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
if sys.argv[1] == "make":
    print("\n".join(make(seed, mode, n)))
else:
    judge(seed, mode, n, sys.argv[5])
