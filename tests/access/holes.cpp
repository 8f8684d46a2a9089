/*
 * holes: what hooks see of C++.  See holes.h.
 */
#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "holes.h"

#define BOTH(type) type *x = static_cast<type *>(px); type *y = static_cast<type *>(py); (void)x; (void)y; (void)n

KERNEL(vector_elements)
{
	BOTH(double);
	std::vector<double> v(n, 1.0);

	name_y(v.data(), n * sizeof(double));
	for (int i = 0; i < n; i++)
		v[i] += x[i];
	BARRIER(v.data());
	name_y(py, ROOM);
}
KERNEL(vector_copied)
{
	BOTH(double);
	std::vector<double> v(n, 1.0);

	name_y(v.data(), n * sizeof(double));
	std::vector<double> w(v);
	BARRIER(w.data());
	name_y(py, ROOM);
}
KERNEL(std_copy) { BOTH(double); std::copy(x, x + n, y); }
KERNEL(std_copy_10)
{
	BOTH(double);

	for (int i = 0; i < n / 10; i++)
		std::copy(x + 10 * i, x + 10 * i + 10, y + 10 * i);
}
KERNEL(std_fill) { BOTH(double); std::fill(y, y + n, 3.0); }
KERNEL(std_accumulate)
{
	BOTH(double);
	double sum = std::accumulate(x, x + n, 0.0);

	BARRIER(&sum);
}
typedef std::array<double, 20> twenty;
KERNEL(std_array_20) { BOTH(twenty); for (int i = 0; i < n / 10; i++) y[i] = x[i]; }

struct base {
	long value = 1;
	virtual ~base() { }
	virtual long get() const { return value; }
};
struct derived : base {
	long get() const override { return value + 1; }
};
static derived objects[N];
static derived *volatile first = objects;
KERNEL(virtual_calls)
{
	derived *y = first;
	long sum = 0;

	(void)px;
	name_y(y, sizeof(objects));
	for (int i = 0; i < n; i++)
		sum += y[i].get();
	BARRIER(&sum);
	name_y(py, ROOM);
}
KERNEL(static_with_guard)
{
	BOTH(double);

	for (int i = 0; i < n; i++) {
		static volatile int once = n;
		y[i] = once;
	}
}
KERNEL(exceptions)
{
	BOTH(int);

	for (int i = 0; i < n / 10; i++)
		try {
			x[i] = i;
			throw std::runtime_error("x");
		} catch (const std::exception &) {
			y[i] = i;
		}
}
KERNEL(references)
{
	BOTH(double);

	for (int i = 0; i < n; i++) {
		double &to = y[i];
		const double &from = x[i];
		to = from;
	}
}
KERNEL(lambdas)
{
	BOTH(double);
	auto move = [x, y](int i) { y[i] = x[i]; };

	for (int i = 0; i < n; i++)
		move(i);
}
struct with_const { const long a; long b; };
KERNEL(const_members) { BOTH(with_const); for (int i = 0; i < n; i++) y[i].b = x[i].a; }
static const std::vector<double> started(N, 2.0);
KERNEL(const_vector)
{
	BOTH(double);

	name_y(started.data(), N * sizeof(double));
	for (int i = 0; i < n; i++)
		x[i] = started[i];
	name_y(py, ROOM);
}
static constexpr double constants[N] = { 1, 2, 3 };
KERNEL(array_constexpr)
{
	BOTH(double);

	name_constants(constants, sizeof(constants));
	for (int i = 0; i < n; i++)
		x[i] = constants[i];
}

static const struct kernel kernels[] = {
	ROW(vector_elements, LOADS(N, 8), UPDATES(8)),
	ROW(vector_copied, NONE, LOADS(1, 8 * N)),
	ROW(std_copy, LOADS(1, 8 * N), STORES(1, 8 * N)),
	ROW(std_copy_10, TENTH(80)),
	ROW(std_fill, NONE, STORES(N, 8)),
	ROW(std_accumulate, LOADS(N, 8), NONE),
	ROW(std_array_20, TENTH(160)),
	ROW(virtual_calls, NONE, LOADS(2 * N, 8)),
	ROW(static_with_guard, NONE, STORES(N, 8)),
	ROW(exceptions, STORES(N / 10, 4), STORES(N / 10, 4)),
	ROW(references, LOADS_STORES(8)),
	ROW(lambdas, LOADS_STORES(8)),
	ROW(const_members, LOADS_STORES(8)),
	ROW(const_vector, STORES(N, 8), LOADS(N, 8)),
	ROW(array_constexpr, STORES(N, 8), LOADS(N, 8), "constants"),
};

int main(int, char **argv)
{
	run_all(kernels, sizeof(kernels) / sizeof(*kernels), argv[1]);
}
