/* The body of a loop is an if with an else, and nothing waits at its end.
 * Regions: PARALLEL 2, LOOP 2, ATOMIC 3, ATOMIC 4. */
int main(void)
{
	int odd = 0, even = 0, i;

#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static) nowait
		for (i = 0; i < 7; i++)
			if (i & 1)
#pragma omp atomic
				odd++;
			else
#pragma omp atomic
				even++;
	}
	return odd != 3 || even != 4;
}
