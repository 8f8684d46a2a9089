/*
 * nested: a team of two, each thread of which opens five teams of two.
 *
 * The report must show the outer PARALLEL with the rows 0 and 1, one execution each; the inner PARALLEL with the rows
 * 0.0, 0.1, 1.0 and 1.1, five executions each, in which each thread works for 4 ms.  The inner regions are not counted
 * twice in the overhead report.  The program prints what each thread measured itself.
 */
#include <stdio.h>

#include "spin.h"

enum { ROUNDS = 5 };

int main(void)
{
	static double body[2][2];
	int i, k;

	omp_set_max_active_levels(2);
	omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
	{
		int outer = omp_get_thread_num(), round;

		for (round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(2)
			body[outer][omp_get_thread_num()] += spin(0.004);
		}
	}
	for (i = 0; i < 2; i++)
		for (k = 0; k < 2; k++)
			printf("measured PARALLEL:26 %d.%d bodyT %.6f\n", i, k, body[i][k]);
	return 0;
}
