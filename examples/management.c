/*
 * management: very many parallel regions with nearly nothing in them.
 *
 * The report must show: PARALLEL 20000 executions a thread, with hardly any bodyT: startupT and shutdwnT, the class
 * Management, and exitBarT are nearly all of the time, and execT of each thread is what the program measured around
 * its regions.
 */
#include <omp.h>
#include <stdio.h>

enum { ROUNDS = 20000 };

int main(void)
{
	static int touched[64][16];
	double begin = omp_get_wtime();
	int round;

	for (round = 0; round < ROUNDS; round++) {
#pragma omp parallel
		touched[omp_get_thread_num()][0]++;
	}
	printf("measured PARALLEL 0 execT %.6f\n", omp_get_wtime() - begin);
	return touched[0][0] != ROUNDS;
}
