/*
 * containers: a vector of numbers, a vector of structs, and a map whose nodes come from a pool.
 */
#include "kernel.h"

#include <map>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

namespace {

enum { N = 600 * SCALE, KEYS = 257, POOL = 1 << 16 };

struct item {
	int    key;
	double value;
};

alignas(16) char pool[POOL];
std::size_t n_pool;

template <typename T> struct from_pool {
	typedef T value_type;
	from_pool() = default;
	template <typename U> from_pool(const from_pool<U> &) {}
	T *allocate(std::size_t n)
	{
		void *p = pool + n_pool;

		n_pool += (n * sizeof(T) + 15) / 16 * 16;
		if (n_pool > POOL)
			throw std::bad_alloc();
		return static_cast<T *>(p);
	}
	void deallocate(T *, std::size_t) {}
};

template <typename T, typename U> bool operator==(const from_pool<T> &, const from_pool<U> &) { return true; }
template <typename T, typename U> bool operator!=(const from_pool<T> &, const from_pool<U> &) { return false; }

typedef std::map<int, double, std::less<int>, from_pool<std::pair<const int, double>>> table;

}

int main()
{
	std::vector<double> *numbers = new std::vector<double>;
	std::vector<item> *items = new std::vector<item>;
	static table sums;
	double sum = 0;

	numbers->reserve(N);
	items->reserve(N);
#pragma pomp inst data(numbers->data(), N * sizeof(double), "numbers")
#pragma pomp inst data(items->data(), N * sizeof(item), "items")
#pragma pomp inst data(pool)
	kernel_array("numbers", numbers->data(), N * sizeof(double));
	kernel_array("items", items->data(), N * sizeof(item));
	kernel_array("pool", pool, sizeof(pool));
	for (int i = 0; i < N; i++) {
		numbers->push_back(i % 50);
		items->push_back(item{ i % KEYS, 0.5 * i });
	}
	for (const item &one : *items)
		sums[one.key * 31 % KEYS] += one.value;
	for (const auto &pair : sums)
		sum += pair.first * pair.second;
	sum += std::accumulate(numbers->begin(), numbers->end(), 0.0);
#pragma omp parallel for schedule(static) num_threads(2)
	for (int i = 0; i < N; i++)
		(*numbers)[i] = 2 * (*numbers)[i] + (*items)[i].key;
	sum += std::accumulate(numbers->begin(), numbers->end(), 0.0);
	kernel_sum(sum);
	kernel_expect("numbers", 3 * N, 2 * N, 0);
	return 0;
}
