/*
 * Functions: calls whose numbers are known; compiled with kinst --functions.
 */
#include <cstdio>

namespace deep {
struct thing {
	__attribute__((noinline)) int method(int n)
	{
		return n + 1;
	}
};
}

static __attribute__((noinline)) int hidden(int n)
{
	return n + 2;
}

extern "C" __attribute__((noinline)) int work(int n)
{
	return n > 0 ? work(n - 1) + hidden(n) : 0;
}

int main()
{
	deep::thing t;
	int sum = 0, i;

#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (i = 0; i < 6; i++)
		sum += work(3) + t.method(i);
	std::printf("%d\n", sum);
	return 0;
}
