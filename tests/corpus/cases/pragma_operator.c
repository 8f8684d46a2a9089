/* The operator _Pragma, bare and from a macro.
 * Regions: PARALLEL 2, CRITICAL 2, PARALLEL LOOP 2. */
#define OMP(words) _Pragma(#words)
#define PARALLEL OMP(omp parallel num_threads(2))

int main(void)
{
	int sum = 0;

	PARALLEL
	{
		_Pragma("omp critical")
		sum++;
	}
	OMP(omp parallel for reduction(+ : sum) num_threads(2))
	for (int i = 0; i < 4; i++)
		sum += i;
	return sum != 8;
}
