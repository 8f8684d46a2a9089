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

/* A child of a region goes on in it, and ends it: the time that it spends there since fork() is all that it knows. */
static pid_t inside(void)
{
	volatile int sum = 0;
	pid_t child = -1;

	region(5);
#pragma omp parallel num_threads(1)
	{
#pragma omp critical(forking)
		child = fork();
#pragma omp for
		for (int i = 0; i < (child ? 5000 : 2000000); i++)
			sum = sum + 1;
		for (int i = 0; i < 3; i++)
#pragma omp single
			sum = lone_region(sum);
	}
	return child;
}

/* A child that ends while the regions around it are open. */
static pid_t open_inside(void)
{
	volatile int sum = 0;
	pid_t child = -1;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp critical(forking)
	{
		child = fork();
		for (int i = 0; !child && i < 200; i++)
			for (int k = 0; k < 1000; k++)
#pragma omp atomic
				sum++;
		if (!child)
			exit(13);
	}
	return child;
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
	} else if (!strcmp(how, "fork-inside")) {
		child = inside();
		if (!child)
			return 14;
	} else if (!strcmp(how, "fork-open")) {
		child = open_inside();
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
