/* scope, with a reduction.
 * Regions: PARALLEL 2, SCOPE 2. */
int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp scope reduction(+ : sum)
		sum += 3;
	}
	return sum != 6;
}
