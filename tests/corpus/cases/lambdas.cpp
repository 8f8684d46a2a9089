// Regions in lambdas, lambdas in regions, and a loop over a range.
// Regions: PARALLEL LOOP 2, PARALLEL LOOP 2, PARALLEL 2, SINGLE 2, TASK 2, TASKEXEC 2, ATOMIC 2.
#include <functional>
#include <vector>

int main()
{
	int sum = 0, calls = 0;
	std::vector<int> v(10, 1);
	std::function<void(int)> f = [&](int n) {
#pragma omp parallel for reduction(+ : sum) num_threads(2)
		for (int i = 0; i < n; i++)
			sum += i;
	};

	f(4);
#pragma omp parallel for num_threads(2)
	for (auto &x : v)
		x++;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 2; i++)
#pragma omp task shared(calls)
	{
		auto g = [&calls]() {
#pragma omp atomic
			calls++;
		};
		g();
	}
	return sum != 6 || calls != 2 || v[9] != 2;
}
