/* as many threads as the OpenMP library thinks fit, by the machine's load */
// settings: OMP_DYNAMIC=true,OMP_NUM_THREADS=4 OMP_DYNAMIC=true,OMP_NUM_THREADS=4,OMP_THREAD_LIMIT=2
#include <stdio.h>

int main(void)
{
	int sum = 0;

	for (int n = 0; n < 10; n++) {
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) // = PARALLEL_LOOP 0 execC 10
		for (int i = 0; i < 100; i++)
			sum += i;
	}
	printf("%d\n", sum);
	return 0;
}
