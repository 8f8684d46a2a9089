# rank_course: the course of a run of MPI: what the merged report says of each part of it is the time of all threads of all ranks, as
# sleeping ranks say when they slept, waited and were in teams; ranks begin at other times, and have slices of other lengths
. "$srcdir/tests/lib.sh"
need python3
course="python3 $srcdir/tests/mpi/rank_course.py"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false

cat >later.sh <<'S'
rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
sleep 0.$((rank * 7 % 9))
exec "$@"
S

# judged MPI SEED RANKS
judged() {
	mpi=$1 seed=$2 ranks=$3 tries=0
	$course make "$seed" "$ranks" >course.c
	kinst "mpicc.$mpi" -g -O1 -w -fopenmp course.c -o course || fail "$mpi: kinst"
	while :; do
		rm -rf out said said.*
		# shellcheck disable=SC2086
		OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n "$ranks" sh ./later.sh ./course >all 2>err </dev/null ||
			{ cat all err; fail "$mpi: status $?"; }
		cat said.* >said
		set --
		for r in $(seq 0 $((ranks - 1))); do
			ompp report --format=json out/*.r"$r"-*.ompp >"$r.json" || fail "$mpi: no profile of rank $r"
			set -- "$@" "$r.json"
		done
		ompp report --format=json out/*.ompp >merged.json || fail "$mpi: not merged"
		! $course judge "$ranks" said merged.json "$@" >why 2>&1 || break
		[ $((tries += 1)) -lt 5 ] || { cat why; fail "$mpi: seed $seed, $ranks ranks"; }
	done
	cat why
	ompp report --view=course out/*.ompp >text
	grep -q '^ *[1-9][0-9]* .*#' text || { cat text; fail "$mpi: the picture"; }
}

for mpi in $(mpis); do
	root=$(mpi_options "$mpi")
	judged "$mpi" 1 3
	judged "$mpi" $$ 5
done
[ -n "$(mpis)" ] || skip "neither MPICH nor Open MPI is installed"
