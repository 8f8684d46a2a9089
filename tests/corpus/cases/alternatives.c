/* Alternatives under #if: of the directives, of the statement, and of what is no C.
 * Regions: PARALLEL LOOP 2, PARALLEL 2, CRITICAL 2. */
int main(void)
{
	int sum = 0, i;

#if 0
#pragma omp parallel for
	this is not C { {
#endif
#ifdef NEVER
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
#else
#pragma omp parallel for reduction(+ : sum) num_threads(2)
#endif
	for (i = 0; i < 4; i++)
		sum++;
#pragma omp parallel num_threads(2)
#ifdef NEVER
	if (sum) {
#else
	{
#endif
#pragma omp critical
		sum++;
	}
	return sum != 6;
}
