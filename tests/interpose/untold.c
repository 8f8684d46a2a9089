/*
 * Untold: constructs whose bodies no library tells of: GCC's is not called at the end of a single, LLVM's not for each of
 * the sections; with copyprivate GCC's is.
 */
#include <stdio.h>

int main(void)
{
	int n = 0, value = 0;

#pragma omp parallel num_threads(2) firstprivate(value) reduction(+ : n)
	{
#pragma omp single
		n += 1;
#pragma omp single copyprivate(value)
		value = 10;
#pragma omp sections
		{
#pragma omp section
			n += 100;
#pragma omp section
			n += 1000;
#pragma omp section
			n += 10000;
		}
		n += value;
	}
	printf("%d\n", n);
	return n != 11121;
}
