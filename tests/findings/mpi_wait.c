/*
 * Two ranks that work in parallel loops for the same time.  With WAIT the second one comes later to each barrier, by MORE
 * tenths of that, so that the first one waits in MPI; with SERIAL each rank works as long outside of parallel regions;
 * with ONE the first rank alone is busy for MORE times 10 ms, and with MENDED, too, all threads of both share that.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include "work.h"

#ifndef TIMES
#define TIMES 30
#endif
#ifndef STEPS
#define STEPS 60000
#endif
#ifndef MORE
#define MORE 3
#endif
enum { N = 64 };
static double a[N];

static void step(int rank)
{
#if defined(SERIAL)
	a[0] += work((long)N * MORE * STEPS / 10);
#elif defined(ONE) && defined(MENDED)
#pragma omp parallel
	nanosleep(&(struct timespec){ .tv_nsec = 10000000L * MORE / 4 }, NULL);
#elif defined(ONE)
	if (!rank)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000L * MORE }, NULL);
	MPI_Bcast(a, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#elif defined(WAIT)
	if (rank)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000L * MORE }, NULL);
#endif
	(void)rank;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		a[i] += work(STEPS);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int t = 0; t < TIMES; t++)
		step(rank);
	MPI_Finalize();
	printf("%d\n", a[0] > 0);
}
