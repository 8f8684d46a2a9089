/*
 * histogram: bins counted with atomic updates of integers, and weights summed with atomic updates of doubles, by two
 * threads; a plain histogram beside them.  An atomic update of a double tries again when another thread was quicker, and
 * loads again, so each half of the iterations has weights of its own.
 */
#include "kernel.h"

enum { N = 2000 * SCALE, BINS = 37 };

static int which[N], plain[BINS];
static unsigned int bins[BINS];
static double weights[2][BINS];

int main(void)
{
	double sum = 0;
	size_t i;

#pragma pomp inst data(which)
#pragma pomp inst data(plain)
#pragma pomp inst data(bins)
#pragma pomp inst data(weights)
	kernel_array("which", which, sizeof(which));
	kernel_array("plain", plain, sizeof(plain));
	kernel_array("bins", bins, sizeof(bins));
	kernel_array("weights", weights, sizeof(weights));
	for (i = 0; i < N; i++)
		which[i] = (int)(i * 7919 % BINS);
	for (i = 0; i < N; i++)
		plain[which[i]]++;
#pragma omp parallel for schedule(static) num_threads(2)
	for (i = 0; i < N; i++) {
		int bin = which[i];

#pragma omp atomic
		bins[bin]++;
#pragma omp atomic
		weights[i / (N / 2)][bin] += 0.5;
	}
	for (i = 0; i < BINS; i++)
		sum += bins[i] * (double)(i + 1) + weights[0][i] + weights[1][i] + plain[i];
	kernel_sum(sum);
	kernel_expect("which", 2 * N, N, 0);
	kernel_expect("plain", N + BINS, N, 0);
	kernel_expect("bins", BINS, 0, N);
	kernel_expect("weights", 2 * BINS, 0, N);
	return 0;
}
