/*
 * templates: parallel regions in a function template, in a lambda, and in a member function.
 *
 * The report must show the PARALLEL LOOP of the template once a thread in sum<int>, and once in sum<double>, and with
 * --by=place twice in one region; the PARALLEL in the lambda three times a thread, and the LOOP of the member once a
 * thread.  An exception that is thrown and caught inside a parallel region disturbs nothing.
 */
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

template <class T>
static T sum(const std::vector<T> &values)
{
	T total = 0;

#pragma omp parallel for reduction(+ : total)
	for (std::size_t i = 0; i < values.size(); i++)
		total += values[i];
	return total;
}

struct Field {
	std::vector<double> cells = std::vector<double>(1000, 1.0);

	void scale(double factor)
	{
#pragma omp parallel
		{
#pragma omp for
			for (std::size_t i = 0; i < cells.size(); i++)
				cells[i] *= factor;
		}
	}
};

int main()
{
	std::vector<int> numbers(1000);
	Field field;
	int caught = 0;
	auto safe = [&caught] {
#pragma omp parallel
		{
			try {
				throw std::runtime_error("inside");
			} catch (const std::exception &) {
#pragma omp atomic
				caught++;
			}
		}
	};

	std::iota(numbers.begin(), numbers.end(), 1);
	field.scale(2);
	for (int i = 0; i < 3; i++)
		safe();
	std::printf("sums %d %g caught %s\n", sum(numbers), sum(field.cells), caught > 0 ? "all" : "none");
	return 0;
}
