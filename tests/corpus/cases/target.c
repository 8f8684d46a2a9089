/* target and what is combined with it, on the host.
 * Regions: TARGET 1, PARALLEL LOOP 2, TARGET 1. */
int main(void)
{
	int sum = 0, all = 0;

#pragma omp target map(tofrom : sum)
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 100; i++)
		sum += i;
#pragma omp target teams distribute parallel for map(tofrom : all) reduction(+ : all)
	for (int i = 0; i < 100; i++)
		all += i;
	return sum != 4950 || all != 4950;
}
