/* omp_pause_resource between regions: the threads end, and others come */
// compilers: gcc
// settings: OMP_NUM_THREADS=3
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int n = 0;

	for (int i = 0; i < 4; i++) {
#pragma omp parallel reduction(+ : n) // = PARALLEL SUM execC 12; PARALLEL 2 execC 4
		n++;
		n += 100 * (omp_pause_resource_all(omp_pause_soft) != 0);
#pragma omp parallel reduction(+ : n) // = PARALLEL SUM execC 12; PARALLEL 2 execC 4
		n++;
		n += 100 * (omp_pause_resource(omp_pause_hard, omp_get_initial_device()) != 0);
	}
	printf("%d\n", n);
	return 0;
}
