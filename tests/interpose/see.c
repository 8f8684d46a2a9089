/*
 * See: threads of which each works in a function of its own, uses a block of its own, and none meets OpenMP.
 *
 *	see WHAT [pin]     WHAT is hot, pages, blocks or label; pin: thread k stays on processor k
 *
 * Prints to stderr what a report must say: "time FUNCTION SECONDS" of processor time, "life SECONDS" of a block.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { N = 4, PAGE = 4096, WORKING = 40, BLOCK = 1 << 16 };

__attribute__((weak)) void ompp_label(const char *text);

static const char *what;
static int pinned;
static volatile double sink;
static pthread_barrier_t all;

static double clock_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define SPIN(name) \
	static __attribute__((noinline)) void name(double seconds) \
	{ \
		double begin = clock_of(CLOCK_THREAD_CPUTIME_ID), now = begin; \
		while (now < begin + seconds) { \
			for (int i = 0; i < 200000; i++) \
				sink = sink + 1; \
			now = clock_of(CLOCK_THREAD_CPUTIME_ID); \
		} \
		fprintf(stderr, "time " #name " %.6f\n", now - begin); \
	}
SPIN(spin_0)
SPIN(spin_1)
SPIN(spin_2)
SPIN(spin_3)

static void touch(char *block, int n)
{
	for (int i = 0; i < n; i++)
		block[(long)i * PAGE] += 1;
}

static void run(long k)
{
	static void (*const spin[N])(double) = { spin_0, spin_1, spin_2, spin_3 };

	if (!strcmp(what, "hot"))
		spin[k](0.2 * (double)(k + 1));
	if (!strcmp(what, "pages")) {
		int n = WORKING * ((int)k + 1);
		char *block = aligned_alloc(PAGE, (size_t)n * PAGE);

		touch(block, n);
		pthread_barrier_wait(&all);
		usleep(200000);
		touch(block, n / 2); /* once more, in another interval */
		usleep(200000);
		pthread_barrier_wait(&all);
		free(block);
	}
}

/* The functions of the threads. */
#define WORKER(k) \
	static void *work_##k(void *arg) \
	{ \
		run(k); \
		return arg; \
	}
WORKER(0)
WORKER(1)
WORKER(2)
WORKER(3)

/* Three blocks by one call, of which two live at a time at the most. */
static void blocks(void)
{
	char *block[3];
	double begin[3], life = 0;

	for (int i = 0; i < 3; i++) {
		begin[i] = clock_of(CLOCK_MONOTONIC);
		block[i] = malloc(BLOCK);
		memset(block[i], i, BLOCK);
		usleep(50000);
		if (i) {
			free(block[i - 1]);
			life += clock_of(CLOCK_MONOTONIC) - begin[i - 1];
		}
	}
	usleep(50000);
	free(block[2]);
	life += clock_of(CLOCK_MONOTONIC) - begin[2];
	fprintf(stderr, "life %.6f\n", life / 3);
}

static void *work_blocks(void *arg)
{
	blocks();
	return arg;
}

static pthread_t thread_make(void *(*work)(void *), int k)
{
	pthread_attr_t attr;
	cpu_set_t set;
	pthread_t made;

	CPU_ZERO(&set);
	CPU_SET(k, &set);
	pthread_attr_init(&attr);
	if (pinned)
		pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	if (pthread_create(&made, &attr, work, NULL))
		exit(1);
	return made;
}

int main(int argc, char **argv)
{
	static void *(*const work[N])(void *) = { work_0, work_1, work_2, work_3 };
	char *common = aligned_alloc(PAGE, 100L * PAGE);
	pthread_t t[N];

	(void)argc;
	what = argv[1];
	pinned = argv[2] != NULL;
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	pthread_barrier_init(&all, NULL, N);
	touch(common, 100);
	if (!strcmp(what, "blocks")) {
		t[0] = thread_make(work_blocks, 0);
		pthread_join(t[0], NULL);
	} else if (!strcmp(what, "label")) {
		usleep(250000);
		if (ompp_label)
			ompp_label("the middle");
		usleep(250000);
	} else {
		for (int k = 0; k < N; k++)
			t[k] = thread_make(work[k], k);
		for (int k = 0; k < N; k++)
			pthread_join(t[k], NULL);
	}
	free(common);
	puts(what);
	return 7;
}
