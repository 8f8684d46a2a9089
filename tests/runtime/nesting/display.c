/* what the OpenMP library says of itself is the program's output */
// settings: OMP_DISPLAY_ENV=true OMP_DISPLAY_ENV=verbose OMP_DISPLAY_AFFINITY=true,OMP_NUM_THREADS=2,OMP_AFFINITY_FORMAT=of_%N OMP_SCHEDULE=guided
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int n = 0;
	char format[64];

#pragma omp parallel num_threads(2) reduction(+ : n) // = PARALLEL SUM execC 2
	n++;
#pragma omp parallel for schedule(runtime) reduction(+ : n) // = PARALLEL_LOOP 0 execC 1
	for (int i = 0; i < 10; i++)
		n++;
	omp_get_affinity_format(format, sizeof(format));
	printf("%d %s\n", n, format);
	return 0;
}
