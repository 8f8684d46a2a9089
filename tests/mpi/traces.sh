# traces: the timelines of ranks for Perfetto and Paraver have each call of MPI, message and parallel region when the
# program did it, by its own stamps, and each receive is that of the send whose message it got: random programs, with
# each MPI, of 2, 3 and 4 ranks; with a rank's trace missing its messages have no other end, which is said
. "$srcdir/tests/lib.sh"
need python3
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMP_DYNAMIC=false

for mpi in $(mpis); do
	root=$(mpi_options "$mpi")
	kinst mpicc.$mpi -g -O1 -w -fopenmp "$srcdir/tests/mpi/traces.c" -o traces || fail "$mpi: kinst"
	for ranks in 2 3 4; do
		rm -rf out stamps.* t.*
		# shellcheck disable=SC2086
		OMPP_TRACE=1 OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n $ranks ./traces $$ >said 2>err ||
			{ cat said err; fail "$mpi: $ranks ranks"; }
		ompp flow --paraver=t.prv out/*.flow 2>err && ompp flow --chrome=t.chrome out 2>>err && [ ! -s err ] ||
			{ cat err; fail "$mpi: $ranks ranks: ompp flow"; }
		ompp flow --view=events --format=json out >events.json || fail "$mpi: events"
		python3 "$srcdir/tests/mpi/traces.py" $ranks t.prv t.chrome events.json || fail "$mpi: $ranks ranks, seed $$"
	done
	ompp flow --paraver=part.prv out/*.r[0-2]-0*.flow 2>err || fail "$mpi: a part of the ranks"
	grep -q 'sends and receives have no other end in these traces' err || { cat err; fail "$mpi: a part: $(cat err)"; }
	! ompp flow --paraver=part.prv out/*.flow 2>err || fail 'a file is overwritten'
	grep -q 'part.prv: cannot be made: File exists; give the name of a file that does not exist' err || fail "$(cat err)"
	rm -f part.*
done
[ -n "$(mpis)" ] || skip "neither MPICH nor Open MPI is installed"
