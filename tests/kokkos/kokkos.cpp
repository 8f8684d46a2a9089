/*
 * Kokkos: kernels, regions, copies and Views by name, so many times as the macros say.
 */
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>
#include <cstdio>

#ifndef N
#define N 1000
#endif
#ifndef TIMES
#define TIMES 7
#endif

int main(int argc, char **argv)
{
	Kokkos::initialize(argc, argv);
	{
		Kokkos::View<double *> x("x", N), y("y", N);
		double sum = 0;

		Kokkos::Profiling::pushRegion("solve");
		for (int k = 0; k < TIMES; k++) {
			Kokkos::parallel_for("axpy", N, KOKKOS_LAMBDA(int i) { y(i) += 2 * x(i) + 1; });
			/* OpenMP inside of a kernel */
			Kokkos::parallel_for("team", 1, KOKKOS_LAMBDA(int) {
				double all = 0;
#pragma omp parallel for num_threads(2) reduction(+ : all)
				for (int i = 0; i < N; i++)
					all += y(i);
				x(0) = all;
			});
		}
		Kokkos::parallel_reduce("dot", N, KOKKOS_LAMBDA(int i, double &s) { s += y(i); }, sum);
		Kokkos::deep_copy(x, y);
		Kokkos::Profiling::popRegion();
		Kokkos::Profiling::ProfilingSection section("part");
		section.start();
		Kokkos::parallel_scan("scan", N, KOKKOS_LAMBDA(int i, double &s, bool last) {
			s += y(i);
			if (last)
				x(i) = s;
		});
		section.stop();
		std::printf("%g %g\n", sum, x(N - 1));
	}
	Kokkos::finalize();
	return 3;
}
