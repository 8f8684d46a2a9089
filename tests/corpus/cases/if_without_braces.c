/* Constructs as branches of an if and as the body of a loop, without braces.
 * Regions: PARALLEL 2, PARALLEL 4, CRITICAL 4. */
int main(int argc, char **argv)
{
	int sum = 0, other = 0, i;

	(void)argv;
	if (argc > 5)
#pragma omp parallel reduction(+ : other) num_threads(2)
		other++;
	else
#pragma omp parallel reduction(+ : sum) num_threads(2)
		sum += 2;
	for (i = 0; i < 2; i++)
#pragma omp parallel num_threads(2)
#pragma omp critical
		sum++;
	return sum != 8 || other;
}
