// A construct in a template: one region for each instantiation, however many files there are.
#ifndef SUM_HPP
#define SUM_HPP

#include <vector>

template <typename T>
T sum(const std::vector<T> &values)
{
	T s{};
#pragma omp parallel for reduction(+ : s)
	for (std::size_t i = 0; i < values.size(); i++)
		s += values[i];
	return s;
}

double halves(int n);

#endif
