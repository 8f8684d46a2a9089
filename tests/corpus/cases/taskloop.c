/* taskloop, alone and combined with parallel and master.
 * Regions: PARALLEL 2, SINGLE 2, TASKLOOP 1, TASKEXEC 10, PARALLEL 2, MASTER 1, TASKLOOP 1, TASKEXEC 4,
 * ATOMIC 4. */
int main(void)
{
	int sum = 0, done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop reduction(+ : sum) num_tasks(5)
	for (int i = 0; i < 10; i++)
		sum += i;
#pragma omp parallel master taskloop num_threads(2) num_tasks(4)
	for (int i = 0; i < 4; i++) {
#pragma omp atomic
		done++;
	}
	return sum != 45 || done != 4;
}
