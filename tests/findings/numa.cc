// As numa.c, in C++: a container's constructor writes all of it first.  Each element is accessed.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <omp.h>
#include <vector>

enum { PAGES = 10, ROUNDS = 6, EACH = 512 };

// Leaves elements as they are, so that whoever uses them first writes them first.
template <typename T> struct untouched : std::allocator<T> {
	template <typename U> struct rebind { typedef untouched<U> other; };
	template <typename U> void construct(U *) {}
	template <typename U, typename V> void construct(U *at, const V &value) { ::new (at) U(value); }
};

int main()
{
	long n = (long)omp_get_max_threads() * PAGES * EACH;
#ifdef MENDED
	std::vector<double, untouched<double>> a(n);
#pragma omp parallel for schedule(static)
	for (long i = 0; i < n; i++)
		a[i] = 0;
#else
	std::vector<double> a(n);
#endif
	for (int round = 0; round < ROUNDS; round++) {
#ifdef OTHER
#pragma omp parallel /* planted */
		if (omp_get_thread_num() == 2)
			for (long i = 0; i < n; i++)
				a[i] += 1;
#else
#pragma omp parallel for schedule(static) /* planted */
		for (long i = 0; i < n; i++)
			a[i] += 1;
#endif
	}
	std::printf("%g\n", a[0]);
}
