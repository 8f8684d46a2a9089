// exceptions and jumps out of constructs, caught where OpenMP allows it: within the region
// settings: OMP_NUM_THREADS=3
// notes: left
#include <csetjmp>
#include <cstdio>
#include <stdexcept>

static int n;

static void thrower(int depth)
{
	if (!depth)
		throw std::runtime_error("deep");
#pragma omp task if (0) // = TASK SUM execC 90
	try {
		thrower(depth - 1);
	} catch (const std::logic_error &) {
	} catch (...) {
#pragma omp atomic
		n++;
	}
}

static void jumps()
{
	jmp_buf here;

	if (!setjmp(here)) {
#pragma omp critical(jump) // = CRITICAL SUM execC 90
#pragma omp atomic
		n += 0;
		longjmp(here, 1);
	}
}

static void jumper(jmp_buf to)
{
#pragma omp for schedule(static, 1)
	for (int i = 0; i < 1; i++) {
	}
	longjmp(to, 1);
}

static void caught()
{
	jmp_buf outside;

	if (!setjmp(outside))
		jumper(outside);
}

int main()
{
#pragma omp parallel num_threads(3) // = PARALLEL SUM execC 3
	{
		for (int i = 0; i < 30; i++) {
			try {
#pragma omp critical // = CRITICAL SUM execC 90
				{
					try {
						throw i;
					} catch (int k) {
#pragma omp atomic
						n += k & 1;
					}
				}
				thrower(1);
			} catch (const std::exception &) {
			}
			jumps();
		}
#pragma omp barrier
	}
	try {
#pragma omp parallel num_threads(2) // = PARALLEL SUM execC 2
		{
			try {
				throw 1;
			} catch (int) {
#pragma omp single // = SINGLE SUM singleC 1
				n++;
			}
		}
		throw std::runtime_error("outside");
	} catch (const std::runtime_error &e) {
		std::puts(e.what());
	}
	caught();
#pragma omp parallel num_threads(3) reduction(+ : n) // = PARALLEL SUM execC 3
	n++;
	std::printf("%d\n", n);
}
