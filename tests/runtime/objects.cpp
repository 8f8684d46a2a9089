/* objects: places of C++ that allocate, as by containers and by a function with two callers. */
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

__attribute__((noinline)) static double *make(int n)
{
	return new double[n](); // made
}

int main()
{
	double *first = make(1000);
	double *second = make(3000);
	std::vector<float> v(2000, 1.0f); // vector
	auto u = std::make_unique<long[]>(500); // unique
	std::map<int, std::string> m;
	for (int i = 0; i < 10; i++)
		m.emplace(i, "short");
	double s = 0;
	for (int i = 0; i < 500; i++)
		s += first[i] + second[i] + v[i] + u[i];
	std::printf("%g %zu\n", s, m.size());
	delete[] first;
	try {
		std::vector<char> huge(static_cast<std::size_t>(1) << 62);
	} catch (const std::bad_alloc &) {
		std::puts("no memory");
	}
	return 0;
}
