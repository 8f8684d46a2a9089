/*
 * Varied sums: checksums of what was made of inputs of chance, a line of a golden file each.
 */
#ifndef OMPP_VARIED_SUMS_H
#define OMPP_VARIED_SUMS_H

#include <stddef.h>
#include <stdint.h>

struct varied_sum {
	const char *what, *of; /* two words */
	uint64_t sum;
};

#define VARIED_SUM_START UINT64_C(0xcbf29ce484222325)

/* Returns the checksum (FNV-1a) of what was summed up so far and these bytes. */
uint64_t varied_sum_add(uint64_t sum, const void *bytes, size_t n_bytes);

void varied_sums_print(const struct varied_sum *sums, size_t n);

/* Compares with the file tests/golden/NAME of the sources, and says on stderr which lines differ.  Returns 0 when none
 * does. */
int varied_sums_compare(const struct varied_sum *sums, size_t n, const char *name);

#endif
