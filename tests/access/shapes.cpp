/*
 * shapes: as shapes.c, in C++: shapes KERNEL N ROUNDS.  Compiled with POOL, the memory of its containers is in a static
 * array, which OMPP_DATA_NAME names.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <unordered_map>
#include <vector>

#ifdef POOL
char pool[1 << 23];
static std::size_t n_pool;

void *operator new(std::size_t n_bytes)
{
	if (n_bytes > sizeof(pool) - n_pool)
		std::abort();
	void *p = pool + n_pool;
	n_pool += (n_bytes + 15) & ~std::size_t{15};
	return p;
}

void operator delete(void *) noexcept {}
void operator delete(void *, std::size_t) noexcept {}
#endif

static std::uint32_t chance(std::uint32_t &state)
{
	state = state * 1664525u + 1013904223u;
	return state >> 8;
}

/* ---- a hash table with open addressing, and the library's ---- */

class counts {
	std::vector<std::uint64_t> keys;
	std::vector<std::uint32_t> numbers;
	std::size_t mask;

public:
	explicit counts(std::size_t n) : keys(n, ~UINT64_C(0)), numbers(n), mask(n - 1) {}

	std::uint32_t &at(std::uint64_t key)
	{
		std::size_t i = key * 0x9E3779B97F4A7C15u >> 40 & mask;

		while (keys[i] != key && keys[i] != ~UINT64_C(0))
			i = (i + 1) & mask;
		keys[i] = key;
		return numbers[i];
	}
};

/* n, a power of two, is the size of the table. */
static double hash(std::size_t n, int rounds)
{
	counts all(n);
	std::uint32_t state = 1;
	double sum = 0;

	for (int r = 0; r < rounds; r++)
		for (std::size_t i = 0; i < 8 * n; i++)
			sum += ++all.at(chance(state) % (n / 2));
	return sum;
}

static double map(std::size_t n, int rounds)
{
	std::unordered_map<std::uint32_t, long> all;
	std::uint32_t state = 1;
	double sum = 0;

	for (int r = 0; r < rounds; r++)
		for (std::size_t i = 0; i < n; i++)
			all[chance(state) % static_cast<std::uint32_t>(n / 4)] += static_cast<long>(i);
	for (const auto &entry : all)
		sum += static_cast<double>(entry.second);
	return sum;
}

/* ---- objects with virtual functions ---- */

struct shape {
	double x = 0, y = 0;

	virtual ~shape() = default;
	virtual double area() const = 0;
	virtual void grow(double by) = 0;
};

struct circle : shape {
	double radius = 1;

	double area() const override { return 3.14159 * radius * radius; }
	void grow(double by) override { radius *= by; }
};

struct box : shape {
	double a = 2, b = 3;

	double area() const override { return a * b; }
	void grow(double by) override
	{
		a *= by;
		b /= by;
	}
};

struct corner : shape {
	double base = 1, height = 2;

	double area() const override { return 0.5 * base * height; }
	void grow(double by) override { base += by; }
};

static double virtuals(std::size_t n, int rounds)
{
	std::vector<std::unique_ptr<shape>> all;
	double sum = 0;

	for (std::size_t i = 0; i < n; i++) {
		if (i % 3 == 0)
			all.push_back(std::make_unique<circle>());
		else if (i % 3 == 1)
			all.push_back(std::make_unique<box>());
		else
			all.push_back(std::make_unique<corner>());
		all[i]->x = all[i]->y = static_cast<double>(i);
	}
	for (int r = 0; r < rounds; r++) {
#pragma omp parallel for reduction(+ : sum)
		for (std::size_t i = 0; i < n; i++) {
			all[i]->grow(1.0001);
			sum += all[i]->area() + all[i]->x * 1e-6;
			all[i]->y += 1;
		}
	}
	return sum;
}

/* ---- rows of a matrix by small objects, and algorithms of the library ---- */

struct row {
	const double *data;
	std::size_t n;
};

struct matrix {
	std::vector<double> data;
	std::size_t n;

	explicit matrix(std::size_t side) : data(side * side), n(side) {}
	row at(std::size_t i) const { return { data.data() + i * n, n }; }
	double &operator()(std::size_t i, std::size_t k) { return data[i * n + k]; }
};

static double dot(row a, row b)
{
	double sum = 0;

	for (std::size_t i = 0; i < a.n; i++)
		sum += a.data[i] * b.data[i];
	return sum;
}

static double product(std::size_t n, int rounds)
{
	matrix a(n), b(n), c(n);

	for (std::size_t i = 0; i < n; i++)
		for (std::size_t k = 0; k < n; k++) {
			a(i, k) = static_cast<double>(i + k);
			b(i, k) = static_cast<double>(i * k % 7);
		}
	for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
		for (std::size_t i = 0; i < n; i++)
			for (std::size_t k = 0; k < n; k++)
				c(i, k) = dot(a.at(i), b.at(k));
	}
	return c(3 % n, 5 % n);
}

static double algorithms(std::size_t n, int rounds)
{
	std::vector<double> v;
	double sum = 0;

	for (std::size_t i = 0; i < n; i++)
		v.push_back(static_cast<double>(i % 1000));
	for (int r = 0; r < rounds; r++) {
		std::transform(v.begin(), v.end(), v.begin(), [](double x) { return x * 0.99 + 1; });
		sum += std::accumulate(v.begin(), v.end(), 0.0);
	}
	return sum;
}

int main(int argc, char **argv)
{
	static struct { /* not constant, as constants are counted elsewhere */
		char name[12];
		double (*run)(std::size_t n, int rounds);
	} kernels[] = { { "algorithms", algorithms }, { "hash", hash },         { "map", map },
		        { "product", product },       { "virtual", virtuals } };

	for (auto &kernel : kernels)
		if (argc == 4 && !std::strcmp(kernel.name, argv[1])) {
			std::printf("%.9g\n", kernel.run(static_cast<std::size_t>(std::atol(argv[2])), std::atoi(argv[3])));
			return 0;
		}
	return 1;
}
