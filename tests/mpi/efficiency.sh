# efficiency: programs of random phases, in which ranks and threads sleep for known times and wait for each other, have the
# efficiencies that their arithmetic gives, of the run and of each parallel region, within 0.02: of 2, 4 and 16 ranks of each
# MPI that is there, and without MPI; and of ranks without OpenMP
. "$srcdir/tests/lib.sh"
need python3
judge="python3 $srcdir/tests/mpi/efficiency.py"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false

# judged NAME SEED RANKS THREADS COMMAND…: runs the program a few times, until each number was right once.
judged() {
	name=$1 seed=$2 ranks=$3 threads=$4 tries=0
	shift 4
	rm -f left
	until
		rm -rf out
		OMP_NUM_THREADS=$threads OMPP_OUTDIR=$PWD/out "$@" >said 2>err || { cat said err; fail "$name: status $?"; }
		ompp report --format=json out/*.ompp >all.json || fail "$name: no report"
		$judge judge "$seed" "$ranks" "$threads" said all.json left >why
	do
		[ $((tries += 1)) -lt 6 ] || { cat why; fail "$name: seed $seed, $ranks ranks, $threads threads"; }
	done
}

for seed in 1 $$; do
	for threads in 2 5; do
		$judge make "$seed" 0 $threads >alone.c
		kinst gcc -g -O1 -fopenmp alone.c -o alone || fail 'kinst'
		judged 'without MPI' "$seed" 0 $threads ./alone
	done
done
ompp report --view=efficiency out/*.ompp >text || fail 'text'
grep -q '^No calls of MPI were measured' text && grep -q '^parallel efficiency  *([0-9.]*%)  *-  *measured' text || { cat text; fail 'text without MPI'; }
ompp report out/*.ompp | grep -q 'Efficiency.* $' && fail 'the section is there where it was not asked for'

cat >plain.c <<'C'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	usleep(rank ? 250000 : 1000000);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
C

for mpi in $(mpis); do
	root=$(mpi_options "$mpi")
	for size in 2:4 4:2 16:2; do
		ranks=${size%:*} threads=${size#*:} seed=$$
		[ "$ranks" != 4 ] || seed=1
		$judge make $seed "$ranks" "$threads" >ranks.c
		kinst mpicc.$mpi -g -O1 -w -fopenmp ranks.c -o ranks || fail "$mpi: kinst"
		# shellcheck disable=SC2086
		judged $mpi $seed "$ranks" "$threads" mpirun.$mpi $root -n "$ranks" ./ranks
		rm -rf "out-$ranks"
		cp -r out "out-$ranks"
	done
	ompp report out/*.ompp >text
	grep -q '^The run: 32 threads of 16 ranks, [0-9.]* s without starting and ending MPI:$' text || { cat text; fail "$mpi: text"; }
	ompp report --format=csv --view=efficiency out/*.ompp >csv
	grep -q '^load balance of ranks,2,[0-9.]*,-,measured,' csv && grep -q '^##BEG efficiency by region$' csv || { cat csv; fail "$mpi: CSV"; }
	# without OpenMP, as it is: 1.25 of two seconds are useful
	mpicc.$mpi plain.c -o plain
	tries=0
	until
		rm -rf out
		# shellcheck disable=SC2086
		OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n 2 ompp run ./plain >said 2>err || { cat said err; fail "$mpi: ompp run: status $?"; }
		ompp report --format=json out/*.ompp | python3 -c 'import json, sys
e = json.load(sys.stdin)["efficiency"]
got = [e[name][0] for name in ("parallel_efficiency", "mpi_load_balance", "mpi_communication", "openmp_efficiency")]
print(got)
sys.exit(any(abs(g - w) > 0.02 for g, w in zip(got, (0.625, 0.625, 1, 1))))' >why
	do
		[ $((tries += 1)) -lt 6 ] || { cat why; fail "$mpi: without OpenMP"; }
	done
	# of several runs, a column for each
	ompp scaling --format=json out-4/*.ompp out-16/*.ompp >scaling.json || fail "$mpi: ompp scaling"
	for ranks in 4 16; do
		ompp report --format=json out-$ranks/*.ompp >$ranks.json
	done
	python3 - 4.json 16.json <<'P' || fail "$mpi: efficiencies of several runs"
import json, sys
reports, scaling = [json.load(open(p))["efficiency"] for p in sys.argv[1:]], json.load(open("scaling.json"))
assert [(p["processes"], p["threads"]) for p in scaling["points"]] == [(4, 8), (16, 32)]
for e, p in zip(reports, scaling["points"]):
    for row in scaling["efficiencies"][2:]:
        have, want = p[row["name"]], e[row["name"]][0]
        assert have is None and want is None or abs(have - want) < 1e-6, (row, have, want)
    computation = reports[0]["useful_ns"][0] / e["useful_ns"][0]
    assert abs(p["computation_scaling"] - computation) < 1e-6 and abs(p["global_efficiency"] - computation * e["parallel_efficiency"][0]) < 1e-6
P
	ompp scaling out-4/*.ompp out-16/*.ompp | grep -q '^efficiency  *8 (4 x 2)  *32 (16 x 2)$' || fail "$mpi: the table of several runs"
	# of a part of the ranks the balance is not known
	ompp report --format=json out-16/*.r[0-3]-*.ompp | python3 -c 'import json, sys
e = json.load(sys.stdin)["efficiency"]
sys.exit(e["mpi_load_balance"][0] is not None or e["mpi_transfer"][0] is not None or e["mpi_efficiency"][0] is None)' || fail "$mpi: the balance of a part of the ranks"
done
[ -n "$(mpis)" ] || skip "neither MPICH nor Open MPI is installed; without MPI it is right"
