/* Worksharing in a function that is called in a region and out of one.
 * Regions: LOOP 3, ATOMIC 8, SECTIONS 3, SINGLE 3, PARALLEL 2. */
static void work(int *sum)
{
#pragma omp for
	for (int i = 0; i < 4; i++) {
#pragma omp atomic
		(*sum)++;
	}
#pragma omp sections
	{
#pragma omp section
		{}
#pragma omp section
		{}
	}
#pragma omp single
	{}
}

int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
	work(&sum);
	work(&sum);
	return sum != 8;
}
