// Templates, lambdas, exceptions, members, raw strings, digit separators, attributes.
// Regions: PARALLEL LOOP 2, PARALLEL 2, SECTIONS 2, CRITICAL 2, PARALLEL 2, ATOMIC 2, ATOMIC 2, PARALLEL LOOP 2,
// PARALLEL 2, SINGLE 2.
#include <cstdio>
#include <stdexcept>
#include <vector>

static const char *text = R"x(
#pragma omp parallel
{ " )x";

template <typename T> struct sums {
	T total{};
	int n = 1'000;
	void add(const std::vector<T> &v)
	{
#pragma omp parallel for reduction(+ : total) num_threads(2)
		for (auto it = v.begin(); it < v.end(); ++it)
			total += *it;
	}
	template <class F> void each(F f)
	{
#pragma omp parallel num_threads(2) default(none) firstprivate(f)
#pragma omp sections
		{
#pragma omp section
			f(1);
#pragma omp section
			f(2);
		}
	}
};

int main()
{
	sums<long> s;
	int caught = 0, together = 0;

	s.add({ 1, 2, 3, 4 });
	s.each([&together](int k) {
#pragma omp critical(together)
		together += k;
	});
#pragma omp parallel num_threads(2)
	try {
#pragma omp atomic
		together++;
		throw std::runtime_error("x");
	} catch (const std::exception &) {
#pragma omp atomic
		caught++;
	}
	[[omp::directive(parallel for reduction(+ : together) num_threads(2))]]
	for (int i = 0; i < 5; i++)
		together += i;
	[[omp::sequence(directive(parallel num_threads(2)), omp::directive(single))]]
	{
		together++;
	}
	std::printf("%ld %d %d %d %d\n", s.total, s.n, caught, together, text[1]);
}
