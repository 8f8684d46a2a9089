/* The body is an if with an else, without braces: the region ends behind the else.
 * Regions: PARALLEL 2, ATOMIC 1, ATOMIC 1. */
#include <omp.h>

int main(void)
{
	int first = 0, second = 0;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
#pragma omp atomic
		first++;
	else
#pragma omp atomic
		second += 10;
	return first != 1 || second != 10;
}
