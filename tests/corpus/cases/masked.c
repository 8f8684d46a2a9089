/* masked, by the first thread and by another.
 * Regions: PARALLEL 2, MASKED 1, MASKED 1. */
#include <omp.h>

int main(void)
{
	int first = -1, other = -1;

#pragma omp parallel num_threads(2)
	{
#pragma omp masked
		first = omp_get_thread_num();
#pragma omp masked filter(1)
		{
			other = omp_get_thread_num();
		}
	}
	return first != 0 || other != 1;
}
