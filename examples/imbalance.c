/*
 * imbalance: the iterations of a loop are not equally long, so the first thread waits for the last.
 *
 * The report must show 1 execution of PARALLEL a thread, and 10 of LOOP, in each of which thread t works for (t + 1) ×
 * 10 ms.  exitBarT of LOOP is the time by which each thread is faster than the slowest, all in the class Imbalance.  The
 * first property is ImbalanceInParallelLoop.  The program prints what each thread measured itself.
 */
#include <stdio.h>

#include "spin.h"

enum { ROUNDS = 10, MAX_THREADS = 64 };

int main(void)
{
	static double body[MAX_THREADS], wait[MAX_THREADS];
	int n_threads = 1, t;

#pragma omp parallel
	{
		int rank = omp_get_thread_num(), round, i;

#pragma omp master
		n_threads = omp_get_num_threads();
#pragma omp barrier
		for (round = 0; round < ROUNDS; round++) {
			double begin = omp_get_wtime(), end = begin;

#pragma omp for schedule(static, 1)
			for (i = 0; i < n_threads; i++) {
				body[rank] += spin((i + 1) * 0.010);
				end = omp_get_wtime();
			}
			wait[rank] += omp_get_wtime() - end;
		}
	}
	for (t = 0; t < n_threads; t++)
		printf("measured LOOP %d bodyT %.6f\nmeasured LOOP %d exitBarT %.6f\n", t, body[t], t, wait[t]);
	return 0;
}
