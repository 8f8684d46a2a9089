/* break, continue and return around constructs.
 * Regions: CRITICAL 1, PARALLEL 2, SINGLE 2, LOOP 2, CRITICAL 9. */
static int work(int x)
{
#pragma omp critical
	{
		x++;
	}
#pragma omp parallel num_threads(2)
	{
#pragma omp single nowait
		{
			for (;;) {
				if (x)
					break;
			}
		}
#pragma omp for
		for (int i = 0; i < 10; i++) {
			if (i == 2)
				continue;
#pragma omp critical
			{
				x++;
			}
		}
	}
	if (x == 11)
		return x;
	return 0;
}

int main(void)
{
	return work(1) != 11;
}
