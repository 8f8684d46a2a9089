/*
 * Work: one parallel region, then what the argument asks for; for the tests of files, dumps and settings.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ompp.h>

static int region(void)
{
	int sum = 0;

#pragma omp parallel reduction(+ : sum) num_threads(2)
	sum += 1;
	return sum;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int sum = 0, i;

	if (!strcmp(what, "locale") && !setlocale(LC_ALL, "de_DE.UTF-8"))
		return 77;
	sum += region();
	if (!strcmp(what, "traps"))             /* from here on: an OpenMP library may start with inexact numbers */
		feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
	if (!strcmp(what, "close")) {
		printf("%d\n", sum);
		fclose(stdout);
		fclose(stderr);
		return 5;
	}
	if (!strcmp(what, "chdir") && chdir("/"))
		return 9;
	if (!strcmp(what, "dump"))
		for (i = 0; i < 2; i++) {
			ompp_dump();
			sum += region();
		}
	if (!strcmp(what, "seconds")) {
		struct timespec second = { 1, 300000000 };

		nanosleep(&second, NULL);
		sum += region();
	}
	printf("%d\n", sum);
	return 5;
}
