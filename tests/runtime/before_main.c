/*
 * Before main: a constructor takes 60 ms and prints how long, by its own clock; main() prints how it was called.  With
 * REGIONS the constructor has a parallel region; with FORK a child does what main() does.
 */
#define _GNU_SOURCE
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double sum;

static long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void loop(void)
{
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 1000; i++)
		sum += i;
}

__attribute__((constructor)) static void early(void)
{
	long start = now_ns();

#ifdef REGIONS
	loop();
#endif
	while (now_ns() - start < 60000000)
		sum += 0;
	fprintf(stderr, "%ld\n", now_ns() - start);
}

int main(int argc, char **argv, char **envp)
{
	void *frames[64];
	int n = 0;

#ifdef FORK
	if (!fork()) {
		loop();
		return 0;
	}
	wait(NULL);
#endif
	loop();
	while (envp[n])
		n++;
	printf("%d %s %s %d %s %d\n", argc, argv[1], argv[2], argv[3] == NULL, getenv("BEFORE"),
	       backtrace(frames, 64));
	return n > 3 ? 7 : 8;
}
