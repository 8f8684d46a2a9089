/* The body of a task is an if with an else, on one line and on several.
 * Regions: PARALLEL 2, SINGLE 2, TASK 1, TASKEXEC 1, TASK 1, TASKEXEC 1, TASKWAIT 1. */
int main(void)
{
	int small = 0, large = 0, n = 3;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task shared(small) firstprivate(n)
		if (n > 5) small = 1; else small = 2;
#pragma omp task shared(large) firstprivate(n)
		if (n < 5)
			large = 7;
		else
			large = 8;
#pragma omp taskwait
	}
	return small != 2 || large != 7;
}
