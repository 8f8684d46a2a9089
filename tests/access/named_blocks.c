/*
 * Named blocks: blocks of several sizes, and an array, get names, are accessed, and lose them, in an order of chance.
 * Prints the loads and stores of what had a name then, and those of what had none.
 *
 * usage: named_blocks SEED WHAT      WHAT has names: 0 nothing, 1 whole blocks, 2 parts of blocks
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <ompp.h>

enum { N_BLOCKS = 40, N_STEPS = 4000 };

static uint64_t seed;
static double fixed[3008]; /* one of the blocks */

static uint32_t dice(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % below;
}

int main(int argc, char **argv)
{
	double *blocks[N_BLOCKS], sum = 0;
	size_t n[N_BLOCKS], lo[N_BLOCKS] = { 0 }, hi[N_BLOCKS] = { 0 };
	unsigned long long loads[2] = { 0 }, stores[2] = { 0 }; /* [1]: of what had a name */
	int how = argc > 2 ? atoi(argv[2]) : 0;

	seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	for (int b = 0; b < N_BLOCKS; b++) {
		n[b] = 8 + dice(3000);
		blocks[b] = b ? calloc(n[b], sizeof(double)) : fixed;
		if (!blocks[b])
			return 1;
	}
	for (int step = 0; step < N_STEPS; step++) {
		uint32_t b = dice(N_BLOCKS), from = dice((uint32_t)n[b]), to = from + dice((uint32_t)n[b] - from) + 1;
		double *block = blocks[b];
		char name[16];

		snprintf(name, sizeof(name), "block%u", b);
		switch (dice(4)) {
		case 0:
			if (how) {
				lo[b] = how == 2 ? from : 0;
				hi[b] = how == 2 ? to : n[b];
				ompp_data_begin(block + lo[b], (hi[b] - lo[b]) * sizeof(double), name);
			}
			break;
		case 1:
			if (hi[b])
				ompp_data_end(name);
			lo[b] = hi[b] = 0;
			break;
		case 2:
			for (uint32_t i = from; i < to; i++)
				block[i] = step + i;
			for (uint32_t i = from; i < to; i++)
				stores[lo[b] <= i && i < hi[b]]++;
			break;
		default:
			for (uint32_t i = from; i < to; i += 3)
				block[i] += 1;
			for (uint32_t i = from; i < to; i += 3) {
				loads[lo[b] <= i && i < hi[b]]++;
				stores[lo[b] <= i && i < hi[b]]++;
			}
			break;
		}
	}
	for (int b = 0; b < N_BLOCKS; b++) {
		sum += blocks[b][0];
		loads[hi[b] > 0 && !lo[b]]++;
	}
	fprintf(stderr, "%.0f\n", sum);
	printf("%llu %llu %llu %llu\n", loads[1], stores[1], loads[0], stores[0]);
	return 0;
}
