// A loop inside a parallel region over a vector, from a lambda; the type of its variable is unsigned long.
#include <cstdio>
#include <vector>
#include "work.h"
int main()
{
	std::vector<double> a(N);
	auto sweep = [&a] {
#pragma omp for schedule(dynamic, CHUNK)
		for (unsigned long i = 0; i < N; i++)
			a[i] = a[i] * 0.5 + work(STEPS);
	};
#pragma omp parallel
	for (int t = 0; t < TIMES; t++)
		sweep();
	std::printf("%g\n", a.back());
}
