/*
 * Left: regions that are left by exceptions, return, goto, break, longjmp and cancellation; then clean ones, which
 * must be counted right.
 */
#include <csetjmp>
#include <cstdio>
#include <omp.h>
#include <stdexcept>

#include <ompp.h>

static int caught, returned;
static std::jmp_buf back;

static void throws(int depth)
{
	ompp_region_begin("thrower");
	if (depth)
		throws(depth - 1);
	else
		throw std::runtime_error("out");
	ompp_region_end("thrower");
}

static int returns(int n)
{
#pragma pomp inst begin(returner)
	if (n & 1)
		return 1;
#pragma pomp inst end(returner)
	return 0;
}

static void jumps()
{
	ompp_region_begin("jumper");
	std::longjmp(back, 1);
}

static void lands()
{
	if (!setjmp(back))
		jumps();
}

static long clean()
{
	long sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
#pragma omp for
		for (int i = 0; i < 100; i++)
#pragma omp critical(clean)
			sum += i;
	}
	return sum;
}

int main()
{
	long sum = 0;
	int i;
	int cancelled = 0;

	for (i = 0; i < 10; i++) {
		try {
			throws(3);
		} catch (const std::exception &) {
			caught++;
		}
		returned += returns(i);
		lands();
		for (int k = 0; k < 3; k++) {
			ompp_region_begin("breaker");
			if (k == 1)
				break;
			ompp_region_end("breaker");
		}
#pragma omp parallel num_threads(2)
		{
			try {
				throws(1);
			} catch (...) {
#pragma omp atomic
				caught++;
			}
#pragma omp for
			for (int k = 0; k < 100; k++) {
				if (k % 50 == 10) {
#pragma omp cancel for
				}
#pragma omp cancellation point for
			}
#pragma omp barrier
			if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
			}
#pragma omp cancellation point parallel
		}
		cancelled++;
		sum += clean();
	}
	std::printf("%d %d %d %ld\n", caught, returned, cancelled, sum);
	return 0;
}
