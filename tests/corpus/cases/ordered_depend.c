/* ordered depend, which stands alone, in a doacross loop.
 * Regions: PARALLEL LOOP 2, ORDERED 99, ORDERED 99. */
int main(void)
{
	int a[101] = { 0 };

#pragma omp parallel for ordered(1) num_threads(2)
	for (int i = 1; i < 100; i++) {
#pragma omp ordered depend(sink : i - 1)
		a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
	}
	return a[99] != 99;
}
