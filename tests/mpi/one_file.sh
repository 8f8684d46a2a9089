# one_file: 'mpirun -n N ompp run ./prog' leaves one file with the profiles of all ranks and prints one report; the file says what
# those of the ranks say together; where a rank was killed the others' stay and it is named; the program's output is as without
. "$srcdir/tests/lib.sh"
unset KINST KINST_FLAGS
export OMP_NUM_THREADS=2
cat >prog.c <<'C'
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
	usleep(1000 * (rank + 1));
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == size - 1)
		fprintf(stderr, "said by %d\n", rank);
	if (argc > 1 && rank == 1)
		raise(SIGKILL);
	MPI_Finalize();
	return 0;
}
C
# may ompp name the files of this folder in a command, which has no quotes?
is_plain=1
case $(pwd -P) in *[!A-Za-z0-9._/+=,@%-]*) is_plain= ;; esac
[ "$(pwd -P | wc -c)" -lt 350 ] || is_plain=

# told_of WHAT: takes what rank 0 of 4 said of one report of all to the file how.
told_of() {
	cat said err | tr -d '\r' | grep -o 'ompp: one report of all 4 ranks.*' >how || { cat said err; fail "$mpi: $1: how to add up"; }
	[ "$(wc -l <how)" -eq 1 ] || { cat how; fail "$mpi: $1: how to add up is said more than once"; }
}

# does_all WHAT COMMAND: fails unless the command makes a report of 4 ranks.
does_all() {
	PATH=$builddir:$PATH sh -c "$2 --view=summary" >text 2>err || { echo "$2"; cat err; fail "$mpi: $1: the command"; }
	grep -q ' threads in 4 MPI ranks' text || { echo "$2"; cat text; fail "$mpi: $1: what the command says"; }
}

# says_each WHAT FILE: fails unless the file names no command but says that the profile of each rank is needed.
says_each() {
	grep -q ': ompp report with the profile ' "$2" && ! grep -q 'r\*' "$2" || { cat "$2"; fail "$mpi: $1: a command that does not fit"; }
}

for mpi in $(mpis); do
	root=$(mpi_options "$mpi")
	kinst mpicc.$mpi -fopenmp prog.c -o prog
	for ranks in 2 9; do
		rm -rf out
		mkdir out
		# shellcheck disable=SC2086
		OMPP_OUTDIR=out mpirun.$mpi $root -n $ranks ompp run ./prog >said 2>err || { cat said err; fail "$mpi: $ranks: $?"; }
		ls out >have
		echo "prog.2.ranks$ranks-0.ompp" >want
		same "$mpi: what $ranks ranks leave" want have
		[ "$(grep -c 'ompP Summary' said)" -eq 1 ] && grep -q " threads in $ranks MPI ranks" said || { cat said err; fail "$mpi: $ranks: report"; }
		grep -q "said by $((ranks - 1))$" err || fail "$mpi: what it says"
		# Open MPI's ranks have a terminal for stderr, too
		[ "$(cat said err | grep -c 'ompp: profile: out/prog')" -eq 1 ] || { cat err; fail "$mpi: $ranks: the name"; }
		ompp report --format=csv --view=flat out/*.ompp >flat
		for rank in 0 $((ranks - 1)); do
			grep -q "^r$rank:1," flat || fail "$mpi: $ranks: rank $rank"
		done
	done
	# the same profiles apart and together say the same
	rm -rf out && mkdir out
	# shellcheck disable=SC2086
	OMPP_QUIET=1 OMPP_OUTDIR=out mpirun.$mpi $root -n 3 ompp run --apart ./prog >said 2>err || { cat said err; fail "$mpi: apart: $?"; }
	[ "$(ls out/*.r[0-2]-0.ompp | wc -l)" -eq 3 ] || fail "$mpi: apart"
	# Open MPI's ranks have a terminal for stdout, too, but nobody reads there: no pager starts
	rm -f paged
	# shellcheck disable=SC2086
	OMPP_PAGER="touch $PWD/paged; cat" OMPP_OUTDIR=out mpirun.$mpi $root -n 2 ompp run --apart ./prog >said 2>err ||
		{ cat said err; fail "$mpi: apart, pager: $?"; }
	[ "$(grep -c 'ompP Summary' said)" -eq 2 ] && [ ! -e paged ] || { cat said; fail "$mpi: apart: a pager"; }
	# without ompp run the ranks' files stay, each with its report, and one report adds them up; where that of a rank is not
	# there, as when it was killed, the report names it
	rm -rf out && mkdir out
	# shellcheck disable=SC2086
	OMPP_QUIET=1 OMPP_OUTDIR=out mpirun.$mpi $root -n 4 ./prog >said 2>err || { cat said err; fail "$mpi: without ompp run: $?"; }
	[ "$(ls out/*.r[0-3]-0.ompp | wc -l)" -eq 4 ] || { ls out; fail "$mpi: without ompp run"; }
	ompp report --view=summary out/*.ompp | grep -q ' threads in 4 MPI ranks' || fail "$mpi: without ompp run: one report"
	# the run says how, once, and so does a report of the newest one
	# shellcheck disable=SC2086
	(mkdir plain && cd plain && mpirun.$mpi $root -n 4 ../prog) >said 2>err || { cat said err; fail "$mpi: how to add up: $?"; }
	told_of first
	[ -z "$is_plain" ] || does_all first "$(sed 's/^ompp: one report of all 4 ranks, if each has 2 threads: //' how)"
	(cd plain && ompp report --view=summary) >text 2>newest || fail "$mpi: the newest"
	does_all newest "cd plain && $(sed 's/.* of one MPI rank; of all: //' newest)"
	# after a run of fewer ranks their numbers differ, and no pattern names those of one run
	rm -r plain
	# shellcheck disable=SC2086
	(mkdir plain && cd plain && mpirun.$mpi $root -n 2 ../prog && mpirun.$mpi $root -n 4 ../prog) >said 2>err || { cat said err; fail "$mpi: 2, then 4: $?"; }
	[ -e plain/prog.2.r1-1.ompp ] && [ -e plain/prog.2.r2-0.ompp ] || { ls plain; fail "$mpi: 2, then 4: the names"; }
	told_of '2, then 4'
	says_each '2, then 4' how
	(cd plain && ompp report --view=summary) >text 2>newest || fail "$mpi: 2, then 4: the newest"
	says_each '2, then 4: the newest' newest
	# those that are overwritten have no number; there may be some of a run of more ranks
	rm -r plain
	# shellcheck disable=SC2086
	(mkdir plain && cd plain && OMPP_OVERWRITE=1 mpirun.$mpi $root -n 2 ../prog && OMPP_OVERWRITE=1 mpirun.$mpi $root -n 4 ../prog) >said 2>err ||
		{ cat said err; fail "$mpi: overwritten: $?"; }
	told_of overwritten
	[ -z "$is_plain" ] || does_all overwritten "$(sed 's/^ompp: one report of all 4 ranks, if each has 2 threads: //' how)"
	(cd plain && ompp report --view=summary) >text 2>newest || fail "$mpi: overwritten: the newest"
	does_all 'overwritten: the newest' "cd plain && $(sed 's/.* of one MPI rank; of all: //' newest)"
	: >plain/prog.2.r4.ompp
	# shellcheck disable=SC2086
	(cd plain && OMPP_OVERWRITE=1 mpirun.$mpi $root -n 4 ../prog) >said 2>err || { cat said err; fail "$mpi: overwritten by fewer: $?"; }
	told_of 'overwritten by fewer'
	says_each 'overwritten by fewer' how
	rm -r plain
	# one process alone says nothing of ranks
	./prog >said 2>err && ! grep 'ranks' said err || fail "$mpi: a single process speaks of ranks"
	rm -f prog.2-*
	rm out/*.r1-0.ompp
	ompp report --view=general out/*.ompp >general
	grep -q '^Missing Ranks *: 1$' general || { cat general; fail "$mpi: without ompp run: the killed one is not named"; }
	# a rank that was killed is named, and the others' files stay
	rm -rf out && mkdir out
	# shellcheck disable=SC2086
	OMPP_OUTDIR=out timeout 100 mpirun.$mpi $root -n 3 ompp run ./prog kill >said 2>err || :
	! ls out | grep -q 'ranks3' || fail "$mpi: one file although a rank was killed"
	! ls out | grep -q 'r1-0.ompp$' || fail "$mpi: the killed one left a profile"
	if [ -n "$(find out -name '*.r[02]-0.ompp')" ]; then
		ompp report --view=general,summary out/*.ompp >general
		grep -q '^Missing Ranks *: .*1' general || { cat general; fail "$mpi: the killed one is not named in a report"; }
	fi
done
[ -n "$(mpis)" ] || skip "neither MPICH nor Open MPI is installed"
