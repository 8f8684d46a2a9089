/* firstprivate and lastprivate of one variable.
 * Regions: PARALLEL LOOP 2. */
int main(void)
{
	int i, n = 6, wrong = 0;

#pragma omp parallel for firstprivate(n) lastprivate(n) reduction(+ : wrong) num_threads(2)
	for (i = 0; i < 16; i++) {
		wrong += n != 6 && n != i - 1;
		n = i;
	}
	return n != 15 || wrong;
}
