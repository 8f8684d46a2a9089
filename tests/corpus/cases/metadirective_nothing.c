/* nothing and error stand alone and are no region.
 * Regions: PARALLEL 2. */
int main(void)
{
	int sum = 0;

#pragma omp nothing
#pragma omp error severity(warning) at(compilation) message("is shown")
#pragma omp parallel reduction(+ : sum) num_threads(2)
	sum++;
	return sum != 2;
}
