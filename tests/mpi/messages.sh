# messages: what a receive brings is charged to the call that completes it, and each rank counts its messages and bytes by
# partner: programs of chance, with each MPI that is there, of 2, 5 and 16 ranks, say by arithmetic what it has to be; the
# merged report has the matrix
. "$srcdir/tests/lib.sh"
need python3
messages="python3 $srcdir/tests/mpi/messages.py"
unset KINST KINST_FLAGS
export OMPP_QUIET=1

# more receives at once than the table of requests has room for: those that are lost are counted
cat >many.c <<'C'
#include <mpi.h>
#include <stdio.h>
enum { N = 70000 };
static MPI_Request requests[N];
static int x[N];
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int i = 0; i < N; i++)
		MPI_Irecv(&x[i], 1, MPI_INT, 0, i % 10000, MPI_COMM_WORLD, &requests[i]);
	for (int i = 0; i < N; i++)
		MPI_Send(&i, 1, MPI_INT, 0, i % 10000, MPI_COMM_WORLD);
	MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
	MPI_Finalize();
	for (int i = 0; i < N; i++)
		if (x[i] != i)
			return 1;
	return 0;
}
C

found=
for mpi in mpich openmpi; do
	command -v mpicc.$mpi >/dev/null && command -v mpirun.$mpi >/dev/null || continue
	found=1 root=
	[ $mpi != openmpi ] || root="--allow-run-as-root --oversubscribe"
	mpicc.$mpi -g -O1 -w many.c -o many || fail "$mpi: many.c: not compiled"
	rm -rf out
	OMPP_OUTDIR=$PWD/out ompp run ./many >said 2>err </dev/null || { cat said err; fail "$mpi: many.c: status $?"; }
	ompp report --format=json out/*.ompp | python3 -c 'import json, sys
p = json.load(sys.stdin)
came = p["partners"]["received_messages"][0]
notes = [n for n in p["notes"] if "receives of MPI are in no sum" in json.dumps(n)]
print(came, notes, p["partners"])
sys.exit(not (came > 50000 and p["partners"]["sent_messages"] == [70000] and len(notes) == 1 and 70000 - came in notes[0].values()))' >why ||
		{ cat why; fail "$mpi: more requests than there is room for"; }
	for size in 1:2 $$:5 1:16; do
		seed=${size%:*} ranks=${size#*:}
		$messages make "$seed" "$ranks" >messages.c
		mpicc.$mpi -g -O1 -w messages.c -o messages || fail "$mpi: seed $seed: not compiled"
		rm -rf out
		# shellcheck disable=SC2086
		OMPP_OUTDIR=$PWD/out mpirun.$mpi $root -n "$ranks" ompp run --apart ./messages >said 2>err </dev/null ||
			{ cat said err; fail "$mpi: seed $seed, $ranks ranks: status $?"; }
		set --
		for r in $(seq 0 $((ranks - 1))); do
			ompp report --format=json out/*.r"$r"-*.ompp >"$r.json" || fail "$mpi: no profile of rank $r"
			set -- "$@" "$r.json"
		done
		$messages judge "$seed" "$ranks" "$@" || fail "$mpi: seed $seed, $ranks ranks"
		ompp report --view=messages out/*.ompp >text
		ompp report --view=messages --format=csv out/*.ompp >csv
		$messages merged "$seed" "$ranks" text csv || { cat text; fail "$mpi: merged, seed $seed, $ranks ranks"; }
	done
done
[ -n "$found" ] || skip "neither MPICH nor Open MPI is installed"
