/* loop, alone and combined.
 * Regions: PARALLEL 2, GENERIC LOOP 2, PARALLEL 2, GENERIC LOOP 2. */
int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp loop reduction(+ : sum) bind(parallel)
		for (int i = 0; i < 4; i++)
			sum += i;
	}
#pragma omp parallel loop reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 4; i++)
		sum += i;
	return sum != 12;
}
