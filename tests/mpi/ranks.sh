# ranks: a rank of MPI that has more to do than the others is found, with its name, its region, and what it costs, in programs of
# sleeping ranks; where all have as much to do, and where threads alone differ, it is not
. "$srcdir/tests/lib.sh"
need python3
judge="python3 $srcdir/tests/mpi/ranks.py"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false

# judged MPI SEED MODE RANKS
judged() {
	$judge make "$2" "$3" "$4" >ranks.c
	kinst "mpicc.$1" -g -O1 -w -fopenmp ranks.c -o ranks || fail "$1: kinst"
	tries=0
	while :; do
		rm -rf out
		# shellcheck disable=SC2086
		OMPP_OUTDIR=$PWD/out mpirun.$1 $root -n "$4" ./ranks >said 2>err || { cat said err; fail "$1: $3: status $?"; }
		ompp report --format=json out/*.ompp >all.json || fail "$1: $3: no report"
		status=0
		$judge judge "$2" "$3" "$4" all.json >why 2>&1 || status=$?
		[ $status != 0 ] || { n_judged=$((n_judged + 1)); break; }
		[ $((tries += 1)) -ge 4 ] || continue
		[ $status = 3 ] || { cat why; fail "$1: seed $2, $3, $4 ranks"; }
		echo "$1: $3: $(cat why)"
		break
	done
}

n_judged=0
found=
for mpi in mpich openmpi; do
	command -v mpicc.$mpi >/dev/null && command -v mpirun.$mpi >/dev/null || continue
	found=1 root=
	[ $mpi != openmpi ] || root="--allow-run-as-root --oversubscribe"
	for mode in serial region threads; do
		judged $mpi $$ $mode 4
	done
	judged $mpi 1 several 6
	judged $mpi 1 serial 2
	judged $mpi 1 even 4
done
[ $n_judged -gt 6 ] || [ -z "$found" ] || skip 'the machine is too busy to judge the finding'
[ -n "$found" ] || skip "neither MPICH nor Open MPI is installed"
