/*
 * critical: all threads want the same critical region nearly all of the time.
 *
 * The report must show 20 executions of CRITICAL (table) a thread, each with a body of 2 ms.  Two threads wait for each
 * other, so enterT is about as long as bodyT, and is all of the class Synchronisation.  The first property is
 * CriticalSectionContention.  The program prints what each thread measured itself.
 */
#include <stdio.h>

#include "spin.h"

enum { ROUNDS = 20, MAX_THREADS = 64 };

int main(void)
{
	static double body[MAX_THREADS], wait[MAX_THREADS];
	int n_threads = 1, t;

#pragma omp parallel
	{
		int rank = omp_get_thread_num(), round;

		if (rank == 0)
			n_threads = omp_get_num_threads();
		for (round = 0; round < ROUNDS; round++) {
			double begin = omp_get_wtime();

#pragma omp critical(table)
			{
				wait[rank] += omp_get_wtime() - begin;
				body[rank] += spin(0.002);
			}
		}
	}
	for (t = 0; t < n_threads; t++)
		printf("measured CRITICAL:table %d bodyT %.6f\nmeasured CRITICAL:table %d enterT %.6f\n",
		       t, body[t], t, wait[t]);
	return 0;
}
