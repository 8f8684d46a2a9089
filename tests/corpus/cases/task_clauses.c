/* Clauses of tasks: final, mergeable, if, priority, in any order.
 * Regions: PARALLEL 2, SINGLE 2, TASK 1, TASKEXEC 1, ATOMIC 1, TASKWAIT 1, TASK 1, TASKEXEC 1. */
#include <omp.h>

int main(void)
{
	int sum = 0, in_final = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task untied final(sum == 0) mergeable shared(sum, in_final)
		{
			in_final = omp_in_final();
#pragma omp atomic
			sum++;
		}
#pragma omp taskwait
#pragma omp task if(0) shared(sum) priority(2)
		sum += 10;
	}
	return sum != 11 || !in_final;
}
