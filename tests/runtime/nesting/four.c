/* four levels of two threads: counts in each */
// settings: OMP_MAX_ACTIVE_LEVELS=4
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int n = 0;

	omp_set_dynamic(0);
#pragma omp parallel num_threads(2) // = PARALLEL SUM execC 2; PARALLEL 1 execC 1
#pragma omp parallel num_threads(2) // = PARALLEL SUM execC 4; PARALLEL 0.1 execC 1
#pragma omp parallel num_threads(2) // = PARALLEL SUM execC 8; PARALLEL 1.0.1 execC 1
#pragma omp parallel num_threads(2) // = PARALLEL SUM execC 16; PARALLEL 1.1.1.1 execC 1
	{
#pragma omp for // = LOOP SUM execC 16
		for (int i = 0; i < 4; i++) {
#pragma omp atomic // = ATOMIC SUM execC 32
			n++;
		}
#pragma omp single // = SINGLE SUM singleC 8
		{
#pragma omp task // = TASK SUM execC 8; TASKEXEC SUM execC 8
			{
#pragma omp atomic
				n++;
			}
		}
	}
	printf("%d\n", n);
	return 0;
}
