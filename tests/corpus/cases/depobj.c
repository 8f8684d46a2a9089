/* Dependence objects: stand-alone directives that are no region of their own.
 * Regions: DEPOBJ 1, PARALLEL 2, SINGLE 2, TASK 1, TASKEXEC 1, DEPOBJ 1. */
#include <omp.h>

int main(void)
{
	int value = 0;
	omp_depend_t object;

#pragma omp depobj(object) depend(inout : value)
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(depobj : object) shared(value)
		value = 1;
	}
#pragma omp depobj(object) destroy
	return value != 1;
}
