/* The same within a region: critical as an else, a barrier where it may stand.
 * Regions: PARALLEL 2, CRITICAL 2, BARRIER 2. */
int main(int argc, char **argv)
{
	int sum = 0;

	(void)argv;
#pragma omp parallel num_threads(2)
	{
		if (argc > 5)
			sum = -1;
		else
#pragma omp critical
			sum++;
		if (argc > 0) {
#pragma omp barrier
		}
		if (sum != 2)
#pragma omp atomic write
			sum = -5;
	}
	return sum != 2;
}
