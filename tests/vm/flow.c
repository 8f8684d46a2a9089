/*
 * Flow: thread 0 initialises all of memory, on its NUMA node; then thread t alone uses a[t], and all use s.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <ompp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS = 4, PAGES = 40, ROUNDS = 6 };

static void __attribute__((noinline)) change(unsigned char *p, long i)
{
	p[i]++;
}

static unsigned char *made(const char *name, long page)
{
	unsigned char *p = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (long i = 0; i < PAGES; i++)
		change(p, i * page);
	ompp_data_begin(p, PAGES * page, name);
	return p;
}

int main(void)
{
	long page = sysconf(_SC_PAGESIZE);
	unsigned char *a[THREADS], *s = made("s", page);
	char name[8];

	for (int t = 0; t < THREADS; t++) {
		snprintf(name, sizeof(name), "a%d", t);
		a[t] = made(name, page);
	}
#pragma omp parallel num_threads(THREADS)
	for (int round = 0; round < ROUNDS; round++)
		for (long i = 0; i < PAGES; i++) {
			change(a[omp_get_thread_num()], i * page);
			if (!round)
				change(s, i * page);
		}
	return 0;
}
