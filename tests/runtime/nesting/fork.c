/* processes made in and out of regions: each child goes on alone */
// compilers: gcc
// settings: OMP_NUM_THREADS=3
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int child(int how)
{
	int status = 0, n = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (how == 0)
			exit(3);
#pragma omp critical(child)
		n++;
		_exit(4 + n);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

int main(void)
{
	int sum = child(0);

#pragma omp parallel num_threads(3) // = PARALLEL SUM execC 3
	{
#pragma omp critical // = CRITICAL SUM execC 3
		sum += child(1);
#pragma omp single // = SINGLE SUM singleC 1
		sum += child(1);
#pragma omp single
#pragma omp task // = TASK SUM execC 1; TASKEXEC SUM execC 1
		sum += child(1);
	}
	sum += child(0);
	printf("%d\n", sum);
	return 0;
}
