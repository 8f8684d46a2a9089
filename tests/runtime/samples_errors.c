/*
 * samples_errors: accesses whose numbers, and whose shares, are known by arithmetic, for the errors that samples state.
 *
 *   plain   3 × PLAIN accesses in an order that repeats: two loads, then a store
 *   shared  pages that each of two threads touches first in halves, by one store a page; then each loads from its own
 *           half and from the other's, as `own` and `others` say
 *   even    and odd: loads from one or the other, as chance will have it, so that both have the same latencies, whatever
 *           the machine does meanwhile
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <omp.h>
#include <ompp.h>

enum { PLAIN = 10000, HALF = 32, PAGE = 4096, LONGS = PAGE / sizeof(long), EITHER = 40000, MANY = 1 << 15 };

static const int own[2] = { 12000, 8000 }, others[2] = { 4000, 6000 };
static long plain[64], even[MANY], odd[MANY];

__attribute__((noinline)) static long use_plain(void)
{
	long sum = 0;

	for (int i = 0; i < PLAIN; i++) {
		sum += plain[i & 31];
		sum ^= plain[(i & 15) + 32];
		plain[(i * 7) & 63] = sum;
	}
	return sum;
}

__attribute__((noinline)) static long use_half(const long *half, int n, unsigned int x)
{
	long sum = 0;

	for (int i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		sum += half[(x >> 10) % (HALF * LONGS)];
	}
	return sum;
}

__attribute__((noinline)) static long use_either(unsigned int x)
{
	long sum = 0;

	for (int i = 0; i < EITHER; i++) {
		x = x * 1664525 + 1013904223;
		if (x >> 31)
			sum += even[(x >> 12) % MANY];
		else
			sum += odd[(x >> 12) % MANY];
	}
	return sum;
}

/* Each of three children does what its parent will do, after a region, as only those who have met one report. */
static void fork_three(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();

		if (!child) {
#pragma omp master
			puts("child");
			use_plain();
			exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	(void)argv;
	long *shared = mmap(NULL, 2 * HALF * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), sum = 0;

	ompp_data_begin(plain, sizeof(plain), "plain");
	ompp_data_begin(shared, 2 * HALF * PAGE, "shared");
	ompp_data_begin(even, sizeof(even), "even");
	ompp_data_begin(odd, sizeof(odd), "odd");
	memset(even, 1, sizeof(even));
	memset(odd, 1, sizeof(odd));
	if (argc > 1)
		fork_three();
	sum += use_plain();
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		int t = omp_get_thread_num();
		long *mine = shared + t * HALF * (long)LONGS, *other = shared + (1 - t) * HALF * (long)LONGS;

		for (int i = 0; i < HALF; i++)
			mine[i * (long)LONGS] = i;
#pragma omp barrier
		sum += use_half(mine, own[t], 1 + (unsigned int)t) + use_half(other, others[t], 77 + (unsigned int)t);
	}
	sum += use_either(12345);
	printf("%ld\n", sum);
	return 0;
}
