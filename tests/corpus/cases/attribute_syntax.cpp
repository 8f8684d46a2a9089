// Directives as attributes.
// Regions: PARALLEL LOOP 2, PARALLEL 2, CRITICAL 2, PARALLEL 2, SINGLE 2.
int main()
{
	int sum = 0;

	[[omp::directive(parallel for reduction(+ : sum) num_threads(2))]]
	for (int i = 0; i < 4; i++)
		sum++;
	[[using omp : directive(parallel, num_threads(2))]]
	{
		[[omp::directive(critical)]]
		sum++;
	}
	[[omp::sequence(directive(parallel num_threads(2)), directive(single))]]
	sum++;
	return sum != 7;
}
