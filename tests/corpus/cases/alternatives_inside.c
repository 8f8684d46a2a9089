/* Alternatives of a loop's directive within a region.
 * Regions: PARALLEL 2, LOOP 2. */
int main(void)
{
	int sum = 0;

#pragma omp parallel reduction(+ : sum) num_threads(2)
	{
#ifdef NEVER
#pragma omp for schedule(dynamic)
#else
#pragma omp for schedule(static)
#endif
		for (int i = 0; i < 4; i++)
			sum++;
	}
	return sum != 4;
}
