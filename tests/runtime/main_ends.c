/* A thread computes in parallel regions, and ends the process, when the main thread has ended by pthread_exit()
 * ("alone"), or while it waits ("joined"). */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 4096 };
static double table_of_all[N];
static int is_alone;

/* Waits until the main thread has no memory any more, as /proc tells. */
static void wait_for_main(void)
{
	char path[64], byte;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)getpid());
	for (;;) {
		maps = fopen(path, "r");
		if (!maps || fread(&byte, 1, 1, maps) != 1)
			break;
		fclose(maps);
		usleep(1000);
	}
}

static __attribute__((noinline)) double *make_block(void)
{
	double *block = malloc(N * sizeof(*block));

	memset(block, 0, N * sizeof(*block));
	return block;
}

static void *compute(void *unused)
{
	double *block;

	(void)unused;
	if (is_alone)
		wait_for_main();
	block = make_block();
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < N; i++) {
		table_of_all[i] += i;
		block[i] += table_of_all[i];
	}
	if (block[1] != 1)
		abort();
	exit(0);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	is_alone = argc > 1 && !strcmp(argv[1], "alone");
	pthread_create(&thread, NULL, compute, NULL);
	if (is_alone)
		pthread_exit(NULL);
	pthread_join(thread, NULL);
	return 0;
}
