/* Workers that meet no region: worker k of 6 stores 1000 * (k + 1) elements of `pool`, and ends in its own way; then
 * children that do nothing, and such as become another program. */
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
long pool[8000];

static void use(long n)
{
	for (volatile long i = 0; i < n; i++)
		pool[i] = 1;
}

static void wait_for_all(void)
{
	while (wait(NULL) > 0)
		;
}

static int worker(int k)
{
	use(1000 * (k + 1));
	switch (k) {
	case 0:
		_exit(0);
	case 1:
		exit(0);
	case 2:
		quick_exit(0);
	case 3:
		abort();
	case 4:
		raise(SIGTERM);
	}
	return 0;
}

int main(void)
{
	char *const other[] = { "true", NULL };
	pid_t child;

	for (int k = 0; k < 6; k++)
		if (!fork())
			return worker(k);
	wait_for_all();
	for (int k = 0; k < 3; k++)
		if (!fork())
			_exit(0);
	wait_for_all();
	if (!fork()) {
		use(10);
		execvp(other[0], other);
		_exit(127);
	}
	if (!vfork()) {
		execvp(other[0], other);
		_exit(127);
	}
	if (posix_spawnp(&child, other[0], NULL, NULL, other, environ))
		return 1;
	wait_for_all();
	return 0;
}
