/* Declarative directives: reduction, simd, target.
 * Regions: PARALLEL LOOP 2. */
struct number { int value; };
#pragma omp declare reduction(+ : struct number : omp_out.value += omp_in.value) initializer(omp_priv = { 0 })
#pragma omp declare simd
static int next(int x)
{
	return x + 1;
}
#pragma omp declare target
int same(int x)
{
	return x;
}
#pragma omp end declare target

int main(void)
{
	struct number sum = { 0 };

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 4; i++)
		sum.value += next(same(i));
	return sum.value != 10;
}
