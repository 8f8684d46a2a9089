/* parallel combined with master and masked.
 * Regions: PARALLEL 2, MASTER 1, PARALLEL 2, MASKED 1. */
int main(void)
{
	int sum = 0;

#pragma omp parallel master num_threads(2)
	sum++;
#pragma omp parallel masked num_threads(2)
	sum += 10;
	return sum != 11;
}
