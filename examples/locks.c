/*
 * locks: threads want one lock; a nested lock is taken twice in a row by its owner.
 *
 * The report must show 20 executions of LOCK a thread, with bodies of 2 ms in which the other thread waits (enterT, the
 * class Synchronisation, the property LockContention), and 20 of NEST LOCK a thread, as each set counts, with the bodies
 * of the outer pairs.  The program prints what each thread measured itself.
 */
#include <stdio.h>

#include "spin.h"

enum { ROUNDS = 20, MAX_THREADS = 64 };

int main(void)
{
	static double body[MAX_THREADS], wait[MAX_THREADS];
	omp_nest_lock_t nest;
	omp_lock_t lock;
	int n_threads = 1, t;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel
	{
		int rank = omp_get_thread_num(), round;

		if (rank == 0)
			n_threads = omp_get_num_threads();
		for (round = 0; round < ROUNDS; round++) {
			double begin = omp_get_wtime();

			omp_set_lock(&lock);
			wait[rank] += omp_get_wtime() - begin;
			body[rank] += spin(0.002);
			omp_unset_lock(&lock);
		}
		for (round = 0; round < ROUNDS / 2; round++) {
			omp_set_nest_lock(&nest);
			omp_set_nest_lock(&nest);
			omp_unset_nest_lock(&nest);
			omp_unset_nest_lock(&nest);
		}
	}
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&lock);
	for (t = 0; t < n_threads; t++)
		printf("measured LOCK %d bodyT %.6f\nmeasured LOCK %d enterT %.6f\n", t, body[t], t, wait[t]);
	return 0;
}
