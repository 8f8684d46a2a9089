/* scan cuts the body of a loop in two.
 * Regions: PARALLEL LOOP 2. */
int main(void)
{
	int sum = 0, sums[10];

#pragma omp parallel for reduction(inscan, + : sum) num_threads(2)
	for (int i = 0; i < 10; i++) {
		sum += i;
#pragma omp scan inclusive(sum)
		sums[i] = sum;
	}
	return sums[9] != 45 || sums[4] != 10;
}
