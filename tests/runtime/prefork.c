/* Workers that meet no region: worker k stores 1000 * (k + 1) elements of `pool`, and ends in its own way; then children
 * that do nothing. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

long pool[8000];

static void use(long n)
{
	for (volatile long i = 0; i < n; i++)
		pool[i] = 1;
}

int main(void)
{
	for (int k = 0; k < 3; k++)
		if (!fork()) {
			use(1000 * (k + 1));
			if (k == 0)
				_exit(0);
			if (k == 1)
				exit(0);
			return 0;
		}
	while (wait(NULL) > 0)
		;
	for (int k = 0; k < 3; k++)
		if (!fork())
			_exit(0);
	while (wait(NULL) > 0)
		;
	return 0;
}
