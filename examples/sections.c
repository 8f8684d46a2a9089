/*
 * sections: three sections of 10, 20 and 30 ms, ten times.
 *
 * The report must show: SECTIONS 10 executions a thread and sectC 30 in all; sectT in all 600 ms, as long as the
 * program measured; a thread without a section to run waits in exitBarT.  With more than three threads the waiting is
 * Limited parallelism, with fewer it is Imbalance.
 */
#include <stdio.h>

#include "spin.h"

enum { ROUNDS = 10, MAX_THREADS = 64 };

int main(void)
{
	static double body[MAX_THREADS];
	double sum = 0;
	int t;

#pragma omp parallel
	{
		int round;

		for (round = 0; round < ROUNDS; round++) {
#pragma omp sections
			{
#pragma omp section
				body[omp_get_thread_num()] += spin(0.010);
#pragma omp section
				body[omp_get_thread_num()] += spin(0.020);
#pragma omp section
				body[omp_get_thread_num()] += spin(0.030);
			}
		}
	}
	for (t = 0; t < MAX_THREADS; t++)
		sum += body[t];
	printf("measured SECTIONS SUM sectT %.6f\n", sum);
	return 0;
}
