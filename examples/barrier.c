/*
 * barrier: threads arrive at an explicit barrier at different times.
 *
 * The report must show 10 executions of BARRIER a thread.  Thread t works for (t + 1) × 10 ms before each, so execT of
 * BARRIER is the time by which each thread is faster than the slowest, all in the class Synchronisation.  The first
 * property is WaitAtBarrier.  The program prints what each thread measured itself.
 */
#include <stdio.h>

#include "spin.h"

enum { ROUNDS = 10, MAX_THREADS = 64 };

int main(void)
{
	static double wait[MAX_THREADS];
	int n_threads = 1, t;

#pragma omp parallel
	{
		int rank = omp_get_thread_num(), round;

		if (rank == 0)
			n_threads = omp_get_num_threads();
		for (round = 0; round < ROUNDS; round++) {
			double begin;

			spin((rank + 1) * 0.010);
			begin = omp_get_wtime();
#pragma omp barrier
			wait[rank] += omp_get_wtime() - begin;
		}
	}
	for (t = 0; t < n_threads; t++)
		printf("measured BARRIER %d execT %.6f\n", t, wait[t]);
	return 0;
}
