/*
 * Named blocks: blocks of several sizes, and an array, get names, are accessed, and lose them, in an order of chance.
 * Prints the loads and stores of what had a name then, and those of what had none.
 *
 * usage: named_blocks SEED WHAT      WHAT has names: 0 nothing, 1 whole blocks, 2 parts of blocks, 3 parts of blocks,
 *                                    and all of the array, by its own name, beside its parts
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <ompp.h>

enum { N_BLOCKS = 40, N_STEPS = 4000 };

static uint64_t seed;
static double fixed[3008]; /* one of the blocks */
double *block7;            /* has the name of a block, and is never accessed */

/* Of what was accessed in a block: [1] of what had a name, [0] of the rest. */
static unsigned long long loads[2], stores[2];

static void count(unsigned long long n[2], int is_named, int has_own)
{
	n[1] += (unsigned long long)is_named;
	n[0] += (unsigned long long)(!is_named || has_own);
}

static uint32_t dice(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % below;
}

int main(int argc, char **argv)
{
	double *blocks[N_BLOCKS], sum = 0;
	size_t n[N_BLOCKS], lo[N_BLOCKS] = { 0 }, hi[N_BLOCKS] = { 0 };
	int how = argc > 2 ? atoi(argv[2]) : 0;

	seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	for (int b = 0; b < N_BLOCKS; b++) {
		n[b] = 8 + dice(3000);
		blocks[b] = b ? calloc(n[b], sizeof(double)) : fixed;
		if (!blocks[b])
			return 1;
	}
	if (how == 3)
		ompp_data_begin(fixed, sizeof(fixed), "fixed");
	for (int step = 0; step < N_STEPS; step++) {
		uint32_t b = dice(N_BLOCKS), from = dice((uint32_t)n[b]), to = from + dice((uint32_t)n[b] - from) + 1;
		double *block = blocks[b];
		char name[16];

		snprintf(name, sizeof(name), "block%u", b);
		switch (dice(4)) {
		case 0:
			if (how) {
				lo[b] = how > 1 ? from : 0;
				hi[b] = how > 1 ? to : n[b];
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
				count(stores, lo[b] <= i && i < hi[b], how == 3 && !b);
			break;
		default:
			for (uint32_t i = from; i < to; i += 3)
				block[i] += 1;
			for (uint32_t i = from; i < to; i += 3) {
				count(loads, lo[b] <= i && i < hi[b], how == 3 && !b);
				count(stores, lo[b] <= i && i < hi[b], how == 3 && !b);
			}
			break;
		}
	}
	for (int b = 0; b < N_BLOCKS; b++) {
		sum += blocks[b][0];
		count(loads, hi[b] > 0 && !lo[b], how == 3 && !b);
	}
	fprintf(stderr, "%.0f\n", sum);
	printf("%llu %llu %llu %llu\n", loads[1], stores[1], loads[0], stores[0]);
	return 0;
}
