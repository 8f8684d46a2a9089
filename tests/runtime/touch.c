/*
 * Touch: touches pages in all ways that count, or do not, and prints the first touches that a report has to show:
 * object, thread, pages, first line of the region, line.  It checks the kernel's own count of its page faults, too.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 400, THREADS = 4 };

static char table[100 * 65536] __attribute__((aligned(65536)));
static long page;

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

static void expect(const char *object, int thread, long pages, int region, int line)
{
	char begin[16] = "", at[16] = "-";

	if (region)
		snprintf(begin, sizeof(begin), "%d", region);
	if (line)
		snprintf(at, sizeof(at), "%d", line);
	printf("%s,%d,%ld,%s,%s\n", object, thread, pages, begin, at);
}

static char *map(void)
{
	char *p = mmap(NULL, N * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

/* Tells whether a page that is read faults once more when it is written.  Kernels for some virtual machines have no page
 * of zeros for readers: there a read is the first touch. */
static int reads_do_not_count(void)
{
	volatile char *p = map();
	long before, n;
	int i;

	for (i = 0; i < N; i++)
		(void)p[i * page];
	before = faults();
	for (i = 0; i < N; i++)
		p[i * page] = 1;
	n = faults() - before;
	munmap((void *)p, N * page);
	return n > N / 2;
}

/* A page of these has one touch, by the one who writes it first. */
static void shared_arrays(void)
{
	int i, t, line = 0, read_line = 0, written_first = reads_do_not_count();
	char *a = map(), *b = map(), *c = map();
	long before, sum = 0;

#pragma pomp inst data(a, N * page, "a")
#pragma pomp inst data(b, N * page, "b")
#pragma pomp inst data(c, N * page, "c")
	before = faults();
	for (i = 0; i < N; i++)
		c[i * page + 1] = 1, line = __LINE__;
	before = faults() - before;
	if (before < N || before > N + 20)
		printf("%ld faults\n", before);
	expect("c", 0, N, 0, line);
#pragma omp parallel for num_threads(THREADS) schedule(static) lastprivate(line)
	for (i = 0; i < N; i++)
		a[i * page] = 1, line = __LINE__;
	for (t = 0; t < THREADS; t++)
		expect("a", t, N / THREADS, line - 2, line);
#pragma omp parallel for num_threads(THREADS) schedule(static) reduction(+ : sum) lastprivate(read_line)
	for (i = 0; i < N; i++)
		sum += b[i * page] + a[i * page] + c[i * page], read_line = __LINE__;
#pragma omp parallel for num_threads(THREADS) schedule(static) lastprivate(line)
	for (i = 0; i < N / 2; i++)
		b[(N - 1 - i) * page] = (char)sum, line = __LINE__;
	for (t = 0; t < THREADS; t++)
		if (written_first)
			expect("b", t, N / 2 / THREADS, line - 2, line);
		else
			expect("b", t, N / THREADS, read_line - 2, read_line);
}

/* Memory that is given back and comes again is new; a piece of the heap that comes again is not. */
static void __attribute__((unused)) again(void)
{
	int round, i, line = 0;

	for (round = 0; round < 3; round++) {
		char *p = map();
#pragma pomp inst data(p, N * page, "mapped")
		for (i = 0; i < N; i += 4)
			p[i * page] = 1, line = __LINE__;
		munmap(p, N * page);
	}
	expect("mapped", 0, 3 * N / 4, 0, line);
	for (round = 0; round < 3; round++) {
		char *q = malloc(10000);
		if (!round)
			for (i = 0; i < 10000; i++)
				((volatile char *)q)[i] = 1;
#pragma pomp inst data(q, 10000, "recycled")
		for (i = 0; i < 10000; i++)
			((volatile char *)q)[i] = 1;
		free(q);
	}
}

/* Pages that a system call fills are told to those who may see the kernel's samples.  They have no line. */
static void filled(void)
{
	char *e = map();
	int i, t, zero = open("/dev/zero", O_RDONLY), region = 0;

#pragma pomp inst data(e, N * page, "e")
#pragma omp parallel for num_threads(THREADS) schedule(static) lastprivate(region)
	for (i = 0; i < N / 4; i++)
		region = __LINE__ - 2 + 0 * (int)read(zero, e + 4 * i * page, 4 * page);
	for (t = 0; t < THREADS; t++)
		expect("e", t, N / THREADS, region, 0);
	close(zero);
}

/* After a fork pages are copied, which is no first touch. */
static void copies(void)
{
	char *d = map(), byte = 0;
	int i, pipes[2], line = 0;

#pragma pomp inst data(d, N * page, "d")
	for (i = 0; i < N; i++)
		d[i * page] = 1, line = __LINE__;
	expect("d", 0, N, 0, line);
	fflush(stdout);
	if (pipe(pipes))
		exit(2);
	if (!fork()) {
		close(pipes[1]);
		_exit(read(pipes[0], &byte, 1) != 0);
	}
	for (i = 0; i < N; i++)
		d[i * page] = 2;
	close(pipes[1]);
	wait(NULL);
	for (i = 0; i < N; i++)
		d[i * page] = 3;
}

int main(void)
{
	int i, line = 0;

	page = sysconf(_SC_PAGESIZE);
#pragma pomp inst data(table, sizeof table, "table")
	for (i = 0; i < 50; i++)
		table[i * 65536] = 1, line = __LINE__;
	expect("table", 0, 50, 0, line);
	shared_arrays();
#ifndef NAMES_STAY
	again();
#endif
	filled();
	copies();
	return 0;
}
