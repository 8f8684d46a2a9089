/* linear, which belongs to the loop of a combined construct.
 * Regions: PARALLEL LOOP 2. */
int main(void)
{
	int j = 0;

#pragma omp parallel for linear(j : 1) num_threads(2)
	for (int i = 0; i < 100; i++)
		j++;
	return j != 100;
}
