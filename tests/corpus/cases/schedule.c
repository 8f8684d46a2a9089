/* Modifiers of schedules, collapse and nowait with a reduction.
 * Regions: PARALLEL LOOP 2, PARALLEL 2, LOOP 2, BARRIER 2. */
int main(void)
{
	int sum = 0;

#pragma omp parallel for schedule(monotonic : dynamic, 2) reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 4; i++)
		sum++;
#pragma omp parallel num_threads(2)
	{
#pragma omp for collapse(2) nowait reduction(+ : sum) schedule(nonmonotonic : dynamic, 1)
		for (int i = 0; i < 4; i++)
			for (int j = 0; j < 4; j++)
				sum++;
#pragma omp barrier
	}
	return sum != 20;
}
