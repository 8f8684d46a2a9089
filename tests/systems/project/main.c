#include <stdio.h>

#include "work.h"

int main(void)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 10; i++)
		s += i;
	printf("%s %d\n", NAME, s + work(100) + twice(50));
	return 0;
}
