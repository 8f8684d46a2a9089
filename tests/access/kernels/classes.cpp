/*
 * classes: a matrix template with operators, used by virtual functions, by two threads.
 */
#include "kernel.h"

namespace {

enum { N = 24 * SIDE };

template <typename T> class matrix {
public:
	explicit matrix(T *address) : memory(address) {}
	T &operator()(int i, int j) { return memory[i * N + j]; }
	const T &operator()(int i, int j) const { return memory[i * N + j]; }

private:
	T *memory;
};

template <typename T> void multiply(const matrix<T> &a, const matrix<T> &b, matrix<T> &c)
{
#pragma omp parallel for schedule(static) num_threads(2)
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			T s = 0;

			for (int k = 0; k < N; k++)
				s += a(i, k) * b(k, j);
			c(i, j) = s;
		}
	}
}

struct shape {
	virtual ~shape() {}
	virtual double area() const = 0;
	double width = 1;
};

struct square : shape {
	double area() const override { return width * width; }
};

struct oblong : shape {
	double area() const override { return width * height; }
	double height = 2;
};

float memory_a[N * N], memory_b[N * N], memory_c[N * N];

}

int main()
{
	matrix<float> a(memory_a), b(memory_b), c(memory_c);
	oblong *oblongs = new oblong[N];
	double sum = 0;

#pragma pomp inst data(memory_a)
#pragma pomp inst data(memory_b)
#pragma pomp inst data(memory_c, sizeof(memory_c), "c")
#pragma pomp inst data(oblongs, N * sizeof(*oblongs), "oblongs")
	kernel_array("memory_a", memory_a, sizeof(memory_a));
	kernel_array("memory_b", memory_b, sizeof(memory_b));
	kernel_array("c", memory_c, sizeof(memory_c));
	kernel_array("oblongs", oblongs, N * sizeof(*oblongs));
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			a(i, j) = static_cast<float>(i + j);
			b(i, j) = static_cast<float>(i - j);
		}
		oblongs[i].height = i;
	}
	multiply(a, b, c);
	for (int i = 0; i < N; i++) {
		const shape *one = &oblongs[i];

		sum += static_cast<double>(c(i, i)) + one->area();
	}
	kernel_sum(sum);
	kernel_expect("memory_a", N * N * N, N * N, 0);
	kernel_expect("memory_b", N * N * N, N * N, 0);
	kernel_expect("c", N, N * N, 0);
	return 0;
}
