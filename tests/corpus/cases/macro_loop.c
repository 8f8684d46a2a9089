/* The head of the loop comes from a macro: the end of the construct is where the loop ends.
 * Regions: PARALLEL LOOP 2, CRITICAL 1, PARALLEL LOOP 2. */
#define EACH(i, n) for (int i = 0; i < (n); i++)

int main(void)
{
	int sum = 0, times = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	EACH(i, 4)
		sum += i;
#pragma omp critical
	{
		times++;
	}
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	EACH(k, 3) { sum += k; }
	return sum != 9 || times != 1;
}
