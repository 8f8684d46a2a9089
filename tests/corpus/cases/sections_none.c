/* Sections with no section directive at all: one section.
 * Regions: PARALLEL SECTIONS 2. */
int main(void)
{
	int sum = 0;

#pragma omp parallel sections num_threads(2)
	{
		sum++;
	}
	return sum != 1;
}
