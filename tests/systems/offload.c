/*
 * Offload: regions for a device, with functions, a static variable and a library's function in them, and regions of the
 * host.  Prints where the regions for a device ran.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>

enum { N = 1000 };

#pragma omp declare target
static int factor = 3;
static int scaled(int i)
{
	return i * factor;
}
#pragma omp end declare target

#define DIRECTIVE(text) _Pragma(#text)

double other(double *a, int n);

int main(void)
{
	static double a[N];
	int on_host = 1, n = 0;
	double s = 0;

#pragma omp parallel num_threads(2) reduction(+ : n)
	n++;
#pragma omp target map(tofrom : on_host)
	on_host = omp_is_initial_device();
#pragma omp target data map(from : a)
	{
#pragma omp target teams distribute parallel for
		for (int i = 0; i < N; i++)
			a[i] = scaled(i) + sqrt((double)i * i);
#pragma omp target update from(a)
	}
	DIRECTIVE(omp target map(tofrom : n))
	n += omp_is_initial_device();
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < N; i++)
		s += a[i];
	printf("%s %d %g %g\n", on_host ? "host" : "device", n, s, other(a, N));
	return 0;
}
