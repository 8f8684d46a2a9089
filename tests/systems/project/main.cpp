#include <iostream>

#include "sum.hpp"

int main()
{
	std::vector<int> values(100, 1);
	int n = 0;
#pragma omp parallel reduction(+ : n)
	{
#pragma omp single
		n = sum(values);
	}
	std::cout << n + sum(values) << ' ' << halves(8) << '\n';
}
