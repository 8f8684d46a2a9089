/*
 * NUMA use: an array "a" whose accesses and places are known.  The first argument says what is planted:
 *
 *   serial    one thread initialises it, and then each thread uses a part of its own
 *   local     each thread initialises what it uses
 *   swapped   each thread initialises the part that another one uses
 *   table     one thread initialises it, and all read all of it
 *   spread    the same, but its pages are spread over the nodes
 *   producer  one thread initialises it, and one of another node uses it
 *   turns     one thread initialises it, and the others use it one after another, each in a region of its own
 *   hot       all threads write one page of it
 *   moving    each thread uses what it has initialised, but moves from node to node
 *
 * Lines do not stay in caches, so that each access is one to memory.
 *
 * Each thread is to be bound to a NUMA node of its own.  It prints how many pages of a are on each node, "node pages",
 * as the kernel tells it of each page, and "maps node pages", as /proc/self/numa_maps has it.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES = 40, ROUNDS = 6, MOST_NODES = 8, INTERLEAVE = 3 };

static long page, n_threads, n;
static unsigned char *a;

static void drop(unsigned char *p)
{
#ifdef __x86_64__
	__builtin_ia32_clflush(p);
#endif
}

/* The compiler must make the accesses that the loop has. */
static void __attribute__((noinline)) write_page(long i)
{
	a[i * page] = 1;
	drop(a + i * page);
}

static void __attribute__((noinline)) change_page(long i)
{
	a[i * page]++;
	drop(a + i * page);
}

static long __attribute__((noinline)) read_page(long i)
{
	long n = a[i * page];

	drop(a + i * page);
	return n;
}

static void init_serially(void)
{
	long i;

	for (i = 0; i < n; i++)
		write_page(i);
}

/* Each thread writes the part of thread (its own number + by) first. */
static void init_parts(int by)
{
#pragma omp parallel
	{
		long t = (omp_get_thread_num() + by) % n_threads, i;

		for (i = t * PAGES; i < (t + 1) * PAGES; i++)
			write_page(i);
	}
}

static void use_parts(int moves)
{
	int round;

	for (round = 0; round < ROUNDS; round++) {
#pragma omp parallel
		{
			long t = omp_get_thread_num(), i;
			cpu_set_t set;

			if (moves) {
				CPU_ZERO(&set);
				CPU_SET((t + round + 1) % n_threads, &set);
				sched_setaffinity(0, sizeof(set), &set);
			}
			for (i = t * PAGES; i < (t + 1) * PAGES; i++)
				change_page(i);
		}
	}
}

static long use_all(void)
{
	long sum = 0;
	int round;

	for (round = 0; round < ROUNDS; round++) {
#pragma omp parallel reduction(+ : sum)
		{
			long i;

			for (i = 0; i < n; i++)
				sum += read_page(i);
		}
	}
	return sum;
}

static void use_by(int thread)
{
	int round;

	for (round = 0; round < ROUNDS; round++) {
#pragma omp parallel
		if (omp_get_thread_num() == thread) {
			long i;

			for (i = 0; i < n; i++)
				change_page(i);
		}
	}
}

static void use_in_turn(void)
{
#pragma omp parallel
	if (omp_get_thread_num() == 1) {
		long i;

		for (i = 0; i < n; i++)
			change_page(i);
	}
#pragma omp parallel
	if (omp_get_thread_num() == 2) {
		long i;

		for (i = 0; i < n; i++)
			change_page(i);
	}
#pragma omp parallel
	if (omp_get_thread_num() == 3) {
		long i;

		for (i = 0; i < n; i++)
			change_page(i);
	}
}

static void use_one_page(void)
{
#pragma omp parallel
	{
		long t = omp_get_thread_num(), i;

		for (i = 0; i < PAGES * ROUNDS * 10; i++) { /* so often that it is no small part of the run */
			a[t * 64]++;
			drop(a + t * 64);
		}
	}
}

static void print_pages(void)
{
	long found[MOST_NODES] = { 0 }, i;

	for (i = 0; i < n; i++) {
		void *p = a + i * page;
		int node = -1;

		if (!syscall(SYS_move_pages, 0, 1UL, &p, NULL, &node, 0) && node >= 0 && node < MOST_NODES)
			found[node]++;
	}
	for (i = 0; i < MOST_NODES && i < n_threads; i++)
		printf("%ld %ld\n", i, found[i]);
}

static void print_maps(void)
{
	FILE *maps = fopen("/proc/self/numa_maps", "r");
	long found[MOST_NODES] = { 0 }, i;
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps)) {
		unsigned long at = strtoul(line, NULL, 16), lo = (unsigned long)a;
		char *word;

		if (at < lo || at >= lo + (unsigned long)(n * page))
			continue;
		for (word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
			if (word[0] == 'N' && word[1] >= '0' && word[1] < '0' + MOST_NODES && word[2] == '=')
				found[word[1] - '0'] += atol(word + 3);
	}
	if (!maps)
		return;
	fclose(maps);
	for (i = 0; i < MOST_NODES && i < n_threads; i++)
		printf("maps %ld %ld\n", i, found[i]);
}

int main(int argc, char **argv)
{
	const char *planted = argc > 1 ? argv[1] : "";
	unsigned long nodes;

	page = sysconf(_SC_PAGESIZE);
	n_threads = omp_get_max_threads();
	n = !strcmp(planted, "hot") ? 1 : PAGES * n_threads;
	nodes = (1UL << n_threads) - 1;
#ifdef BLOCKS /* of the heap, and nothing in the program names it */
	a = aligned_alloc((size_t)page, (size_t)(n * page));
	if (!a)
		return 2;
#else
	a = mmap(NULL, (size_t)((n + 2) * page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (a == MAP_FAILED)
		return 2;
	a += page; /* a page on either side keeps it from being joined to other mappings */
	if (mprotect(a, (size_t)(n * page), PROT_READ | PROT_WRITE))
		return 2;
#pragma pomp inst data(a, n * page, "a")
#endif
	madvise(a, (size_t)(n * page), MADV_NOHUGEPAGE);
	if (!strcmp(planted, "spread") && syscall(SYS_mbind, a, n * page, INTERLEAVE, &nodes, n_threads + 1, 0))
		return 3;
	if (!strcmp(planted, "local") || !strcmp(planted, "moving"))
		init_parts(0);
	else if (!strcmp(planted, "swapped"))
		init_parts(1);
	else
		init_serially();
	if (!strcmp(planted, "serial") || !strcmp(planted, "local") || !strcmp(planted, "swapped"))
		use_parts(0);
	else if (!strcmp(planted, "moving"))
		use_parts(1);
	else if (!strcmp(planted, "table") || !strcmp(planted, "spread"))
		printf("sum %ld\n", use_all());
	else if (!strcmp(planted, "producer"))
		use_by(2);
	else if (!strcmp(planted, "turns"))
		use_in_turn();
	else if (!strcmp(planted, "hot"))
		use_one_page();
	else
		return 4;
	print_pages();
	print_maps();
	return 0;
}
