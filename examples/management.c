/*
 * management: parallel regions with nothing in them, in teams that grow and shrink, so that threads come and go.
 *
 * The report must show 400 executions of PARALLEL for ranks 0 and 1, 200 for ranks 2 and 3, and hardly any bodyT.
 * startupT and shutdwnT (the class Management) with the little waiting at the end (exitBarT, Imbalance) are what the
 * program measured between the fork and the body of each thread, and between its body and the join.
 */
#include <stdio.h>

#include <omp.h>

enum { ROUNDS = 400, MAX_THREADS = 4 };

int main(void)
{
	/* a cache line for each thread */
	static struct { double in, out, idle[6]; } at[MAX_THREADS];
	double startup[MAX_THREADS] = { 0 }, rest = 0;
	int round, t;

	for (round = 0; round < ROUNDS; round++) {
		int n_threads = round % 2 ? MAX_THREADS : 2;
		double fork = omp_get_wtime(), join;

#pragma omp parallel num_threads(n_threads)
		{
			int rank = omp_get_thread_num();

			at[rank].in = omp_get_wtime();
			at[rank].out = omp_get_wtime();
		}
		join = omp_get_wtime();
		for (t = 0; t < n_threads; t++) {
			startup[t] += at[t].in - fork;
			rest += join - at[t].out;
		}
	}
	for (t = 0; t < MAX_THREADS; t++)
		printf("measured PARALLEL %d startupT %.6f\n", t, startup[t]);
	printf("overhead %.6f\n", startup[0] + startup[1] + startup[2] + startup[3] + rest);
	return 0;
}
