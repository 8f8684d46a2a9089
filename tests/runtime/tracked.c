/*
 * Allocates blocks by one call, accesses each a number of times that its number says, and prints of each of them what a
 * profile shall say: "number size thread loads stores is_live".
 *
 *   tracked team N        N blocks of 2 KiB to 12 KiB, by all threads in turn, of which every fifth is freed at the end
 *   tracked turn N HOT    N blocks of 4 KiB, each freed before the next one is made; number HOT is used most
 *   tracked stores N HOT  the same, but number HOT has most stores, and fewer accesses than each of the others
 *   tracked all N         N blocks that live side by side
 *   tracked walk N        N blocks of 8 KiB, each read once in steps of 256 bytes, and one after another
 *   tracked kept          a block that realloc() could not make larger, and is used before and after
 *   tracked child         blocks of which the child of a fork() uses some
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 6000 };

static volatile char *block[MOST];
static size_t n_bytes[MOST];
static long n_loads[MOST], n_stores[MOST];
static int thread[MOST], n_made;

static char *make(size_t n)
{
	return malloc(n); /* the call */
}

/* noinline, so that the numbers are read here and not in a loop that a compiler counts as a whole */
static __attribute__((noinline)) void use(int i, long loads, long stores)
{
	volatile char *p = block[i];
	long n = (long)n_bytes[i];
	int sum = 0;

	for (long k = 0; k < stores; k++)
		p[k * 31 % n] = (char)k;
	for (long k = 0; k < loads; k++)
		sum += p[k * 17 % n];
	if (loads || stores) { /* who only looks must not undo what another thread adds at the time */
		n_loads[i] += loads;
		n_stores[i] += stores;
	}
	(void)sum;
}

static __attribute__((noinline)) void add(size_t n)
{
	int i = n_made++;

	n_bytes[i] = n;
	thread[i] = omp_get_thread_num();
	block[i] = make(n);
}

static void end(int i)
{
	free((void *)block[i]);
	block[i] = NULL;
}

static void print(void)
{
	for (int i = 0; i < n_made; i++)
		printf("%d %zu %d %ld %ld %d\n", i + 1, n_bytes[i], thread[i], n_loads[i], n_stores[i], block[i] != NULL);
}

static void team(int n)
{
#pragma omp parallel for ordered schedule(static, 1)
	for (int i = 0; i < n; i++) {
#pragma omp ordered
		add(2048 + (size_t)(i * 7919 % 10240));
	}
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < n; i++) {
		use(i, i * 131 % 1009, i * 37 % 211);
		use((i + 1) % n, 0, 0);
	}
	for (int i = 0; i < n; i++)
		use(i, 1 + i * i % 53, 1);
	for (int i = 0; i < n; i += 5)
		end(i);
}

static void turn(int n, int hot)
{
	for (int i = 0; i < n; i++) {
		add(4096);
		use(i, i + 1 == hot ? 100000 : 10 + i % 7, 3);
		end(i);
	}
}

static void stores(int n, int hot)
{
	for (int i = 0; i < n; i++) {
		add(4096);
		use(i, i + 1 == hot ? 100 : 400 + i % 7, i + 1 == hot ? 290 : 1);
		end(i);
	}
}

static void all(int n)
{
	for (int i = 0; i < n; i++)
		add(4096);
	for (int i = 0; i < n; i++)
		use(i, 100 + i, n - i);
}

static void walk(int n)
{
	for (int i = 0; i < n; i++)
		add(8192);
	for (int i = 0; i < n; i++) {
		for (size_t k = 0; k < 8192; k += 256)
			(void)block[i][k];
		n_loads[i] += 8192 / 256;
	}
}

static void kept(void)
{
	volatile size_t too_much = (size_t)1 << 62;

	for (int i = 0; i < 4; i++) {
		if (i == 3) {
			use(1, 1000, 100);
			if (realloc((void *)block[1], too_much))
				abort();
			use(1, 500, 50);
			use(2, 7, 7);
			end(0);
		}
		add(8192); /* the last one most likely where number 1 was */
	}
	use(3, 30, 3);
}

static void child(void)
{
	int status = 0;
	pid_t pid = -1;

	for (int i = 0; i < 3; i++) {
		if (i == 2) {
			use(0, 1000, 0);
			pid = fork();
			if (pid)
				break;
			n_loads[0] = 0;
		}
		add(8192);
	}
	if (!pid) {
#pragma omp parallel num_threads(1)
		use(0, 20, 5);
		use(2, 60, 6);
		print();
		fflush(stdout);
		exit(0);
	}
	waitpid(pid, &status, 0);
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (!strcmp(argv[1], "team"))
		team(n);
	else if (!strcmp(argv[1], "turn"))
		turn(n, atoi(argv[3]));
	else if (!strcmp(argv[1], "stores"))
		stores(n, atoi(argv[3]));
	else if (!strcmp(argv[1], "all"))
		all(n);
	else if (!strcmp(argv[1], "walk"))
		walk(n);
	else if (!strcmp(argv[1], "kept"))
		kept();
	else
		child();
	if (strcmp(argv[1], "child"))
		print();
	return 0;
}
