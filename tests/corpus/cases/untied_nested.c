/* A task with clauses over several lines in two loops, one of them shared out.
 * Regions: PARALLEL 2, LOOP 2, TASK 8, TASKEXEC 8, ATOMIC 8. */
int main(void)
{
	int sum = 0, i, j;

#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic) private(i, j)
		for (i = 0; i < 4; i++) {
			for (j = 0; j < 2; j++) {
#pragma omp task untied \
	private(i) firstprivate(j) \
	shared(sum)
				{
#pragma omp atomic
					sum += 1 + j;
				}
			}
		}
	}
	return sum != 12;
}
