/*
 * Varied sums: checksums of what was made of inputs of chance, a line of a golden file each.
 */
#ifndef OMPP_VARIED_SUMS_H
#define OMPP_VARIED_SUMS_H

#include <stddef.h>
#include <stdint.h>

/* Where numbers in floating point are the same whoever compiles: nowhere are two operations made one. */
#if defined(__x86_64__) && !defined(__FMA__)
#define VARIED_HAS_FLOATS 1
#else
#define VARIED_HAS_FLOATS 0
#endif

struct varied_sum {
	const char *what, *of; /* two words */
	uint64_t sum;
};

#define VARIED_SUM_START UINT64_C(0xcbf29ce484222325)

/* Takes all from the environment that could have to do with what is made, and sets TZ, LC_ALL and srcdir.  Returns the
 * folder of the sources. */
const char *varied_start(void);

/* Returns the checksum (FNV-1a) of what was summed up so far and these bytes. */
uint64_t varied_sum_add(uint64_t sum, const void *bytes, size_t n_bytes);

/* The same for text, of which our own version, scripts and styles are left out; scripts that hold data are not.
 * is_rounded: numbers with a point or an exponent and more than six digits are rounded, as the last ones are those of
 * the library of mathematics. */
uint64_t varied_sum_add_text(uint64_t sum, const char *text, size_t n_bytes, int is_rounded);

void varied_sums_print(const struct varied_sum *sums, size_t n);

/* Compares with the file tests/golden/NAME.txt of the sources, and says on stderr which lines differ, and what to do.
 * Returns 0 when none does. */
int varied_sums_compare(const struct varied_sum *sums, size_t n, const char *name);

#endif
