/* a team of a thousand threads, and a smaller one after it */
// settings: OMP_STACKSIZE=128K
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int n = 0;

#pragma omp parallel num_threads(1000) reduction(+ : n) // = PARALLEL SUM execC 1000; PARALLEL 999 execC 1
	{
		n++;
#pragma omp critical // = CRITICAL SUM execC 1000
		n++;
	}
#pragma omp parallel num_threads(3) reduction(+ : n) // = PARALLEL SUM execC 3
	n++;
	printf("%d\n", n);
	return 0;
}
