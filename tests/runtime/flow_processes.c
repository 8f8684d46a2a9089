/*
 * Flow processes: N children of fork(), one after another, each with a region of two threads that change memory so
 * often as no other one does, and then two blocks of one call, the second twice as often; the memory has the same addresses
 * in all of them.  Each prints what it does:
 *
 *   PID CHANGES BEGIN END      of each thread, and when by CLOCK_MONOTONIC, in ns
 */
#include <omp.h>
#include <ompp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 8, PAGE = 4096, THREADS = 2 };

static unsigned char own[THREADS][PAGES * PAGE] __attribute__((aligned(PAGE)));
static unsigned char both[PAGE] __attribute__((aligned(PAGE)));

static void __attribute__((noinline)) change(unsigned char *p, long i)
{
	p[i]++;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void change_blocks(long n)
{
	unsigned char *blocks[2];

	for (int k = 0; k < 2; k++)
		blocks[k] = calloc(PAGES, PAGE);
	for (int k = 0; k < 2 && blocks[0] && blocks[1]; k++)
		for (long i = 0; i < n * (k + 1); i++)
			change(blocks[k], i % PAGE);
	free(blocks[0]);
	free(blocks[1]);
}

static void work(long n)
{
	uint64_t begin;

	ompp_data_begin(own, sizeof(own), "own");
	ompp_data_begin(both, sizeof(both), "both");
	begin = now();
#pragma omp parallel num_threads(THREADS)
	for (long i = 0; i < n; i++) {
		change(own[omp_get_thread_num()], i * PAGE % (PAGES * PAGE));
		if (i < 40)
			change(both, i);
	}
	change_blocks(n);
	printf("%d %ld %llu %llu\n", (int)getpid(), n, (unsigned long long)begin, (unsigned long long)now());
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3;

	for (int i = 0; i < n; i++) {
		int status = 0;
		pid_t pid = fork();

		if (!pid) {
			work(200 * (i + 1));
			exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return 1;
		usleep(20000);
	}
	return 0;
}
