/* Children that access nothing but their stack: child k of 4 allocates 10 * (k + 1) blocks, or names memory, or does
 * what its parent has done already.  Each prints its process and what it did. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ompp.h>

static long named[100], inherited[100];

static __attribute__((noinline)) void allocate(int n)
{
	for (void *volatile kept; n; n--)
		kept = malloc(100);
}

static int child(int k)
{
	char line[80];
	int n = 0;

	switch (k) {
	case 0:
	case 1:
		allocate(10 * (k + 1));
		n = snprintf(line, sizeof(line), "%ld blocks %d\n", (long)getpid(), 10 * (k + 1));
		break;
	case 2:
		ompp_data_begin(named, sizeof(named), "named");
		n = snprintf(line, sizeof(line), "%ld bytes %zu\n", (long)getpid(), sizeof(named));
		break;
	case 3:
		allocate(5);
		execlp("true", "true", (char *)NULL);
	}
	_exit(n != write(1, line, (size_t)n));
}

int main(void)
{
	allocate(7); /* live in each child, which did not allocate them */
	ompp_data_begin(inherited, sizeof(inherited), "inherited");
	for (int k = 0; k < 6; k++)
		if (!fork())
			return child(k);
	while (wait(NULL) > 0)
		;
	return 0;
}
