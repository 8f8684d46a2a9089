/* simd is no region; combined with a loop, the loop is.
 * Regions: PARALLEL 2, LOOP 2, PARALLEL LOOP 2. */
int main(void)
{
	int sum = 0;

#pragma omp simd reduction(+ : sum) safelen(4)
	for (int i = 0; i < 4; i++)
		sum += i;
#pragma omp parallel num_threads(2)
#pragma omp for simd reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
#pragma omp parallel for simd reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 100; i++)
		sum += i;
	return sum != 9906;
}
