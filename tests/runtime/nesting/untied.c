/* untied tasks: by clang they are suspended, and go on in other threads */
// settings: OMP_NUM_THREADS=1 OMP_NUM_THREADS=4
#include <omp.h>
#include <stdio.h>

static int n;

static void tree(int depth)
{
	if (!depth)
		return;
	for (int i = 0; i < 3; i++) {
#pragma omp task untied // = TASK SUM execC 363; TASKEXEC SUM execC 363
		{
#pragma omp atomic // = ATOMIC SUM execC 363
			n++;
#pragma omp taskyield
			tree(depth - 1);
		}
	}
}

int main(void)
{
#pragma omp parallel // = PARALLEL 0 execC 1
#pragma omp single // = SINGLE SUM singleC 1
	{
#pragma omp taskgroup // = TASKGROUP SUM execC 1
		tree(5);
	}
	printf("%d\n", n);
	return 0;
}
