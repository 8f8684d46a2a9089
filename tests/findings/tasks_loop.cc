// One thread makes N tasks of STEPS steps each, from a template; mended, each task has BLOCK of them.
#include <cstdio>
#include <vector>
#include "work.h"
#ifndef BLOCK
#define BLOCK 1
#endif
template <class T> static void fill(std::vector<T> &a)
{
	const size_t n = a.size();
#pragma omp parallel
#pragma omp master
	for (size_t i = 0; i < n; i += BLOCK)
#pragma omp task firstprivate(i) shared(a)
		for (size_t k = i; k < i + BLOCK && k < n; k++)
			a[k] = T(work(STEPS));
}
int main()
{
	std::vector<float> a(N);

	fill(a);
	std::printf("%g\n", a.back());
}
