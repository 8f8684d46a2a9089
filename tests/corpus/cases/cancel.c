/* cancel and cancellation points, which do nothing unless OMP_CANCELLATION is set.
 * Regions: PARALLEL 2, LOOP 2, CANCEL 1, CANCELLATION POINT 100, ATOMIC 100. */
int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < 100; i++) {
			if (i == 3) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
#pragma omp atomic
			sum++;
		}
	}
	return sum < 1 || sum > 100;
}
