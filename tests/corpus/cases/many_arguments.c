/* Calls whose arguments are on the stack, and may stay there: what comes behind them belongs to the same function.
 * Regions: PARALLEL 2, CRITICAL 1, MASTER 1, TARGET DATA 1, TARGET 1, TARGET DATA 1, TARGET 1. */
__attribute__((noipa)) static int add(int a, int b, int c, int d, int e, int f, int g, int *all)
{
	return *all += a + b + c + d + e + f + g;
}

int main(void)
{
	int sum = 0, h = 5;

#pragma omp parallel num_threads(2)
	{
	}
	add(1, 2, 3, 4, 5, 6, 7, &sum);
#pragma omp critical
	{
		add(1, 2, 3, 4, 5, 6, 7, &sum);
#pragma omp master
		sum++;
	}
#pragma omp target data map(to : h)
	{
#pragma omp target map(h)
		h++;
	}
#pragma omp target data if(sum > 1000) map(to : h)
	{
#pragma omp target if(sum > 1000) map(h)
		h++;
	}
	return sum != 57 || h < 5;
}
