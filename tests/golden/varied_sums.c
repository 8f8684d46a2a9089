/*
 * Varied sums: see varied_sums.h.
 */
#include "tests/golden/varied_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t varied_sum_add(uint64_t sum, const void *bytes, size_t n_bytes)
{
	const unsigned char *p = bytes;

	while (n_bytes--)
		sum = (sum ^ *p++) * UINT64_C(0x100000001b3);
	return sum;
}

void varied_sums_print(const struct varied_sum *sums, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%s %s %016llx\n", sums[i].what, sums[i].of, (unsigned long long)sums[i].sum);
}

int varied_sums_compare(const struct varied_sum *sums, size_t n, const char *name)
{
	char path[4096], what[64], of[64];
	unsigned long long sum;
	size_t i = 0, n_other = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/golden/%s", getenv("srcdir") ? getenv("srcdir") : ".", name);
	file = fopen(path, "r");
	for (; file && fscanf(file, "%63s %63s %llx", what, of, &sum) == 3; i++) {
		if (i < n && !strcmp(sums[i].what, what) && !strcmp(sums[i].of, of) && sums[i].sum == sum)
			continue;
		n_other++;
		fprintf(stderr, "%s: %s %s is not what it was\n", path, what, of);
	}
	if (!file || i != n)
		fprintf(stderr, "%s: %zu lines in place of %zu\n", path, i, n);
	if (file)
		fclose(file);
	return n_other || i != n;
}
