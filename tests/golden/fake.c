/*
 * Fake: every construct once or a few times, in one thread, so that with the fake clock (a microsecond a reading) and
 * the fake source (a count a reading) its whole report is known to the last digit.
 */
#include <omp.h>

static volatile int sink;

static void twice(int n)
{
#pragma omp task firstprivate(n)
	{
		sink += n;
	}
#pragma omp taskwait
	if (n > 1) {
#pragma pomp inst begin(deeper)
		twice(n - 1);
#pragma pomp inst end(deeper)
	}
}

int main(void)
{
	omp_lock_t lock;
	int i;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(1)
	{
#pragma omp for
		for (i = 0; i < 3; i++) {
#pragma omp critical(name)
			sink++;
#pragma omp atomic
			sink++;
		}
#pragma omp sections
		{
#pragma omp section
			sink++;
#pragma omp section
			sink++;
		}
#pragma omp single
		twice(3);
#pragma omp master
		sink++;
#pragma omp barrier
#pragma omp flush
#pragma omp for ordered
		for (i = 0; i < 2; i++) {
#pragma omp ordered
			sink++;
		}
	}
#pragma omp parallel for num_threads(1)
	for (i = 0; i < 2; i++) {
		omp_set_lock(&lock);
		sink++;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return 0;
}
