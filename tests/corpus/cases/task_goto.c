/* goto past a task and out of a task's loop, continue and a label in front of a task.
 * Regions: PARALLEL 2, SINGLE 2, TASK 4, TASKEXEC 4, ATOMIC 4. */
int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 6; i++) {
		if (i == 1)
			goto next;
		if (i == 2)
			continue;
#pragma omp task shared(sum)
		{
#pragma omp atomic
			sum++;
		}
next:		;
	}
	return sum != 4;
}
