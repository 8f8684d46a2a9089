/* The statement of a construct and a closing brace on one line.
 * Regions: PARALLEL 2, ATOMIC 2. */
int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp atomic
		sum++; }
	return sum != 2;
}
