// an exception that leaves a parallel region terminates the program, with the plain message and status
// status: 134
// notes: open left
#include <cstdio>
#include <stdexcept>

int main()
{
	std::puts("before");
	std::fflush(stdout);
	try {
#pragma omp parallel num_threads(2) // = PARALLEL 0 execC 1
		{
#pragma omp master
			throw std::runtime_error("out of the region");
		}
	} catch (...) {
		std::puts("never");
	}
	std::puts("never");
}
