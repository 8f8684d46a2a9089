/* Macros name the directive, its clauses, and whole clauses with their arguments.
 * Regions: PARALLEL LOOP 2, PARALLEL 2. */
#define PARALLEL_LOOP parallel for
#define TWO num_threads(2)
#define SUM(x) reduction(+ : x)
#define CHUNK 3

int main(void)
{
	int sum = 0;

#pragma omp PARALLEL_LOOP SUM(sum) TWO schedule(static, CHUNK)
	for (int i = 0; i < 10; i++)
		sum += i;
#pragma omp parallel TWO SUM(sum)
	sum++;
	return sum != 47;
}
