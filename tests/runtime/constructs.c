/*
 * Constructs: each OpenMP construct a known number of times, by two threads.
 */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	omp_nest_lock_t nest;
	omp_lock_t lock;
	long sum = 0, in_critical = 0, in_lock = 0, in_nest = 0;
	int i, k;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2) private(k)
	for (k = 0; k < 10; k++) {
#pragma omp for reduction(+ : sum)
		for (i = 0; i < 8; i++)
			sum += i;
#pragma omp for ordered reduction(+ : sum)
		for (i = 0; i < 8; i++) {
#pragma omp ordered
			sum += i;
		}
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp atomic
				sum++;
			}
#pragma omp section
			{
#pragma omp atomic
				sum++;
			}
#pragma omp section
			{
#pragma omp atomic
				sum++;
			}
		}
#pragma omp single
		sum++;
#pragma omp master
		{
#pragma omp atomic
			sum++;
		}
#pragma omp critical(name)
		in_critical++;
#pragma omp barrier
#pragma omp flush
#pragma omp task
		{
#pragma omp atomic
			sum++;
		}
#pragma omp taskwait
		omp_set_lock(&lock);
		in_lock++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		in_nest++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
#pragma pomp inst begin(mine)
#pragma omp atomic
		sum++;
#pragma pomp inst end(mine)
	}
	for (k = 0; k < 3; k++) {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
		for (i = 0; i < 8; i++)
			sum += i;
#pragma omp parallel sections num_threads(2) reduction(+ : sum)
		{
#pragma omp section
			sum++;
#pragma omp section
			sum++;
		}
	}
	printf("%ld %ld %ld %ld\n", sum, in_critical, in_lock, in_nest);
	return 0;
}
