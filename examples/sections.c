/*
 * sections: three sections of 10, 20 and 30 ms, ten times.
 *
 * The report must show 10 executions of SECTIONS a thread.  Over all threads sectC is 30, and sectT is 600 ms.  exitBarT
 * is how long each thread waits after its last section.  The program prints both times as it measured them.  With more
 * than three threads the waiting is Limited parallelism, with fewer it is Imbalance.
 */
#include <stdio.h>

#include "spin.h"

enum { ROUNDS = 10, MAX_THREADS = 64 };

static void work(double *body, double *last, double seconds)
{
	*body += spin(seconds);
	*last = omp_get_wtime();
}

int main(void)
{
	static double body[MAX_THREADS], last[MAX_THREADS], wait[MAX_THREADS];
	double sum = 0;
	int n_threads = 1, t;

#pragma omp parallel
	{
		int rank = omp_get_thread_num(), round;

#pragma omp master
		n_threads = omp_get_num_threads();
#pragma omp barrier
		for (round = 0; round < ROUNDS; round++) {
			last[rank] = omp_get_wtime();
#pragma omp sections
			{
#pragma omp section
				work(&body[rank], &last[rank], 0.010);
#pragma omp section
				work(&body[rank], &last[rank], 0.020);
#pragma omp section
				work(&body[rank], &last[rank], 0.030);
			}
			wait[rank] += omp_get_wtime() - last[rank];
		}
	}
	for (t = 0; t < n_threads; t++) {
		sum += body[t];
		printf("measured SECTIONS %d exitBarT %.6f\n", t, wait[t]);
	}
	printf("measured SECTIONS SUM sectT %.6f\n", sum);
	return 0;
}
