# launchers: ranks are known by the variables of their launchers, and files of jobs and steps, of crashed runs and of programs that
# start others stay apart; programs that load MPI later, that run alone, and that spawn others run as they do without ompp
. "$srcdir/tests/lib.sh"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMPP_OUTFORMAT=plain
cat >prog.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
	volatile int sum = 0;

	(void)argv;
#pragma omp parallel reduction(+ : sum)
	sum += 1;
	if (argc > 1)
		abort();
	return sum != 2;
}
C
kinst $CC -fopenmp prog.c -o prog

# left NAME RANK SIZE VARIABLE=VALUE…: runs it with these variables alone; its files have this name and its profile this rank
left() {
	name=$1 rank=$2 size=$3
	shift 3
	rm -f ./*.ompp*
	env "$@" ./prog || fail "$*: status $?"
	[ -s "$name.ompp" ] && [ -s "$name.ompp.txt" ] || { ls; fail "$*: not $name"; }
	ompp report --format=json "$name.ompp" >json
	grep -o '"mpi_rank": *[^,]*\|"mpi_size": *[^,]*' json | tr -d ' ' | sort >have
	printf '"mpi_rank":%s\n"mpi_size":%s\n' "$rank" "$size" >want
	same "$*" want have
}
left prog.2.r3-0 3 8 OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8
left prog.2.r3-0 3 8 PMI_RANK=3 PMI_SIZE=8
left prog.2.r3-0 3 8 MV2_COMM_WORLD_RANK=3 MV2_COMM_WORLD_SIZE=8
left prog.2.j4711.2.r5-0 5 8 SLURM_PROCID=5 SLURM_STEP_NUM_TASKS=8 SLURM_NTASKS=99 SLURM_JOB_ID=4711 SLURM_STEP_ID=2
left prog.2.j4711.0.r5-0 5 8 PMIX_RANK=5 SLURM_PROCID=1 SLURM_NTASKS=8 SLURM_JOB_ID=4711 SLURM_STEP_ID=0
left prog.2.jf7Xy_.r1-0 1 4 FLUX_TASK_RANK=1 FLUX_JOB_SIZE=4 "FLUX_JOB_ID=f7Xy/"
left prog.2.j12_3_.r0-0 0 2 PMI_RANK=0 PMI_SIZE=2 "PBS_JOBID=12[3].host.site"
left prog.2.j77.4.r1-0 1 2 JSM_NAMESPACE_RANK=1 JSM_NAMESPACE_SIZE=2 LSB_JOBID=77 LSB_JOBINDEX=4
left prog.2.r6-0 6 7 PALS_RANKID=6 PALS_SIZE=7
# the launcher inside a job is the one that counts; one process is no rank, and a rank outside of its run is none of it
left prog.2.j1.r2-0 2 4 OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4 SLURM_PROCID=0 SLURM_NTASKS=9 SLURM_JOB_ID=1
left prog.2-0 null null SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_JOB_ID=9
left prog.2-0 null null PMIX_NAMESPACE=x

# after a crash a later run has other files, also where the ranks of it end in another order; steps of one job never share any
rm -f ./*.ompp*
for rank in 1 0; do
	PMI_RANK=$rank PMI_SIZE=2 ./prog crash 2>err && fail 'it did not crash'
done
PMI_RANK=0 PMI_SIZE=2 ./prog && PMI_RANK=1 PMI_SIZE=2 ./prog
ls ./*.ompp | sort >have
printf './prog.2.r%s.ompp\n' 0-0 0-1 1-0 1-1 >want
same 'after a crash' want have
rm -f ./*.ompp*
for step in 0 1; do
	for rank in 0 1 2; do
		SLURM_JOB_ID=5 SLURM_STEP_ID=$step SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=$rank ./prog &
	done
	wait
done
ls ./*.ompp | sort >have
printf './prog.2.j5.%s-0.ompp\n' 0.r0 0.r1 0.r2 1.r0 1.r1 1.r2 >want
same 'steps' want have
ompp report prog.2.j5.1.r*.ompp | grep -q '3 MPI ranks' || fail 'the ranks of a step'

# 40 processes at once that are told the same rank get a file each
rm -f ./*.ompp*
for _ in $(seq 40); do
	PMI_RANK=0 PMI_SIZE=2 ./prog &
done
wait
[ "$(ls ./*.ompp | wc -l)" -eq 40 ] || fail "40 processes: $(ls ./*.ompp | wc -l) files"

cat >alone.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int rank, size, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Allreduce(&size, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("%d of %d: %d\n", rank, size, sum);
	MPI_Finalize();
	return 3;
}
C
cat >later.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *mpi = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
	int (*init)(int *, char ***) = (int (*)(int *, char ***))(mpi ? dlsym(mpi, "MPI_Init") : 0);
	int (*finalize)(void) = (int (*)(void))(mpi ? dlsym(mpi, "MPI_Finalize") : 0);
	int got = init && finalize ? init(&argc, &argv) : -1;

	printf("%d\n", got);
	return got || finalize() ? 1 : 3;
}
C
cat >parent.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	MPI_Comm other;
	int sum = 1, all = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_get_parent(&other);
	if (other == MPI_COMM_NULL) {
		MPI_Comm_spawn(argv[1], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
		MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_ROOT, other);
		printf("children: %d\n", all);
	} else {
		MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, other);
	}
	MPI_Comm_disconnect(&other);
	MPI_Finalize();
	return 0;
}
C
for mpi in mpich openmpi; do
	command -v mpicc.$mpi >/dev/null && command -v mpirun.$mpi >/dev/null || continue
	root=
	[ $mpi != openmpi ] || root="--allow-run-as-root --oversubscribe"
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	rm -f ./*.ompp*
	mpicc.$mpi alone.c -o alone
	status=0
	ompp run --quiet ./alone >said 2>err || status=$?
	[ $status = 3 ] && grep -q '^0 of 1: 1$' said || { cat said err; fail "$mpi: alone: $status"; }
	ompp report --view=overview alone*.ompp | grep -q MPI_Allreduce || fail "$mpi: alone"
	$CC later.c -o later -ldl
	library=$(ldd alone | sed -n 's/.*libmpi[^ ]* => \([^ ]*\) .*/\1/p; s/.*libmpich[^ ]* => \([^ ]*\) .*/\1/p' | head -1)
	status=0
	ompp run --quiet ./later "$library" >said 2>err || status=$?
	[ $status = 3 ] && grep -qx 0 said || { cat said err; fail "$mpi: loaded later ($library): $status"; }
	mpicc.$mpi parent.c -o parent
	# shellcheck disable=SC2086
	timeout 60 mpirun.$mpi $root -n 1 ./parent "$PWD/parent" >said 2>err && grep -q '^children: 2$' said ||
		{ echo "$mpi spawns nothing here"; continue; }
	# shellcheck disable=SC2086
	timeout 120 mpirun.$mpi $root -n 1 ompp run --quiet ./parent "$PWD/parent" >said 2>err && grep -q '^children: 2$' said ||
		{ cat said err; fail "$mpi: spawn"; }
done
