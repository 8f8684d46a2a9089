/* A group of tasks with a reduction, and a taskyield in it.
 * Regions: PARALLEL 2, SINGLE 2, TASKGROUP 1, TASK 1, TASKEXEC 1, TASKYIELD 1, TASK 1, TASKEXEC 1. */
int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		{
#pragma omp task in_reduction(+ : sum)
			sum += 3;
#pragma omp taskyield
#pragma omp task in_reduction(+ : sum)
			sum += 4;
		}
	}
	return sum != 7;
}
