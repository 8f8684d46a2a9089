/*
 * Trace: touches pages by two threads, and then, as the argument says, kills itself, closes all descriptors, or forks.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1000 };

static char *map(long page)
{
	char *p = mmap(NULL, N * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

static void touch(char *p, long page)
{
	int i;

#pragma omp parallel for num_threads(2) schedule(static)
	for (i = 0; i < N; i++)
		p[i * page] = 1;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	long page = sysconf(_SC_PAGESIZE);
	char *a = map(page), *b = map(page);
	int fd;

#pragma pomp inst data(a, N * page, "a")
#pragma pomp inst data(b, N * page, "odd, \"b\"\n")
	touch(a, page);
	if (!strcmp(how, "close"))
		for (fd = 3; fd < 1024; fd++)
			close(fd);
	if (!strcmp(how, "fork")) {
		if (!fork()) {
#pragma omp critical
			for (fd = 0; fd < 100; fd++)
				b[fd * page] = 1;
			_exit(0);
		}
		wait(NULL);
	}
	touch(b, page);
	if (!strcmp(how, "kill")) {
		sleep(2);
		kill(getpid(), SIGKILL);
	}
	return 0;
}
