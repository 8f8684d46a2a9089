/*
 * Nearest: see nearest.h.  Optimal string alignment distance, three rows.
 */
#include "runtime/base/nearest.h"

#include <string.h>

#include "runtime/base/text.h"

enum { LONGEST = 63 };

static unsigned int nearest_least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int ompp_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	unsigned int rows[3][LONGEST + 1];
	size_t i, j;

	if (a_bytes > LONGEST || b_bytes > LONGEST)
		return (unsigned int)(a_bytes > b_bytes ? a_bytes : b_bytes);
	for (j = 0; j <= b_bytes; j++)
		rows[0][j] = (unsigned int)j;
	for (i = 1; i <= a_bytes; i++) {
		unsigned int *now = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];

		now[0] = (unsigned int)i;
		for (j = 1; j <= b_bytes; j++) {
			unsigned int differ = ompp_text_lower(a[i - 1]) != ompp_text_lower(b[j - 1]);

			now[j] = nearest_least(nearest_least(last[j], now[j - 1]) + 1, last[j - 1] + differ);
			if (i > 1 && j > 1 && ompp_text_lower(a[i - 1]) == ompp_text_lower(b[j - 2]) &&
			    ompp_text_lower(a[i - 2]) == ompp_text_lower(b[j - 1]))
				now[j] = nearest_least(now[j], before[j - 2] + 1);
		}
	}
	return rows[a_bytes % 3][b_bytes];
}

const char *ompp_nearest(const char *word, size_t word_bytes, const char *(*name)(size_t i), unsigned int most)
{
	const char *nearest = NULL, *candidate;
	unsigned int best = most + 1;
	size_t i;

	for (i = 0; (candidate = name(i)); i++) {
		unsigned int d = ompp_distance(word, word_bytes, candidate, strlen(candidate));

		if (d < best) {
			best = d;
			nearest = candidate;
		}
	}
	return nearest;
}
