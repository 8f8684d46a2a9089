/* Sections whose first has no directive, and those with one.
 * Regions: PARALLEL SECTIONS 2, ATOMIC 1, ATOMIC 1, PARALLEL SECTIONS 2, ATOMIC 1, ATOMIC 1. */
int main(void)
{
	int sum = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp atomic
		sum++;
#pragma omp section
#pragma omp atomic
		sum++;
	}
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
#pragma omp atomic
		sum += 10;
#pragma omp section
		{
#pragma omp atomic
			sum += 10;
		}
	}
	return sum != 22;
}
