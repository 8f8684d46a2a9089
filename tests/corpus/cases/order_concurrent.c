/* order(concurrent): no OpenMP function may be called in the loop.
 * Regions: PARALLEL LOOP 2. */
int main(void)
{
	int a[100];

#pragma omp parallel for order(concurrent) num_threads(2)
	for (int i = 0; i < 100; i++)
		a[i] = i;
	return a[99] != 99;
}
