/*
 * userregions: parts of a program that are named by pragma and by call, one inside the other, also outside OpenMP.
 *
 * The report must show USER REGION outer once, in row 0; below it USER REGION inner 5 times and, in each thread of the
 * parallel region, USER REGION work once.  What lies between ompp_off() and ompp_on() is left out.  The program
 * prints what it measured itself.
 */
#include <stdio.h>

#include "ompp.h"
#include "spin.h"

enum { ROUNDS = 5, MAX_THREADS = 64 };

int main(void)
{
	static double work[MAX_THREADS];
	double inner = 0;
	int n_threads = 1, round, t;

#pragma pomp inst begin(outer)
	for (round = 0; round < ROUNDS; round++) {
		ompp_region_begin("inner");
		inner += spin(0.020);
		ompp_region_end("inner");
	}
#pragma omp parallel
	{
		int rank = omp_get_thread_num();

		if (rank == 0)
			n_threads = omp_get_num_threads();
		ompp_region_begin("work");
		work[rank] = spin(0.040);
		ompp_region_end("work");
	}
#pragma pomp inst end(outer)
	ompp_off();
	ompp_region_begin("hidden");
	spin(0.010);
	ompp_region_end("hidden");
	ompp_on();

	printf("measured USER_REGION:inner 0 execT %.6f\n", inner);
	for (t = 0; t < n_threads; t++)
		printf("measured USER_REGION:work %d execT %.6f\n", t, work[t]);
	return 0;
}
