/*
 * helper: tells what a program sees of processes that are not its own: signals, children, their time, descriptors.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

double grid[1000];
static volatile sig_atomic_t n_signals;

static void count(int sig)
{
	(void)sig;
	n_signals++;
}

/* It runs before the constructors of libraries. */
static void before(void)
{
	signal(SIGCHLD, count);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = before;

static int n_entries(const char *folder)
{
	DIR *all = opendir(folder);
	int n = 0;

	while (all && readdir(all))
		n++;
	if (all)
		closedir(all);
	return n;
}

int main(void)
{
	struct rusage used;
	char children[100] = "";
	FILE *f;
	int i;

	f = fopen("/proc/thread-self/children", "r");
	if (f) {
		if (!fgets(children, sizeof(children), f))
			children[0] = '\0';
		fclose(f);
	}
	printf("descriptors %d\n", n_entries("/proc/self/fd"));
	printf("children \"%s\", %d\n", children, waitpid(-1, NULL, WNOHANG | __WALL) < 0 ? errno : 0);
	getrusage(RUSAGE_CHILDREN, &used);
	printf("their time %s\n", used.ru_utime.tv_sec + used.ru_stime.tv_sec || used.ru_utime.tv_usec + used.ru_stime.tv_usec > 4000 ?
	       "much" : "little");
	#pragma omp parallel for num_threads(2)
	for (i = 0; i < 1000; i++)
		grid[i] = i;
	printf("signals %d, sum %g\n", (int)n_signals, grid[1] + grid[999]);
	return 3;
}
