/* A loop without braces over an if without braces, a do, a switch and a while.
 * Regions: PARALLEL LOOP 2, PARALLEL LOOP 2, PARALLEL 2. */
int main(void)
{
	int sum = 0, i;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (i = 0; i < 6; i++)
		if (i % 3 == 2)
			sum++;
		else
			do
				sum += 10;
			while (0);
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (i = 0; i < 4; i++)
		switch (i) {
		case 0:
			break;
		default:
			sum += 100;
		}
#pragma omp parallel num_threads(2)
	while (sum < 0)
		;
	return sum != 342;
}
