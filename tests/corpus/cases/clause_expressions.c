/* Expressions in clauses: pointers, indexed arrays, calls, if with a name.
 * Regions: PARALLEL LOOP 2, PARALLEL 2, PARALLEL LOOP 4. */
#include <omp.h>

int main(int argc, char **argv)
{
	int sum = 0, zero = 0, *pointer = &zero, sizes[2] = { 1, 2 };

	(void)argv;
#pragma omp parallel for schedule(static, sizes[1] * 2) reduction(+ : sum) num_threads(*pointer + 2)
	for (int i = 0; i < 8; i++)
		sum++;
#pragma omp parallel if(parallel : argc > 0) num_threads(argc + 1) reduction(+ : sum) proc_bind(close)
	sum++;
	for (int k = 0; k < 2; k++)
#pragma omp parallel for reduction(+ : sum) schedule(runtime) num_threads(omp_get_max_threads() > 0 ? 2 : 1)
		for (int i = 0; i < 4; i++)
			sum++;
	return sum != 18;
}
