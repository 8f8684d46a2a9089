/*
 * fft: radix 2, in place, complex numbers as pairs of doubles, two threads in each stage.
 */
#include "kernel.h"

#include <math.h>

enum { BITS = SCALE > 1 ? 15 : 8, N = 1 << BITS };

struct complex {
	double re, im;
};

static struct complex data[N], roots[N / 2];
static uint64_t n_swaps;

static void permute(void)
{
	size_t i, j = 0, bit;

	for (i = 1; i < N; i++) {
		for (bit = N >> 1; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			double re = data[i].re, im = data[i].im;

			data[i].re = data[j].re;
			data[i].im = data[j].im;
			data[j].re = re;
			data[j].im = im;
			n_swaps++;
		}
	}
}

static void stage(size_t half)
{
	size_t k;

#pragma omp parallel for schedule(static) num_threads(2)
	for (k = 0; k < N / 2; k++) {
		size_t i = k / half * 2 * half + k % half, j = i + half, w = k % half * (N / 2 / half);
		double wr = roots[w].re, wi = roots[w].im, re = data[j].re, im = data[j].im;
		double tr = wr * re - wi * im, ti = wr * im + wi * re, ur = data[i].re, ui = data[i].im;

		data[i].re = ur + tr;
		data[i].im = ui + ti;
		data[j].re = ur - tr;
		data[j].im = ui - ti;
	}
}

int main(void)
{
	double sum = 0;
	size_t i;

#pragma pomp inst data(data, sizeof(data), "data")
#pragma pomp inst data(roots)
	kernel_array("data", data, sizeof(data));
	kernel_array("roots", roots, sizeof(roots));
	for (i = 0; i < N / 2; i++) {
		roots[i].re = cos(2 * 3.14159265358979 * (double)i / N);
		roots[i].im = -sin(2 * 3.14159265358979 * (double)i / N);
	}
	for (i = 0; i < N; i++) {
		data[i].re = (double)(i % 13);
		data[i].im = 0;
	}
	permute();
	for (i = 1; i < N; i *= 2)
		stage(i);
	for (i = 0; i < N; i++)
		sum += fabs(data[i].re) + fabs(data[i].im);
	kernel_sum(floor(sum * 1e3));
	kernel_expect("data", 4 * n_swaps + BITS * (N / 2) * 4 + 2 * N, 2 * N + 4 * n_swaps + BITS * (N / 2) * 4, 0);
	kernel_expect("roots", BITS * (N / 2) * 2, N, 0);
	return 0;
}
