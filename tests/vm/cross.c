/*
 * Cross: regions, tasks, locks, and accesses whose numbers follow from arithmetic, for any architecture.
 */
#include <omp.h>
#include <stdio.h>

enum { N = 1000, ROUNDS = 5, THREADS = 4, TASKS = 12 };

static double from[N], to[N];
static long n_critical, n_tasks, n_locked;
#ifdef WIDE
static unsigned __int128 n_wide = (unsigned __int128)~0ul - N; /* the sum needs both halves */
#else /* the compiler leaves these to a library of its own */
static unsigned long n_wide;
#endif

static void copy(void)
{
#pragma omp parallel for num_threads(THREADS) schedule(static)
	for (int i = 0; i < N; i++)
		to[i] += from[i];
}

static void work(void)
{
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp critical(few)
		n_critical++;
		omp_set_lock(&lock);
		n_locked++;
		omp_unset_lock(&lock);
		for (int i = 0; i < N; i++)
			__atomic_fetch_add(&n_wide, 1, __ATOMIC_RELAXED);
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			{
#pragma omp atomic
				n_tasks++;
			}
		}
	}
	omp_destroy_lock(&lock);
}

int main(void)
{
	double sum = 0;

#pragma pomp inst data(from, sizeof(from), "from")
#pragma pomp inst data(to, sizeof(to), "to")
#pragma pomp inst data(&n_wide, sizeof(n_wide), "wide")
	for (int i = 0; i < N; i++)
		from[i] = i;
	for (int i = 0; i < ROUNDS; i++)
		copy();
	work();
	for (int i = 0; i < N; i++)
		sum += to[i];
	printf("%.0f %ld %ld %ld %lu %d\n", sum, n_critical, n_locked, n_tasks, (unsigned long)n_wide,
	       n_wide > ~0ul);
	return 0;
}
