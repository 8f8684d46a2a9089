/* teams in teams, four levels deep, by each way to ask for numbers of threads */
// settings: OMP_NUM_THREADS=3,OMP_MAX_ACTIVE_LEVELS=4 OMP_NUM_THREADS=2,OMP_MAX_ACTIVE_LEVELS=1 OMP_THREAD_LIMIT=3 OMP_NESTED=true
#include <omp.h>
#include <stdio.h>

static int private_one = 1;
#pragma omp threadprivate(private_one)

static int count, n_critical;      /* an atomic and a critical region do not exclude each other */

static void level(int depth)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 3; i++) {
#pragma omp atomic
			count++;
		}
		if (depth > 1)
			level(depth - 1);
#pragma omp taskloop
		for (int i = 0; i < 2; i++) {
#pragma omp critical
			n_critical++;
		}
	}
}

int main(void)
{
	int sum = 0, most = 0;

	omp_set_max_active_levels(4);
	level(4);
	count = n_critical = 0;
	omp_set_max_active_levels(1);
	level(3);
	printf("%d\n", count + n_critical);
	omp_set_dynamic(0);
	for (int n = 1; n <= 3; n++) {
		omp_set_num_threads(n);
		private_one = n;
#pragma omp parallel copyin(private_one) reduction(+ : sum) // = PARALLEL 0 execC 3
		sum += private_one * (omp_get_thread_num() < 1);
#pragma omp parallel num_threads(4 - n) if (n != 2) proc_bind(close) // = PARALLEL 0 execC 3
#pragma omp single copyprivate(private_one) // = SINGLE SUM singleC 3; SINGLE SUM exitBarT -
		private_one = 9;
	}
#pragma omp parallel num_threads(1) // = PARALLEL SUM execC 1
	most = omp_get_num_threads();
#pragma omp parallel num_threads(1) // = PARALLEL SUM execC 1
	most += omp_get_num_threads();
	printf("%d %d\n", sum, most);
	return 0;
}
