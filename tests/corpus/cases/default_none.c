/* default(none): what kinst adds is told to each construct.
 * Regions: LOCK 2, PARALLEL 2, CRITICAL 2, BARRIER 2, SINGLE 2, LOOP 2, TASK 2, TASKEXEC 2, ATOMIC 2, TASKWAIT 2,
 * FLUSH 2, MASTER 1, ATOMIC 1, ATOMIC 2, PARALLEL 2, CRITICAL 2, ATOMIC 2. */
#include <omp.h>

static omp_lock_t lock;

int main(void)
{
	int sum = 0;

	omp_init_lock(&lock);
#pragma omp parallel default(none) shared(sum, lock) num_threads(2)
	{
#pragma omp critical
		sum++;
#pragma omp barrier
#pragma omp single
		sum++;
#pragma omp for
		for (int i = 0; i < 4; i++) {
		}
#pragma omp task default(none) shared(sum)
		{
#pragma omp atomic
			sum++;
		}
#pragma omp taskwait
#pragma omp flush
#pragma omp master
#pragma omp atomic
		sum++;
		omp_set_lock(&lock);
#pragma omp atomic
		sum++;
		omp_unset_lock(&lock);
#pragma omp parallel default(none) shared(sum) num_threads(1)
		{
#pragma omp critical(inner)
#pragma omp atomic
			sum++;
		}
	}
	omp_destroy_lock(&lock);
	return sum != 10;
}
