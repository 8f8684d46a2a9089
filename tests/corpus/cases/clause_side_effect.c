/* Expressions of clauses are evaluated once.
 * Regions: PARALLEL 2. */
static int calls;

static int threads(void)
{
	calls++;
	return 2;
}

int main(void)
{
	int n = 0, sum = 0;

#pragma omp parallel if(n++ < 10) num_threads(threads()) reduction(+ : sum)
	sum++;
	return n != 1 || calls != 1 || sum != 2;
}
