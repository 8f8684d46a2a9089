/*
 * NUMA layouts: memory that threads use in a known way.  The first argument says which:
 *
 *   single      one thread initialises it, and another one uses it
 *   mostly      the same, but the first one makes 14 % of all accesses
 *   ranges      each thread uses a quarter
 *   blocks      one block for each thread, all by one call, used from the last one on
 *   owners      each thread allocates a block, which the first thread initialises
 *   cyclic      page i is of thread i % 4
 *   chunks      four pages at a time are
 *   table       all read all of it
 *   random      all write all of it, in no order
 *   dense       all read it, so often that copies are worth it
 *   turns       one thread after another uses it for long, each in regions of its own
 *   phases      the same in one region, with barriers
 *   swapped     each thread initialises what another one uses
 *   columns     each thread initialises rows of four pages, and uses columns of one page
 *   hot         one thread uses the first twelfth much, another one the rest
 *   halo        each thread uses a quarter, and reads the first pages of the next one
 *   master      the first thread does all
 *   triangle    each thread uses more than the one before
 *   dynamic     each page is of another thread each time
 *   pthreads    each thread uses a quarter; they are no OpenMP threads
 *   local       each thread initialises and uses a quarter
 *   static      each thread uses a quarter of a variable
 *
 * Each thread is to be bound to a NUMA node of its own.  Lines do not stay in caches, so that each access is one to
 * memory.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 8 /* uses of each page after the first one */
#endif

enum { PAGES = 96, FEW = 8, THREADS = 4, QUARTER = PAGES / THREADS, LONG = 60, PAGE = 4096 };

static char fixed[(PAGES + 1) * PAGE]; /* a page more, as it need not begin with one */
static char *a, *blocks[THREADS];

static void drop(char *p)
{
#ifdef __x86_64__
	__builtin_ia32_clflush(p);
#endif
}

static void __attribute__((noinline)) change(char *p)
{
	(*p)++;
	drop(p);
}

static long __attribute__((noinline)) look(char *p)
{
	long n = *p;

	drop(p);
	return n;
}

static char *get(long n_pages)
{
	char *p = aligned_alloc(PAGE, (size_t)n_pages * PAGE);

	if (!p)
		exit(2);
	return p;
}

static void change_all(long from, long end)
{
	long i;

	for (i = from; i < end; i++)
		change(a + i * PAGE);
}

static void change_quarter(long t)
{
	change_all(t * QUARTER, (t + 1) * QUARTER);
}

static void single(int others_too)
{
	int r, i;

	change_all(0, PAGES);
	for (r = 0; r < ROUNDS; r++) {
#pragma omp parallel private(i)
		{
			if (omp_get_thread_num() == 2)
				change_all(0, PAGES);
			if (others_too && omp_get_thread_num() == 0)
				for (i = r; i < PAGES; i += PAGES / 4)
					change(a + i * PAGE);
		}
	}
}

/* How threads share pages out. */
static long user_of(const char *way, long i, int round)
{
	if (!strcmp(way, "cyclic") || !strcmp(way, "columns"))
		return i % THREADS;
	if (!strcmp(way, "chunks"))
		return i / 4 % THREADS;
	if (!strcmp(way, "hot"))
		return i < PAGES / 12 ? 3 : 1;
	if (!strcmp(way, "triangle"))
		return i < 9 ? 0 : i < 28 ? 1 : i < 57 ? 2 : 3;
	if (!strcmp(way, "dynamic"))
		return (long)((unsigned)(i * 7919 + round * 104729) * 2654435761u >> 30);
	return i / QUARTER;
}

static void share(const char *way)
{
	int r;

	for (r = 0; r < ROUNDS; r++) {
#pragma omp parallel
		{
			long i, t = omp_get_thread_num(), k;

			for (i = 0; i < PAGES; i++)
				for (k = 0; user_of(way, i, r) == t && k < (t == 3 && !strcmp(way, "hot") ? 10 : 1); k++)
					change(a + i * PAGE);
			for (i = 0; !strcmp(way, "halo") && i < 2; i++)
				look(a + ((t + 1) % THREADS * QUARTER + i) * PAGE);
		}
	}
}

/* The first touch by other threads than those that use it. */
static void touch_in_parallel(long by, int rows)
{
#pragma omp parallel
	{
		long i, t = (omp_get_thread_num() + by) % THREADS;

		for (i = 0; i < PAGES; i++)
			if ((rows ? i * THREADS / PAGES : i / QUARTER) == t)
				change(a + i * PAGE);
	}
}

static void use_blocks(int by_owner)
{
	int r, k;

	for (k = 0; !by_owner && k < THREADS; k++)
		blocks[k] = get(QUARTER);
#pragma omp parallel if (by_owner)
	if (by_owner)
		blocks[omp_get_thread_num()] = get(QUARTER);
	for (k = 0; k < THREADS; k++) {
		a = blocks[k];
		change_all(0, QUARTER);
	}
	for (r = 0; r < ROUNDS; r++) {
#pragma omp parallel
		{
			long i, t = omp_get_thread_num();
			char *mine = blocks[by_owner ? t : THREADS - 1 - t];

			for (i = 0; i < QUARTER; i++)
				change(mine + i * PAGE);
		}
	}
}

static void read_all(int n_pages, int n_rounds)
{
	int r;

	change_all(0, n_pages);
	for (r = 0; r < n_rounds; r++) {
#pragma omp parallel
		{
			long i;

			for (i = 0; i < n_pages; i++)
				look(a + i * PAGE);
		}
	}
}

static void write_at_random(void)
{
	int r;

	change_all(0, PAGES);
	for (r = 0; r < ROUNDS; r++) {
#pragma omp parallel
		{
			unsigned x = (unsigned)(omp_get_thread_num() * 7919 + r * 31 + 1);
			long i;

			for (i = 0; i < PAGES; i++) {
				x = x * 1664525 + 1013904223;
				change(a + (x >> 8) % PAGES * PAGE + omp_get_thread_num() * 64);
			}
		}
	}
}

static void use_for_long(void)
{
	int r;

	for (r = 0; r < LONG * 2; r++)
		change_all(0, FEW);
}

static void in_turn(void)
{
#pragma omp parallel
	if (omp_get_thread_num() == 1)
		use_for_long();
#pragma omp parallel
	if (omp_get_thread_num() == 2)
		use_for_long();
#pragma omp parallel
	if (omp_get_thread_num() == 3)
		use_for_long();
}

static void in_phases(void)
{
#pragma omp parallel
	{
		int k;

		for (k = 1; k < THREADS; k++) {
			if (omp_get_thread_num() == k)
				use_for_long();
#pragma omp barrier
		}
	}
}

static void *of_thread(void *argument)
{
	long t = (long)argument, r;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(t, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (r = 0; r < ROUNDS; r++)
		change_quarter(t);
	return NULL;
}

static void by_pthreads(void)
{
	pthread_t threads[THREADS];
	long t;

	change_all(0, PAGES);
	for (t = 0; t < THREADS; t++)
		if (pthread_create(&threads[t], NULL, of_thread, (void *)t))
			exit(2);
	for (t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
}

static int is_one_of(const char *word, const char *words)
{
	const char *p = strstr(words, word);

	return p && (p == words || p[-1] == ' ') && (!p[strlen(word)] || p[strlen(word)] == ' ');
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	mallopt(M_MMAP_THRESHOLD, PAGE); /* fresh pages for each block */
	if (is_one_of(way, "blocks owners")) {
		use_blocks(!strcmp(way, "owners"));
		return 0;
	}
	a = !strcmp(way, "static")                       ? fixed + PAGE - (unsigned long)fixed % PAGE
	    : is_one_of(way, "dense turns phases") ? get(FEW)
	                                           : get(PAGES);
	if (is_one_of(way, "ranges cyclic chunks hot halo triangle dynamic static"))
		change_all(0, PAGES);
	if (is_one_of(way, "swapped local columns"))
		touch_in_parallel(!strcmp(way, "swapped"), !strcmp(way, "columns"));
	if (is_one_of(way, "single mostly"))
		single(!strcmp(way, "mostly"));
	else if (is_one_of(way, "ranges cyclic chunks swapped columns hot halo triangle dynamic local static"))
		share(way);
	else if (!strcmp(way, "table"))
		read_all(PAGES, ROUNDS);
	else if (!strcmp(way, "dense"))
		read_all(FEW, LONG * 4);
	else if (!strcmp(way, "random"))
		write_at_random();
	else if (is_one_of(way, "turns phases")) {
		change_all(0, FEW);
		if (!strcmp(way, "turns"))
			in_turn();
		else
			in_phases();
	} else if (!strcmp(way, "master")) {
		int r;

		for (r = 0; r < ROUNDS; r++)
			change_all(0, PAGES);
	} else if (!strcmp(way, "pthreads"))
		by_pthreads();
	else
		return 4;
	return 0;
}
