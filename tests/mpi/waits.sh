# waits: how long each rank waited for others in MPI, and for which, and the offsets of clocks: programs of sleeping ranks say by
# their own stamps what it has to be, of 2 to 16 ranks of each MPI that is there, also where ranks have clocks of their own, of
# calls that wait themselves, and of those that complete what others began;
# of many calls as many are compared on all ranks; where the order of messages is not known nothing is told; and a rank that
# others wait for is named
. "$srcdir/tests/lib.sh"
need python3
waits="python3 $srcdir/tests/mpi/waits.py"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=1

# Each rank reads a clock of its own: 1000 s more than the rank before it.
cat >apart.sh <<'S'
rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
exec unshare -T --monotonic $((rank * 1000)) "$@"
S
can_unshare=
! unshare -T --monotonic 1000 true 2>err || can_unshare=1

# judged MPI SEED RANKS [OFFSETS COMMAND…]: runs the program a few times, until each number was right once.
judged() {
	mpi=$1 seed=$2 ranks=$3 offsets=${4:-$(yes 0 | head -n "$3" | paste -sd,)} tries=0
	shift $(($# > 3 ? 4 : 3))
	$waits make "$seed" "$ranks" >waits.c
	mpicc.$mpi -g -O1 -w waits.c -o waits || fail "$mpi: seed $seed: not compiled"
	rm -f left
	until
		rm -rf out stamps.*
		# shellcheck disable=SC2086
		OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n "$ranks" "$@" ompp run ./waits >said 2>err </dev/null ||
			{ cat said err; fail "$mpi: seed $seed, $ranks ranks: status $?"; }
		cat stamps.* >stamps
		ompp report --format=json out/*.ompp >all.json || fail "$mpi: no report"
		$waits judge "$seed" "$ranks" stamps all.json "$offsets" left >why 2>&1
	do
		[ $((tries += 1)) -lt 6 ] || { cat why; fail "$mpi: seed $seed, $ranks ranks, clocks $offsets"; }
	done
}

# Rank 1 is late by 2 ms at each eighth of many calls.
cat >often.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}
int main(int argc, char **argv)
{
	int rank, x = 0;
	long long in = 0, begin;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 3000; i++) {
		if (rank == 1 && i % 8 == 0)
			usleep(2000);
		begin = now();
		MPI_Barrier(MPI_COMM_WORLD);
		in += now() - begin;
	}
	for (int i = 0; i < 9000; i++) {
		if (rank == 1)
			MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	printf("in %d %lld\n", rank, in);
	return 0;
}
C

# A receive that any message may answer goes on while others of the same sender and tag are begun; one that is cancelled.
cat >unknown.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
	int rank, x = 0, y = 0;
	MPI_Request any, one;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1)
		for (int i = 0; i < 3; i++)
			MPI_Send(&x, 1, MPI_INT, 0, i == 2, MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &any);
		MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Wait(&any, MPI_STATUS_IGNORE);
		MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Irecv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &one);
		MPI_Cancel(&one);
		MPI_Wait(&one, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
C

# Messages whose ranks and tags are such numbers as copies of communicators and persistent operations are counted by: 0 -> 3 and
# 0 -> 1, tag 0, before and between the first of them.
cat >words.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Request request;
	MPI_Comm copy;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
	MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#endif
	for (int i = 0; i < 5; i++) {
		for (int to = 1; to < 4; to += 2) {
			if (rank == 0)
				MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
			if (rank == to)
				MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
		MPI_Barrier(copy);
#if MPI_VERSION >= 4
		MPI_Start(&request);
		MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
#endif
	}
	MPI_Finalize();
	return 0;
}
C

found=
for mpi in mpich openmpi; do
	command -v mpicc.$mpi >/dev/null && command -v mpirun.$mpi >/dev/null || continue
	found=1 root=
	[ $mpi != openmpi ] || root="--allow-run-as-root --oversubscribe"
	judged $mpi $$ 2
	[ $mpi = openmpi ] || judged $mpi 1 6
	[ -z "$can_unshare" ] || judged $mpi 2 3 0,-1000000000000,-2000000000000 sh ./apart.sh
	[ $mpi = mpich ] || judged $mpi 4 16
	[ $mpi = mpich ] || judged $mpi 3 4
	ompp report --view=messages out/*.ompp >text
	grep -q '^Calls that waited for other ranks, of all ranks:$' text || { cat text; fail "$mpi: text"; }
	# of many calls those of the same number are kept on both ranks
	mpicc.$mpi -g -O1 -w often.c -o often
	rm -rf out
	# shellcheck disable=SC2086
	OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n 2 ompp run ./often >said 2>err || { cat said err; fail "$mpi: often: status $?"; }
	ompp report --format=json out/*.ompp >all.json
	python3 - <<'P' >why || { cat why; fail "$mpi: many calls"; }
import json
p = json.load(open("all.json"))
w, regions = p["rank_waits"], p["regions"]["name"]
rows = {(regions[w["region"][i]], w["rank"][i]): i for i in range(len(w["rank"]))}
barriers = [rows["MPI_Barrier", rank] for rank in (0, 1)]
print(w)
n = [w["compared_calls"][i] for i in barriers]
assert n[0] == n[1] and 700 < n[0] <= 2048, n
n = w["compared_calls"][rows["MPI_Recv", 0]]
assert n == w["compared_calls"][rows["MPI_Send", 1]] and 900 < n <= 2048, n
# rank 1 sleeps 2 ms before 375 of 3000 calls, so rank 0 waits as long in as many of 3000 of them
late = w["waited_for_last_ns"][barriers[0]] / w["compared_calls"][barriers[0]]
took = [int(l.split()[2]) for l in open("said") if l.startswith("in 0 ")][0] / 3000
print(late, took)
assert 0.7 * 250e3 < late < 1.3 * took, "rank 0 waits for 1"
assert w["others_waited_ns"][barriers[1]] > 0.7 * 250e3 * w["compared_calls"][barriers[1]], "it is said of rank 1"
P
	mpicc.$mpi -g -O1 -w unknown.c -o unknown
	rm -rf out
	# shellcheck disable=SC2086
	OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n 2 ompp run ./unknown >said 2>err || { cat said err; fail "$mpi: unknown: status $?"; }
	ompp report --format=json out/*.ompp | python3 -c 'import json, sys
w = json.load(sys.stdin)["rank_waits"]
print(w)
sys.exit(sum(w["compared_calls"]))' >why || { cat why; fail "$mpi: told of messages whose order is not known"; }
	mpicc.$mpi -g -O1 -w words.c -o words
	rm -rf out
	# shellcheck disable=SC2086
	OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n 4 ompp run ./words >said 2>err || { cat said err; fail "$mpi: words: status $?"; }
	ompp report --format=json out/*.ompp | python3 -c 'import json, sys
p = json.load(sys.stdin)
w, regions, have = p["rank_waits"], p["regions"]["name"], {}
for region, rank, n in zip(w["region"], w["rank"], w["compared_calls"]):
    name = regions[region], rank
    have[name] = have.get(name, 0) + n
print(have)
has_starts = any(name == "MPI_Waitall" for name in regions)
want = {("MPI_Send", 0): 10, ("MPI_Recv", 1): 5, ("MPI_Recv", 3): 5}
for rank in range(4):
    want["MPI_Barrier", rank] = 5
    if has_starts:
        want["MPI_Waitall", rank] = 5
sys.exit(any(have.get(name, 0) != n for name, n in want.items()))' >why || { cat why; fail "$mpi: messages and collective calls are taken for each other"; }
done
[ -n "$found" ] || skip "neither MPICH nor Open MPI is installed"
[ -n "$can_unshare" ] || echo "no clocks of their own here: only ranks of one clock were judged"
