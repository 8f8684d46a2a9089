/*
 * Programs for which the summary has to be short and right: summary MODE, as main() has them.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ompp.h>

static void pause_ms(int ms)
{
	usleep((useconds_t)ms * 1000);
}

/* Recursion, so that each level is a call path of its own. */
static void deep(int level)
{
	char name[32];

	snprintf(name, sizeof(name), "level %d", level);
	ompp_region_begin(name);
	if (level)
		deep(level - 1);
	ompp_region_end(name);
}

static void imbalance(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static, 1)
		for (int i = 0; i < 2; i++)
			pause_ms(i ? 200 : 10);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "serial")) {
		pause_ms(20);
	} else if (!strcmp(mode, "deep")) {
		imbalance();
		deep(20000);
	} else if (!strcmp(mode, "killed")) {
		imbalance();
		raise(SIGTERM);
	} else if (!strcmp(mode, "half")) {             /* as long alone as in a parallel region */
#pragma omp parallel num_threads(4)
		pause_ms(100);
		pause_ms(100);
	} else if (!strcmp(mode, "dumps")) {
		imbalance();
		ompp_dump();
		ompp_off();
		pause_ms(50);
		ompp_on();
	} else {
		imbalance();
	}
	return 0;
}
