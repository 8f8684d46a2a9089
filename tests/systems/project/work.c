#include "work.h"

int work(int n)
{
	int s = 0;
#pragma omp parallel reduction(+ : s)
	{
#pragma omp for
		for (int i = 0; i < n; i++)
			s++;
#pragma omp single
		s++;
	}
	return s + twice(n);
}
