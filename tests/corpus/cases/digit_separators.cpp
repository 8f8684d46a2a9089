// Digit separators, which are no quotes.
// Regions: PARALLEL LOOP 2.
int main()
{
	int n = 1'000'000, sum = 0, hex = 0x12'34;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < n; i += 1'000)
		sum++;
	return sum != 1000 || hex != 4660;
}
