// Templates: one region for each instantiation; critical with a name in a nested class.
// Regions: PARALLEL 2, CRITICAL 2, PARALLEL LOOP 2, PARALLEL LOOP 2, FLUSH 2.
#include <vector>

namespace outer {
template <int N> struct inner {
	template <class F> static void go(F f)
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp critical(some_name)
			{
				f(N);
			}
		}
	}
};
}

template <class T> T total(const std::vector<T> &v)
{
	T sum{};
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (std::size_t i = 0; i < v.size(); i++)
		sum += v[i];
	return sum;
}

int main()
{
	int sum = 0;

	outer::inner<3>::go([&sum](int k) {
		sum += k;
#pragma omp flush
	});
	return sum != 6 || total(std::vector<int>(10, 1)) != 10 || total(std::vector<double>(10, 2)) != 20;
}
