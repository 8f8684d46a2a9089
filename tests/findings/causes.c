/*
 * A program with one problem, which is the macro's that is defined; with MENDED, too, it does the same without.  The line
 * where it shows has the word "planted".  STEPS: work of an iteration; MORE: how large the problem is; TIMES: how often.
 */
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include "work.h"

#ifndef TIMES
#define TIMES 50
#endif
#ifndef STEPS
#define STEPS 60000
#endif
#ifndef MORE
#define MORE 3
#endif
enum { N = 64 };
static double a[N];

static void balanced(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		a[i] += work(STEPS);
}

#if defined(LOOP) /* the second half of the iterations has MORE times as much work */
static void step(int t)
{
	(void)t;
#ifdef MENDED
#pragma omp parallel for schedule(static, 1)
#else
#pragma omp parallel for schedule(static) /* planted */
#endif
	for (int i = 0; i < N; i++)
		a[i] += work(i < N / 2 ? STEPS : MORE * STEPS);
}
#elif defined(TRIANGLE) /* threads have the same number of iterations, and iteration i has i + 1 parts of work */
static void step(int t)
{
	(void)t;
#ifdef MENDED
#pragma omp parallel for schedule(static, 1)
#else
#pragma omp parallel for schedule(static) /* planted */
#endif
	for (int i = 0; i < N; i++)
		a[i] += work((long)(i + 1) * MORE * STEPS / N);
}
#elif defined(VARIES) /* a half of the iterations has MORE times as much work, now the first one and now the second */
static void step(int t)
{
	int is_second = __builtin_parity((unsigned)t);

#ifdef MENDED
#pragma omp parallel for schedule(static, 1)
#else
#pragma omp parallel for schedule(static) /* planted */
#endif
	for (int i = 0; i < N; i++)
		a[i] += work((i >= N / 2) == is_second ? MORE * STEPS : STEPS);
}
#elif defined(FAULTS) /* the memory of the second half of the iterations is new each time */
enum { PAGES = 4000, PAGE_BYTES = 4096 };
static void step(int t)
{
	static char *pages;

	(void)t;
	if (!pages) {
		pages = aligned_alloc(PAGE_BYTES, (size_t)PAGES * PAGE_BYTES);
		if (!pages)
			abort();
		madvise(pages, (size_t)PAGES * PAGE_BYTES, MADV_NOHUGEPAGE);
	}
#ifndef MENDED
	madvise(pages + PAGES / 2 * PAGE_BYTES, (size_t)PAGES / 2 * PAGE_BYTES, MADV_DONTNEED);
#endif
#pragma omp parallel for schedule(static) /* planted */
	for (int i = 0; i < PAGES; i++)
		pages[(size_t)i * PAGE_BYTES] += work(STEPS / 250) > 0;
}
#elif defined(REGION) /* one thread has MORE times as much work */
static void step(int t)
{
	(void)t;
#pragma omp parallel /* planted */
	{
#ifdef MENDED
		a[omp_get_thread_num()] += work(10 * (1 + MORE) * STEPS);
#else
		a[omp_get_thread_num()] += work(omp_get_thread_num() ? 20 * STEPS : MORE * 20 * STEPS);
#endif
	}
}
#elif defined(WAIT) /* the same before a barrier */
static void step(int t)
{
	(void)t;
#pragma omp parallel
	for (int k = 0; k < 4; k++) {
#ifdef MENDED
		a[omp_get_thread_num()] += work(5 * (1 + MORE) * STEPS / 2);
#else
		a[omp_get_thread_num()] += work(omp_get_thread_num() ? 5 * STEPS : MORE * 5 * STEPS);
#endif
#pragma omp barrier /* planted */
	}
}
#elif defined(BEFORE) /* a loop without a barrier is unequal, and the threads wait at the next one */
static void step(int t)
{
	(void)t;
#pragma omp parallel
	{
#ifdef MENDED
#pragma omp for schedule(static, 1) nowait
#else
#pragma omp for schedule(static) nowait
#endif
		for (int i = 0; i < N; i++)
			a[i] += work(i < N / 2 ? STEPS : MORE * STEPS);
#pragma omp for schedule(static) /* planted */
		for (int i = 0; i < N; i++)
			a[i] += work(STEPS / 4);
	}
}
#elif defined(UNEQUAL) /* one section has MORE times as much work */
#ifdef MENDED
#define FIRST_PART 10 * (1 + MORE) * STEPS
#define SECOND_PART 10 * (1 + MORE) * STEPS
#else
#define FIRST_PART 20 * STEPS
#define SECOND_PART MORE * 20 * STEPS
#endif
static void step(int t)
{
	(void)t;
#pragma omp parallel sections /* planted */
	{
#pragma omp section
		a[0] += work(FIRST_PART);
#pragma omp section
		a[1] += work(SECOND_PART);
	}
}
#elif defined(UNEVEN) /* three sections for two threads; mended, two of half as much again */
static void step(int t)
{
	(void)t;
#pragma omp parallel sections /* planted */
	{
#ifdef MENDED
#pragma omp section
		a[0] += work(30 * STEPS);
#pragma omp section
		a[1] += work(30 * STEPS);
#else
#pragma omp section
		a[0] += work(20 * STEPS);
#pragma omp section
		a[1] += work(20 * STEPS);
#pragma omp section
		a[2] += work(20 * STEPS);
#endif
	}
}
#elif defined(FEW_SECTIONS) /* one section for two threads */
static void step(int t)
{
	(void)t;
#pragma omp parallel sections /* planted */
	{
#ifdef MENDED
#pragma omp section
		a[0] += work(10 * STEPS);
#pragma omp section
		a[1] += work(10 * STEPS);
#else
#pragma omp section
		a[0] += work(20 * STEPS);
#endif
	}
}
#elif defined(SINGLE) /* a single has MORE tenths of the work */
static void step(int t)
{
	(void)t;
#pragma omp parallel
	{
#ifdef MENDED
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			a[i] += work(MORE * STEPS / 10);
#else
#pragma omp single /* planted */
		a[0] += work((long)N * MORE * STEPS / 10);
#endif
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			a[i] += work(STEPS);
	}
}
#elif defined(MASTER) /* the same of a master, for which the others wait */
static void step(int t)
{
	(void)t;
#pragma omp parallel
	{
#ifdef MENDED
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			a[i] += work(MORE * STEPS / 10);
#else
#pragma omp master /* planted */
		a[0] += work((long)N * MORE * STEPS / 10);
#pragma omp barrier
#endif
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			a[i] += work(STEPS);
	}
}
#elif defined(CRITICAL) /* MORE tenths of the work are in a critical region, which is busy nearly all the time from 5 on */
static void step(int t)
{
	(void)t;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++) {
		double x = work((10 - MORE) * STEPS / 10);
#ifdef MENDED
		a[i] += work(MORE * STEPS / 10) + x;
#else
#pragma omp critical /* planted */
		a[0] += work(MORE * STEPS / 10) + x;
#endif
	}
}
#elif defined(LOCK) /* the same of a lock */
static omp_lock_t lock;
static void step(int t)
{
	if (!t)
		omp_init_lock(&lock);
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++) {
		double x = work((10 - MORE) * STEPS / 10);
#ifdef MENDED
		a[i] += work(MORE * STEPS / 10) + x;
#else
		omp_set_lock(&lock); /* planted */
		a[0] += work(MORE * STEPS / 10) + x;
		omp_unset_lock(&lock);
#endif
	}
}
#elif defined(ORDERED) /* the same of an ordered region */
static void step(int t)
{
	(void)t;
#pragma omp parallel for schedule(static, 1) ordered
	for (int i = 0; i < N; i++) {
		double x = work((10 - MORE) * STEPS / 10);
#ifdef MENDED
		a[i] += work(MORE * STEPS / 10) + x;
#else
#pragma omp ordered /* planted */
		a[0] += work(MORE * STEPS / 10) + x;
#endif
	}
}
#elif defined(DOACROSS) /* each point of a grid waits for its neighbours */
enum { SIDE = 800 };
static double grid[SIDE + 1][SIDE + 1];
static void step(int t)
{
	(void)t;
#pragma omp parallel for ordered(2) schedule(static, 1)
	for (int i = 1; i <= SIDE; i++)
		for (int j = 1; j <= SIDE; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1) /* planted */
			grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) / 2 + work(10);
#pragma omp ordered depend(source)
		}
	a[0] += grid[SIDE][SIDE];
}
#elif defined(TURNS) /* nearly all of each short iteration is ordered; the iterations are handed out one at a time */
#ifndef SCHEDULE
#define SCHEDULE dynamic
#endif
static void step(int t)
{
	double sum = 0;

	(void)t;
#ifdef MENDED
#pragma omp parallel for schedule(static) reduction(+ : sum)
	for (int i = 0; i < 500 * N; i++)
		sum += work(STEPS / 1000);
#else
#pragma omp parallel for schedule(SCHEDULE) ordered
	for (int i = 0; i < 500 * N; i++) {
#pragma omp ordered /* planted */
		sum += work(STEPS / 1000);
	}
#endif
	a[0] += sum;
}
#elif defined(ATOMIC) /* an atomic operation in each of many short iterations */
static long hits;
static void step(int t)
{
	(void)t;
#ifdef MENDED
#pragma omp parallel for schedule(static) reduction(+ : hits)
	for (int i = 0; i < 500 * N; i++)
		if (work(STEPS / 1000) > 0)
			hits++;
#else
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 500 * N; i++)
		if (work(STEPS / 1000) > 0)
#pragma omp atomic /* planted */
			hits++;
#endif
}
#elif defined(OUTSIDE) /* the program waits outside of parallel regions for 10 MORE ms; planted in the whole program */
#if defined(READ) || defined(ACCEPT) /* for another thread, which sleeps, answers, and waits to be asked again */
static int asked[2], answers;
static struct sockaddr_un name = { .sun_family = AF_UNIX };
static socklen_t n_name = sizeof(sa_family_t);

static void *other(void *unused)
{
	char c;

	while (read(asked[0], &c, 1) == 1) {
		poll(NULL, 0, 10 * MORE);
#ifdef ACCEPT
		int s = socket(AF_UNIX, SOCK_STREAM, 0);

		if (connect(s, (struct sockaddr *)&name, n_name))
			abort();
		close(s);
#else
		if (write(answers, &c, 1) != 1)
			abort();
#endif
	}
	return unused;
}

static void ask(int t)
{
	static int from;
	pthread_t thread;
	char c = 0;

	if (!t) {
#ifdef ACCEPT
		from = socket(AF_UNIX, SOCK_STREAM, 0); /* with a name that the kernel chooses */
		if (bind(from, (struct sockaddr *)&name, n_name) || listen(from, 1))
			abort();
		n_name = sizeof(name);
		getsockname(from, (struct sockaddr *)&name, &n_name);
#else
		int both[2];

		if (pipe(both))
			abort();
		from = both[0];
		answers = both[1];
#endif
		if (pipe(asked) || pthread_create(&thread, NULL, other, NULL))
			abort();
	}
	if (write(asked[1], &c, 1) != 1)
		abort();
#ifdef ACCEPT
	close(accept(from, NULL, NULL));
#else
	if (read(from, &c, 1) != 1)
		abort();
#endif
}
#endif

static void step(int t)
{
	(void)t;
#if defined(MENDED)
#elif defined(READ) || defined(ACCEPT)
	ask(t);
#elif defined(POLL)
	poll(NULL, 0, 10 * MORE);
#else
	nanosleep(&(struct timespec){ .tv_nsec = 10000000L * MORE }, NULL);
#endif
	balanced();
}
#elif defined(SERIAL) /* MORE tenths of the work of all threads are outside; planted in the whole program */
static void step(int t)
{
	(void)t;
#ifdef MENDED
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		a[i] += work(MORE * STEPS / 10);
#else
	a[0] += work((long)N * MORE * STEPS / 10);
#endif
	balanced();
}
#elif defined(FORKS) /* a team for each of many little loops */
static void step(int t)
{
	(void)t;
#ifdef MENDED
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		a[i] += work(100 * (STEPS / 1000));
#else
	for (int k = 0; k < 100; k++)
#pragma omp parallel for schedule(static) /* planted */
		for (int i = 0; i < N; i++)
			a[i] += work(STEPS / 1000);
#endif
}
#elif defined(BARRIERS) /* little work between barriers */
static void step(int t)
{
	(void)t;
#pragma omp parallel
	for (int k = 0; k < 20000; k++) {
		a[omp_get_thread_num()] += work(STEPS / 1000);
#ifndef MENDED
#pragma omp barrier /* planted */
#endif
	}
}
#elif defined(SLEEP) /* threads sleep MORE tenths of the time, as for input */
static void step(int t)
{
	(void)t;
#pragma omp parallel for schedule(static) /* planted */
	for (int i = 0; i < 8; i++) {
#ifndef MENDED
		const struct timespec nap = { 0, MORE * 100000 };

		nanosleep(&nap, NULL);
#endif
		a[i] += work(3 * STEPS);
	}
}
#elif defined(FIRST) || defined(FEW) /* the first visit, or a later one, takes MORE tenths of all others together */
static void step(int t)
{
	int is_long = 0;

#ifndef MENDED
#ifdef FIRST
	is_long = t == 0;
#else
	is_long = t == TIMES / 2;
#endif
#endif
#pragma omp parallel for schedule(static) /* planted */
	for (int i = 0; i < N; i++)
		a[i] += work(is_long ? (long)TIMES * STEPS * MORE / 10 : STEPS);
}
#elif defined(GROWING) /* a list grows by MORE x STEPS / 1000 with each step, and each iteration searches it */
static struct element { struct element *next; double key; } *list;

static int is_known(double key)
{
	const struct element *e = list;

	while (e && e->key != key)
		e = e->next;
	return e != NULL;
}

static void step(int t)
{
	int n_new = MORE * (STEPS / 1000);

#ifdef MENDED /* the list is as long all the time as in the middle of the run, or with MENDED=8 after an eighth of it */
	n_new = t ? 0 : n_new * TIMES / (MENDED > 1 ? MENDED : 2);
#endif
	for (int i = 0; i < n_new; i++) {
		struct element *e = malloc(sizeof(*e));

		*e = (struct element){ list, t + 1 };
		list = e;
	}
#pragma omp parallel for schedule(static) /* planted */
	for (int i = 0; i < N; i++)
		a[i] += is_known(-1);
}
#elif defined(SHARING) /* counters of both threads lie in one cache line */
static void step(int t)
{
#ifdef MENDED
	static struct { volatile long n; char pad[120]; } counts[8];
#else
	static struct { volatile long n; } counts[8];
#endif

#pragma omp parallel /* planted */
	for (int i = 0; i < STEPS; i++)
		counts[omp_get_thread_num()].n++;
	a[t % N] += (double)counts[0].n;
}
#elif defined(SCATTERED) /* elements of one cache line are handed out to different threads */
static void step(int t)
{
	static volatile double few[1024];

#ifdef MENDED
#pragma omp parallel for schedule(static)
#else
#pragma omp parallel for schedule(static, 1) /* planted */
#endif
	for (int i = 0; i < 1024; i++)
		for (int k = 0; k < STEPS / 1000; k++)
			few[i] = few[i] * 0.999 + 0.5;
	a[t % N] += few[t];
}
#elif defined(READERS) /* one thread counts on a line from which the others read a limit; with TOGETHER the count, too */
static void step(int t)
{
#ifdef MENDED
	static struct { volatile long limit; char pad[120]; volatile long n; } __attribute__((aligned(64))) shared;
#else
	static struct { volatile long limit, n; } __attribute__((aligned(64))) shared;
#endif
	long below = 0;

#pragma omp parallel reduction(+ : below) /* planted */
	for (int i = 0; i < STEPS; i++)
		if (!omp_get_thread_num())
			shared.n++;
#ifdef TOGETHER
		else
			below += shared.n < shared.limit;
#else
		else
			below += i < shared.limit + READERS;
#endif
	a[t % N] += (double)(below + shared.n);
}
#elif defined(STRIDE) /* a matrix is walked by columns */
enum { ROWS = 2000, COLUMNS = 1000 };
static double m[ROWS][COLUMNS];
static void step(int t)
{
	double s = 0;

#pragma omp parallel for reduction(+ : s) /* planted */
#ifdef MENDED
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			s += m[i][j];
#else
	for (int j = 0; j < COLUMNS; j++)
		for (int i = 0; i < ROWS; i++)
			s += m[i][j];
#endif
	a[t % N] += s;
}
#elif defined(MEMORY) /* a long array is read and written from memory again and again; mended, while a part is in caches */
enum { LONG = 12000000, BLOCK = 8000, PASSES = 8 };
static double *from, *to;
static void step(int t)
{
	if (!t) {
		from = malloc(LONG * sizeof(*from));
		to = malloc(LONG * sizeof(*to));
		if (!from || !to)
			abort();
#pragma omp parallel for schedule(static)
		for (long i = 0; i < LONG; i++)
			from[i] = to[i] = 1;
	}
#ifdef MENDED
#pragma omp parallel for schedule(static) /* planted */
	for (long block = 0; block < LONG; block += BLOCK)
		for (int k = 0; k < PASSES; k++)
			for (long i = block; i < block + BLOCK; i++)
				to[i] += 0.5 * from[i];
#else
	for (int k = 0; k < PASSES; k++) {
#pragma omp parallel for schedule(static) /* planted */
		for (long i = 0; i < LONG; i++)
			to[i] += 0.5 * from[i];
	}
#endif
	a[t % N] += to[t];
}
#elif defined(PARTS) /* one member of many of a structure is used */
enum { BODIES = 200000 };
#ifdef MENDED
static struct body { double x; } bodies[BODIES];
#else
static struct body { double x, others[9]; } bodies[BODIES];
#endif
static void step(int t)
{
	double s = 0;

#pragma omp parallel for reduction(+ : s) /* planted */
	for (int i = 0; i < BODIES; i++)
		s += bodies[i].x;
	a[t % N] += s;
}
#elif defined(MEMBERS) /* of two lines each so many members are used, from the last one to the first */
enum { BODIES = 100000 };
#ifdef MENDED
static struct body { double used[2 * MEMBERS]; } bodies[BODIES];
#define AT(i, k) bodies[i].used[k]
#else
static struct body { double all[16]; } bodies[BODIES] __attribute__((aligned(64)));
#define AT(i, k) bodies[i].all[(k) / MEMBERS * 8 + (k) % MEMBERS]
#endif
static void step(int t)
{
	double s = 0;

#pragma omp parallel for reduction(+ : s) /* planted */
	for (int i = 0; i < BODIES; i++)
		for (int k = 2 * MEMBERS - 1; k >= 0; k--)
			s += AT(i, k);
	a[t % N] += s;
}
#else /* nothing is planted */
static void step(int t)
{
	(void)t;
	balanced();
}
#endif

#ifdef EARLY /* before main() half as long as all iterations of one thread */
__attribute__((constructor)) static void early(void)
{
	a[1] = work((long)TIMES * N * STEPS / 4);
}
#endif

int main(void)
{
	for (int t = 0; t < TIMES; t++)
		step(t);
	if (getenv("NEVER"))
		balanced();
	printf("%d\n", a[0] > 0);
}
