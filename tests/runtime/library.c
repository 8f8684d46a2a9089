/*
 * Library: a region for the program that loads it.
 */
int region(int n);

int region(int n)
{
	int sum = 0, i;

#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (i = 0; i < n; i++)
		sum += i;
	return sum;
}
