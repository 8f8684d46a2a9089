/* The forms of atomic.
 * Regions: PARALLEL 2, ATOMIC 2, ATOMIC 2, ATOMIC 2, ATOMIC 2. */
int main(void)
{
	int count = 0, written = 0, wrong = 0;

#pragma omp parallel num_threads(2)
	{
		int old, seen;

#pragma omp atomic capture
		{ old = count; count++; }
#pragma omp atomic seq_cst
		count++;
#pragma omp atomic write
		written = 2;
#pragma omp atomic read
		seen = written;
		if (seen != 2 || old < 0 || old > 3)
#pragma omp atomic update
			wrong++;
	}
	return count != 4 || wrong;
}
