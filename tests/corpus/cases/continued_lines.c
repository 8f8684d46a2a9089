/* A directive over several lines, with blanks and tabs between its words.
 * Regions: PARALLEL LOOP 2, PARALLEL 2. */
int main(void)
{
	int sum = 0;

#pragma omp parallel \
	for \
	reduction(+ : sum) /* a comment */ \
	num_threads(2)
	for (int i = 0; i < 4; i++)
		sum++;
	#	pragma	omp	parallel	reduction(+ : sum) num_threads(2)
	sum++;
	return sum != 6;
}
