/* Nested parallel regions whose inner threads share threadprivate data's names, and K&R functions.
 * Regions: PARALLEL 2, PARALLEL 4. */
#include <omp.h>

static int depth;
#pragma omp threadprivate(depth)

static int add(a, b)
	int a, b;
{
	return a + b;
}

int main(void)
{
	int sum = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		depth = 1;
#pragma omp parallel num_threads(2) reduction(+ : sum) copyin(depth)
		sum = add(sum, depth);
	}
	return sum != 4;
}
