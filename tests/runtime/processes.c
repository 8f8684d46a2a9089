/*
 * Processes: a program with regions that forks, or becomes another program, as its argument says.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(int n)
{
	int sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

/* In a child of a program whose OpenMP library has threads, a team of one is all that is sure to work. */
static int lone_region(int n)
{
	int sum = 0;

#pragma omp critical
	sum += n;
	return sum;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pid_t child = -1;
	int status = 0;

	printf("%d\n", region(10));
	fflush(stdout);
	if (!strcmp(how, "fork-plain") || !strcmp(how, "fork-regions") || !strcmp(how, "fork-_exit")) {
		child = fork();
		if (!child) {
			if (strcmp(how, "fork-plain"))
				printf("child %d\n", lone_region(7));
			fflush(stdout);
			if (!strcmp(how, "fork-_exit"))
				_exit(11);
			return 12;
		}
	} else if (!strcmp(how, "vfork")) {
		child = vfork();
		if (!child) {
			execl("/bin/echo", "echo", "other program", (char *)NULL);
			_exit(127);
		}
	} else if (!strcmp(how, "exec")) {
		execl("/bin/echo", "echo", "other", "program", (char *)NULL);
	} else if (!strcmp(how, "exec-env")) {
		char *const environment[] = { "A=1", NULL };

		execle("/bin/sh", "sh", "-c", "echo $A $1", "sh", "x", (char *)NULL, environment);
	} else if (!strcmp(how, "exec-fails")) {
		execlp("/nonexistent/program", "program", (char *)NULL);
		printf("%d\n", region(20));
	} else if (!strcmp(how, "exec-self")) {
		execl("/proc/self/exe", argv[0], "again", (char *)NULL);
	} else if (!strcmp(how, "daemon")) {
		if (daemon(1, 1))
			return 1;
		printf("%d\n", lone_region(3));
	} else if (!strcmp(how, "system")) {
		printf("%d\n", system("exit 9") / 256);
	}
	if (child > 0) {
		waitpid(child, &status, 0);
		printf("child's status %d\n", WEXITSTATUS(status));
		printf("%d\n", region(30));
	}
	return 1;
}
