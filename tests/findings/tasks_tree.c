/* A recursion with a task for each call: LEAVES steps of work in each leaf.  Mended, it cuts off at depth CUT. */
#include <stdio.h>
#include "work.h"
#ifndef CUT
#define CUT 100
#endif
static double tree(int depth, int made)
{
	double left, right;

	if (!depth)
		return work(LEAVES);
	if (made >= CUT)
		return tree(depth - 1, made) + tree(depth - 1, made);
#pragma omp task shared(left)
	left = tree(depth - 1, made + 1);
#pragma omp task shared(right)
	right = tree(depth - 1, made + 1);
#pragma omp taskwait
	return left + right;
}
int main(void)
{
	double sum;

#pragma omp parallel
#pragma omp single
	sum = tree(DEPTH, 0);
	printf("%g\n", sum);
}
