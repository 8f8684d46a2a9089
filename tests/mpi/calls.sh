# calls: calls of MPI are regions: programs of chance add up themselves how often they made each call, and what it moved;
# with each MPI that is there, in C, with counts of 64 bits, and in Fortran by both modules; by kinst, and as they are;
# another tool goes on; waiting for a late rank is that of the call; a call by a thread of a region stands in it
. "$srcdir/tests/lib.sh"
need python3
need mpirun
calls="python3 $srcdir/tests/mpi/calls.py"
kinst=$builddir/kinst
ompp=$builddir/ompp
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

# run PROGRAM…: with 3 ranks; profiles go to out.
run() {
	rm -rf out
	# shellcheck disable=SC2086
	OMPP_OUTDIR=$PWD/out $mpirun $root -n 3 "$@" >said 2>err || { cat said err; fail "$mpi: $*: status $?"; }
}

# rank N: leaves the profile of a rank in rank.json.
rank() {
	"$ompp" report --format=json out/*.r"$1"-*.ompp >rank.json || fail "$mpi: no profile of rank $1"
}

# compared WHAT: the ranks' own lines and their profiles.
compared() {
	for r in 0 1 2; do
		rank $r
		$calls compare said $r rank.json || fail "$mpi: $1"
	done
}

cat >tool.c <<'END'
#include <mpi.h>
#include <stdio.h>
static int n;
int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	n++;
	return PMPI_Allreduce(from, to, count, type, op, comm);
}
int MPI_Finalize(void)
{
	printf("tool %d\n", n);
	return PMPI_Finalize();
}
END
# Without MPI_Init, and a copy of a communicator that is begun: both are of MPI 4.
cat >session.c <<'END'
#include <mpi.h>
#include <stdio.h>
#if MPI_VERSION < 4
#error no sessions
#endif
int main(void)
{
	int one = 1, sum = 0, rank;
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm, copy;
	MPI_Request request;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "calls", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
	MPI_Comm_rank(comm, &rank);
	for (int i = 0; i < 5; i++)
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, &copy, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&comm);
	MPI_Group_free(&group);
	MPI_Session_finalize(&session);
	printf("sum %d\n", sum);
	return 0;
}
END
cat >late.c <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int rank, given;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1)
		usleep(300000);
	MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel num_threads(2)
#pragma omp single
	MPI_Allreduce(MPI_IN_PLACE, &given, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END

found=
for mpi in mpich openmpi; do
	command -v mpicc.$mpi >/dev/null && command -v mpirun.$mpi >/dev/null || continue
	found=1 mpirun=mpirun.$mpi root=
	[ $mpi != openmpi ] || root="--allow-run-as-root --oversubscribe"
	for seed in 1 $$; do
		for language in c large f90 f08; do
			cc="mpif90.$mpi -ffree-line-length-none" name=calls.f90
			case $language in c | large) cc=mpicc.$mpi name=calls.c ;; esac
			$calls make $seed $language >$name
			# shellcheck disable=SC2086
			if ! $cc -g -O1 -w $name -o plain 2>err; then
				grep -q -e 'Cannot open module file' -e 'undefined reference to .MPI_[A-Za-z_]*_c' err || { cat err; fail "$mpi: seed $seed: $language"; }
				echo "$mpi: not there: $language"
				continue
			fi
			run "$ompp" run --apart ./plain
			compared "as it is: seed $seed: $language"
		done
	done
	mpicc.$mpi -shared -fPIC -w tool.c -o tool.so
	$calls make 3 c >calls.c
	"$kinst" mpicc.$mpi -g -O1 -w -fopenmp calls.c -o built || fail "$mpi: kinst"
	run env LD_PRELOAD="$PWD/tool.so" ./built
	compared "by kinst, beside a tool"
	[ "$(grep -c '^tool ' said)" = 3 ] || fail "$mpi: the program's own tool does not see its calls"
	OMPP_DISABLE=mpi run ./built
	rank 0
	! grep -q MPI_Bcast rank.json || fail "$mpi: OMPP_DISABLE=mpi"

	"$kinst" mpicc.$mpi -g -O1 -w -fopenmp late.c -o late || fail "$mpi: kinst: late.c"
	tries=0
	until
		run ./late
		rank 1
		mv rank.json late.json
		rank 0
		$calls late rank.json late.json >why
	do
		[ $((tries += 1)) -lt 4 ] || { cat why; fail "$mpi: late.c"; }
	done
	if ! "mpicc.$mpi" -g -w session.c -o session 2>err; then
		grep -q 'no sessions' err || fail "$mpi: session.c: $(cat err)"
		echo "$mpi: MPI_Session_init and MPI_Comm_idup_with_info are not there"
		continue
	fi
	$mpirun $root -n 3 ./session >want || fail "$mpi: session: $?"
	run "$ompp" run --apart ./session
	grep '^sum ' said >have
	same "$mpi: session: what it prints" want have
	for r in 0 1 2; do
		rank $r
		python3 - <<'P' >have || fail "$mpi: session: $(cat have)"
import json
p = json.load(open("rank.json"))
have = {}
for path, n in zip(p["cells"]["path"], p["cells"]["executions"]):
    region = p["paths"]["region"][path]
    name = "" if region is None else p["regions"]["name"][region]
    if region is not None and p["regions"]["construct"][region].startswith("MPI"):
        have[name] = have.get(name, 0) + n
print(have)
assert have == {"MPI_Session_init": 1, "MPI_Comm_create_from_group": 1, "MPI_Allreduce": 5, "MPI_Comm_idup_with_info": 1, "MPI_Wait": 1,
                "MPI_Barrier": 1, "MPI_Comm_free": 2, "MPI_Session_finalize": 1}
P
	done
done
[ -n "$found" ] || skip "neither MPICH nor Open MPI is installed"
