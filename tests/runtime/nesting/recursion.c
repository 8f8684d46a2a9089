/* 10,000 levels of one region in itself */
// notes: folded
#include <omp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <stdlib.h>
#include <unistd.h>

static long down(int depth)
{
	long r = 0;
#pragma omp taskgroup // = TASKGROUP SUM execC 10001
	{
#pragma omp task if (0) shared(r) // = TASK SUM execC 10001
		r = depth ? 1 + down(depth - 1) : 0;
	}
	return r;
}

int main(int argc, char **argv)
{
	struct rlimit big = { 1u << 28, RLIM_INFINITY };

	if (argc < 2) {
		setrlimit(RLIMIT_STACK, &big);
		execl("/proc/self/exe", argv[0], "again", (char *)NULL);
	}
	printf("%ld\n", down(10000));
	return 0;
}
