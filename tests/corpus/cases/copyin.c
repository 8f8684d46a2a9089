/* threadprivate data: copyin, and copyprivate of a single.
 * Regions: PARALLEL 2, SINGLE 2. */
static int own;
#pragma omp threadprivate(own)

int main(void)
{
	int sum = 0, more = 0;

	own = 3;
#pragma omp parallel copyin(own) reduction(+ : sum, more) num_threads(2)
	{
		sum += own;
#pragma omp single copyprivate(own)
		own = 4;
		more += own;
	}
	return sum != 6 || more != 8;
}
