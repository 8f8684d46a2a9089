/* exit out of a region: the status is the program's, and the report is made. */
#include <stdlib.h>

int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		exit(0);
#pragma omp barrier
	}
	return 1;
}
