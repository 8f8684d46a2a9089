/* handlers: random loads in a loop, which signal handlers interrupt that make random loads in a loop themselves.
 * handlers TURNS; prints how many loads of main_data there were in its loop, and of handler_data in those of handlers.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { N = 1 << 20, N_HANDLER = 4096, LOADS = 1000, HANDLER_LOADS = 300 };

static double main_data[N], handler_data[N_HANDLER], sink;
static volatile long n_handled;
static unsigned int seed = 1;

static unsigned int next(unsigned int x)
{
	return x * 1664525u + 1013904223u;
}

static void handle(int unused)
{
	double sum = 0;
	unsigned int x = seed++;

	(void)unused;
	for (int i = 0; i < HANDLER_LOADS; i++) {
		x = next(x);
		sum += handler_data[x >> 20];
	}
	sink += sum;
	n_handled++;
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	long turns = argc > 1 ? atol(argv[1]) : 1;
	double sum = 0;

	for (int i = 0; i < N; i++)
		main_data[i] = argc;
	for (int i = 0; i < N_HANDLER; i++)
		handler_data[i] = argc;
	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	for (long k = 0; k < turns; k++) {
		unsigned int x = (unsigned int)k;

		for (int i = 0; i < LOADS; i++) {
			x = next(x);
			sum += main_data[x >> 12];
		}
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld %ld\n", turns * LOADS, n_handled * HANDLER_LOADS);
	return sum + sink < 0;
}
