/*
 * library: a program whose parallel regions are all in a library, a static archive or a shared object.
 *
 * The report must show: from solve_sum.c PARALLEL LOOP 4 times a thread, from solve_fill.c PARALLEL and LOOP 3 times a
 * thread, whichever kind of library it is and though main.c itself has nothing to instrument.
 */
#include <stdio.h>

#include "solve.h"

int main(void)
{
	static double values[1000];
	double sum = 0;
	int i;

	for (i = 0; i < 3; i++)
		solve_fill(values, 1000);
	for (i = 0; i < 4; i++)
		sum = solve_sum(values, 1000);
	printf("sum %.0f\n", sum);
	return 0;
}
