/* A construct in a header: one region, however many files include it. */
#ifndef WORK_H
#define WORK_H

int work(int n);

static inline int twice(int n)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += 2;
	return s;
}

#endif
