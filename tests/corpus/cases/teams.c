/* parallel inside of teams, where few functions may be called.
 * Regions: TARGET 1, PARALLEL LOOP 2. */
int main(void)
{
	int sum = 0;

#pragma omp target teams map(tofrom : sum) reduction(+ : sum) num_teams(1)
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 100; i++)
		sum += i;
	return sum != 4950;
}
