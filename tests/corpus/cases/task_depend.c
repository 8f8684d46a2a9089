/* Dependences: of tasks, and of a taskwait.
 * Regions: PARALLEL 2, SINGLE 2, TASK 1, TASKEXEC 1, TASK 1, TASKEXEC 1, TASKWAIT 1. */
int main(void)
{
	int value = 0, seen = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out : value) shared(value) priority(2)
		value = 1;
#pragma omp task depend(in : value) depend(out : seen) shared(value, seen)
		seen = value + 1;
#pragma omp taskwait depend(in : value, seen)
		value = seen + 1;
	}
	return value != 3;
}
