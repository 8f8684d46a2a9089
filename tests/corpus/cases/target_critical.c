/* Synchronisation inside of what is combined with target.
 * Regions: TARGET 1, CRITICAL 100. */
int main(void)
{
	int sum = 0;

#pragma omp target teams distribute parallel for map(tofrom : sum) num_teams(1)
	for (int i = 0; i < 100; i++) {
#pragma omp critical
		sum++;
	}
	return sum != 100;
}
