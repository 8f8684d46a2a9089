/*
 * sort: insertion sort of runs of 16, then merging them to and fro.  One thread; what depends on the data is counted
 * beside it.
 */
#include "kernel.h"

enum { N = 1024 * (SCALE > 1 ? 256 : 1), RUN = 16 };

static uint32_t keys[N], scratch[N];
static uint64_t n_moves, n_compares, n_merges;

static void sort_run(uint32_t *run)
{
	int i, j;

	for (i = 1; i < RUN; i++) {
		uint32_t key = run[i];

		for (j = i; j > 0; j--) {
			uint32_t before = run[j - 1];

			n_compares++;
			if (before <= key)
				break;
			run[j] = before;
			n_moves++;
		}
		run[j] = key;
	}
}

/* Each round loads both heads, and stores one. */
static void merge(const uint32_t *in, uint32_t *out, size_t n)
{
	size_t i = 0, j = n, k = 0;

	while (i < n && j < 2 * n) {
		uint32_t left = in[i], right = in[j];

		n_merges++;
		if (left <= right) {
			out[k++] = left;
			i++;
		} else {
			out[k++] = right;
			j++;
		}
	}
	while (i < n)
		out[k++] = in[i++];
	while (j < 2 * n)
		out[k++] = in[j++];
}

int main(void)
{
	uint32_t *in = keys, *out = scratch, *other;
	uint64_t loads[2] = { 0, 0 }, n_rounds = 0, state = 1;
	double sum = 0;
	size_t i, n;
	int turn = 0;

#pragma pomp inst data(keys)
#pragma pomp inst data(scratch)
	kernel_array("keys", keys, sizeof(keys));
	kernel_array("scratch", scratch, sizeof(scratch));
	for (i = 0; i < N; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		keys[i] = (uint32_t)(state >> 40);
	}
	for (i = 0; i < N; i += RUN)
		sort_run(keys + i);
	/* N / RUN is a power of four: an even number of rounds, and the result is in keys again.  A merge of 2n keys loads
	 * two in each round of its first loop, and one for each key that is left. */
	for (n = RUN; n < N; n *= 2) {
		n_merges = 0;
		for (i = 0; i < N; i += 2 * n)
			merge(in + i, out + i, n);
		loads[turn] += 2 * n_merges + (N - n_merges);
		n_rounds++;
		turn ^= 1;
		other = in;
		in = out;
		out = other;
	}
	for (i = 0; i < N; i++)
		sum += (double)in[i] * (double)(i % 5);
	kernel_sum(sum);
	kernel_expect("keys", N - N / RUN + n_compares + loads[0] + N, N + n_moves + (N - N / RUN) + n_rounds / 2 * N, 0);
	kernel_expect("scratch", loads[1], n_rounds / 2 * N, 0);
	return 0;
}
