/* untied before another clause, before the end of the line, and continued.
 * Regions: PARALLEL 2, SINGLE 2, TASK 1, TASKEXEC 1, TASK 1, TASKEXEC 1, TASK 1, TASKEXEC 1. */
int main(void)
{
	int first = 0, second = 0, third = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task untied shared(first)
		first = 1;
#pragma omp task shared(second) untied
		second = 2;
#pragma omp task untied \
	shared(third)
		third = 3;
	}
	return first != 1 || second != 2 || third != 3;
}
