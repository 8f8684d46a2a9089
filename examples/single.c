/*
 * single: one thread works while the others wait, so parallelism is limited.
 *
 * The report must show 10 executions of SINGLE a thread, and 10 singles in all (singleC of SUM), each 10 ms long.
 * exitBarT is how long the other threads wait, all in the class Limited parallelism.  The first property is
 * UnparallelizedInSingleRegion.  The program prints what it measured itself.
 */
#include <stdio.h>

#include "spin.h"

enum { ROUNDS = 10, MAX_THREADS = 64 };

int main(void)
{
	static double body[MAX_THREADS], wait[MAX_THREADS];
	double all_body = 0, all_wait = 0;
	int t;

#pragma omp parallel
	{
		int rank = omp_get_thread_num(), round;

		for (round = 0; round < ROUNDS; round++) {
			double begin = omp_get_wtime(), mine = 0;

#pragma omp single
			mine = spin(0.010);
			body[rank] += mine;
			wait[rank] += omp_get_wtime() - begin - mine;
		}
	}
	for (t = 0; t < MAX_THREADS; t++) {
		all_body += body[t];
		all_wait += wait[t];
	}
	printf("measured SINGLE SUM singleT %.6f\nmeasured SINGLE SUM exitBarT %.6f\n", all_body, all_wait);
	return 0;
}
