/* copyprivate of a private variable.
 * Regions: PARALLEL 2, SINGLE 2. */
int main(void)
{
	int value = 0, sum = 0;

#pragma omp parallel firstprivate(value) reduction(+ : sum) num_threads(2)
	{
#pragma omp single copyprivate(value)
		value = 4;
		sum += value;
	}
	return sum != 8;
}
