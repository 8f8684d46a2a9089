/*
 * order: stages that one thread after the other works in, a gap apart; the program says itself when each one was.
 * Arguments: threads, stages, milliseconds of a gap, "sleep" or "busy", seed.  With -DPTHREADS it has threads of its own,
 * else those of OpenMP.
 *
 * Each stage uses pages of its own in a way that is chosen by chance, and those of an area that all stages use.  Lines:
 *     thread NUMBER ADDRESS                       a page that this thread alone uses
 *     common ADDRESS PAGES
 *     stage NUMBER THREAD BEGIN END WAY ADDRESS PAGES       times in seconds of CLOCK_MONOTONIC
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

enum { N = 24, MOST_THREADS = 64, MOST_STAGES = 400 };
enum way { SINGLE, LOOP, UNTIL, GATHER, PAUSE, COPY, ATOMIC, SLOW_LOOP, SLOW_INNER, SLOW_GATHER, N_WAYS };
static const char *const names[] = { "single", "loop", "until", "gather", "pause", "copy", "atomic", "slow-loop", "slow-inner", "slow-gather" };

static struct stage {
	double begin, end;
	unsigned char *pages;
	enum way way;
	long thread;
} stages[2 * MOST_STAGES];
static long n_stages, n_threads, gap_ms, is_busy, n_told;
static unsigned long n_spins;
static unsigned char *area, *common, *own;
static long order[MOST_STAGES], index_of[N];
static char going[N + 1];
static pthread_barrier_t barrier;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Takes time and no memory. */
static inline unsigned long spin(unsigned long n)
{
	unsigned long x = n;

	for (unsigned long i = 0; i < n; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}

static void pass(long ms)
{
	double until = now() + ms / 1e3;
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	if (!is_busy)
		nanosleep(&t, NULL);
	while (now() < until)
		if (spin(1000) == 1)
			puts("");
}

/* ---- the ways ---- */

static __attribute__((noinline)) void single(unsigned char *a, long i)
{
	a[i * PAGE]++;
}

static __attribute__((noinline)) void loop(unsigned char *a, long n)
{
	for (long i = 0; i < n; i++)
		a[i * PAGE]++;
}

static __attribute__((noinline)) void until(unsigned char *a, const char *more)
{
	for (long i = 0; more[i]; i++)
		a[i * PAGE]++;
}

static __attribute__((noinline)) void gather(unsigned char *a, const long *at, long n)
{
	for (long i = 0; i < n; i++)
		a[at[i] * PAGE]++;
}

static __attribute__((noinline)) void wait_within(unsigned char *a)
{
	struct stage *s = &stages[n_told++];

	s->end = now();
	pass(gap_ms);
	stages[n_told] = *s;
	stages[n_told].pages = a + N / 2 * PAGE;
	stages[n_told].begin = now();
}

static __attribute__((noinline)) void gather_and_wait(unsigned char *a, const long *at, long n)
{
	for (long i = 0; i < n; i++) {
		if (__builtin_expect(i == N / 2, 0))
			wait_within(a);
		a[at[i] * PAGE]++;
	}
}

static __attribute__((noinline)) unsigned long slow_loop(unsigned char *a, long n)
{
	unsigned long x = 0;

	for (long i = 0; i < n; i++) {
		x += spin(n_spins);
		a[i * PAGE]++;
	}
	return x;
}

/* The inner loop is counted as a whole, and the outer one is not. */
static __attribute__((noinline)) unsigned long slow_inner(unsigned char *a, long n, long times)
{
	unsigned long x = 0;

	for (long k = 0; k < times; k++) {
		if (__builtin_expect(k == N / 2, 0))
			wait_within(a);
		for (long i = 0; i < n; i++) {
			x += spin(n_spins);
			a[i * PAGE]++;
		}
	}
	return x;
}

static __attribute__((noinline)) unsigned long slow_gather(unsigned char *a, const long *at, long n)
{
	unsigned long x = 0;

	for (long i = 0; i < n; i++) {
		x += spin(n_spins);
		a[at[i] * PAGE]++;
	}
	return x;
}

static __attribute__((noinline)) void copy(unsigned char *a, const void *from)
{
	for (long i = 0; i < N; i++)
		memcpy(a + i * PAGE, from, 100);
}

static __attribute__((noinline)) void atomics(unsigned char *a)
{
	for (long i = 0; i < N; i++)
		__atomic_fetch_add((long *)(a + i * PAGE), 1, __ATOMIC_SEQ_CST);
}

static unsigned long use(unsigned char *a, enum way way)
{
	switch (way) {
	case SINGLE:
		for (long i = 0; i < N; i++)
			single(a, i);
		return 0;
	case LOOP: loop(a, N); return 0;
	case UNTIL: until(a, going); return 0;
	case GATHER: gather(a, index_of, N); return 0;
	case PAUSE: gather_and_wait(a, index_of, N); return 0;
	case COPY: copy(a, order); return 0;
	case ATOMIC: atomics(a); return 0;
	case SLOW_LOOP: return slow_loop(a, N);
	case SLOW_INNER: return slow_inner(a, N, index_of[1]);
	default: return slow_gather(a, index_of, N);
	}
}

/* ---- the stages ---- */

static void work(long me)
{
	own[(size_t)me * PAGE] = 1;
	for (long s = 0; s < n_stages; s++) {
		pthread_barrier_wait(&barrier);
		if (order[s] == me) {
			struct stage *stage = &stages[n_told];
			unsigned char *pages = area + (size_t)s * N * PAGE;
			enum way way = (enum way)(s < N_WAYS ? (s + order[0]) % N_WAYS : rand() % N_WAYS);

			*stage = (struct stage){ now(), 0, pages, way, me };
			if (use(pages, way) == 1)
				puts("");
			stages[n_told].end = now();
			if (way <= GATHER)
				use(common, way);
			n_told++;
			pass(gap_ms);
		}
	}
	pthread_barrier_wait(&barrier);
}

static void *begin(void *argument)
{
	work((long)argument);
	return NULL;
}

static void run(void)
{
#ifdef PTHREADS
	pthread_t threads[MOST_THREADS];

	for (long i = 1; i < n_threads; i++)
		pthread_create(&threads[i], NULL, begin, (void *)i);
	begin(NULL);
	for (long i = 1; i < n_threads; i++)
		pthread_join(threads[i], NULL);
#else
	long me = 0;

#pragma omp parallel num_threads(n_threads)
	begin((void *)__atomic_fetch_add(&me, 1, __ATOMIC_SEQ_CST));
#endif
}

int main(int argc, char **argv)
{
	double t;

	if (argc < 6)
		return 2;
	n_threads = atol(argv[1]);
	n_stages = atol(argv[2]);
	gap_ms = atol(argv[3]);
	is_busy = !strcmp(argv[4], "busy");
	srand((unsigned int)atol(argv[5]));
	area = aligned_alloc(PAGE, (size_t)n_stages * N * PAGE);
	common = aligned_alloc(PAGE, N * PAGE);
	own = aligned_alloc(PAGE, (size_t)n_threads * PAGE);
	memset(going, 1, N);
	for (long i = 0; i < N; i++)
		index_of[i] = i;
	for (long s = 0; s < n_stages; s++)
		order[s] = rand() % n_threads;
	/* a slow step takes a fortieth of a gap */
	for (n_spins = 100000, t = now(); now() - t < 2e-3; n_spins *= 2) {
		t = now();
		if (spin(n_spins) == 1)
			puts("");
	}
	n_spins = (unsigned long)(n_spins / 2 * (gap_ms / 4e4) / (now() - t));
	pthread_barrier_init(&barrier, NULL, (unsigned int)n_threads);
	run();
	for (long i = 0; i < n_threads; i++)
		printf("thread %ld %p\n", i, (void *)(own + (size_t)i * PAGE));
	printf("common %p %d\n", (void *)common, N);
	for (long s = 0; s < n_told; s++)
		printf("stage %ld %ld %.9f %.9f %s %p %d\n", s, stages[s].thread, stages[s].begin, stages[s].end,
		       names[stages[s].way], (void *)stages[s].pages, stages[s].way == PAUSE ? N / 2 : N);
	return 0;
}
