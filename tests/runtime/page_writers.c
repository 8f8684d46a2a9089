/* page_writers: threads write to pages of named memory in phases that lie apart, each a construct of its own, and the
 * program itself says on stdout who wrote to which page first, and where: name, page, thread, processor. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 64, PAGE = 4096, ALL = N * PAGE, PHASES = 5 };

void ompp_data_begin(const void *address, size_t n_bytes, const char *name) __attribute__((weak));

static int writer[PHASES][N], processor[PHASES][N];
static volatile char *memory[PHASES];
static int rest_ms;

/* Gives each thread a processor for itself, as far as there are some. */
static void stay(void)
{
	cpu_set_t set, all;
	int n = omp_get_thread_num();

	sched_getaffinity(0, sizeof(all), &all);
	n %= CPU_COUNT(&all);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && !n--) {
			CPU_ZERO(&set);
			CPU_SET(cpu, &set);
			sched_setaffinity(0, sizeof(set), &set);
			return;
		}
}

static void note(int phase, int page)
{
	writer[phase][page] = omp_get_thread_num() + 1;
	processor[phase][page] = sched_getcpu();
}

static void rest(void)
{
	usleep((unsigned int)rest_ms * 1000);
}

/* Each thread writes pages of its own. */
static void blocks(int p)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++) {
		note(p, i);
		memory[p][i * PAGE + i] = 1;
	}
}

/* One page after the other belongs to another thread. */
static void turns(int p)
{
#pragma omp parallel
	for (int i = omp_get_thread_num(); i < N; i += omp_get_num_threads()) {
		note(p, i);
		memory[p][i * PAGE + 8] = 2;
	}
}

/* The last thread writes to each page first, and all others behind it. */
static void last_first(int p)
{
#pragma omp parallel
	{
		for (int round = 0; round < 2; round++) {
			if ((omp_get_thread_num() == omp_get_num_threads() - 1) == !round)
				for (int i = 0; i < N; i++) {
					if (!round)
						note(p, i);
					memory[p][i * PAGE + 16 + omp_get_thread_num()]++;
				}
#pragma omp barrier
		}
	}
}

/* Thread 0 reads what the others write. */
static void read_by_others(int p)
{
	int sum = 0;

#pragma omp parallel
	{
		if (!omp_get_thread_num())
			for (int i = 0; i < N; i++)
				sum += memory[p][i * PAGE];
#pragma omp barrier
		if (omp_get_thread_num())
			for (int i = omp_get_thread_num() - 1; i < N; i += omp_get_num_threads() - 1) {
				note(p, i);
				memory[p][i * PAGE]++;
			}
	}
	if (sum != N)
		exit(2);
}

/* The kernel writes for the last thread. */
static void system_calls(int p)
{
	int fd = open("/dev/zero", O_RDONLY);

#pragma omp parallel
	if (omp_get_thread_num() == omp_get_num_threads() - 1)
		for (int i = 0; i < N; i += 2) {
			note(p, i);
			if (read(fd, (char *)memory[p] + i * PAGE + 5, 7) != 7)
				exit(2);
		}
	close(fd);
}

int main(int argc, char **argv)
{
	static const char *const names[PHASES] = { "blocks", "turns", "last_first", "read_by_others", "system_calls" };
	static void (*const works[PHASES])(int p) = { blocks, turns, last_first, read_by_others, system_calls };
	char *all = mmap(NULL, (size_t)PHASES * ALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	rest_ms = argc > 1 ? atoi(argv[1]) : 0;
	if (all == MAP_FAILED)
		return 2;
	madvise(all, (size_t)PHASES * ALL, MADV_NOHUGEPAGE);
	for (int p = 0; p < PHASES; p++) {
		memory[p] = all + (size_t)p * ALL;
		if (ompp_data_begin)
			ompp_data_begin((char *)memory[p], ALL, names[p]);
		for (int i = 0; i < N; i++)
			memory[p][i * PAGE] = 1;
	}
#pragma omp parallel
	stay();
	rest();
	for (int p = 0; p < PHASES; p++) {
		works[p](p);
		rest();
	}
	for (int p = 0; p < PHASES; p++)
		for (int i = 0; i < N; i++)
			if (writer[p][i])
				printf("%s %d %d %d\n", names[p], i, writer[p][i] - 1, processor[p][i]);
	printf("memory %p\n", (void *)all);
	return 0;
}
