/* cancel parallel: regions are left without their end.
 * Regions: PARALLEL 2, CANCEL 2, ATOMIC 2, PARALLEL 2, LOOP 2, CANCEL 100, ATOMIC 100, ATOMIC 2. */
#include <omp.h>

int main(void)
{
	int sum = 0, after = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp cancel parallel
#pragma omp atomic
		sum++;
	}
#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < 100; i++) {
#pragma omp cancel for
#pragma omp atomic
			sum++;
		}
#pragma omp atomic
		after++;
	}
	return after != 2 || (omp_get_cancellation() ? sum != 0 : sum != 102);
}
