/*
 * Varied sums: see varied_sums.h.
 */
#define _GNU_SOURCE
#include "tests/golden/varied_sums.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "runtime/base/array.h"

enum { ROUNDED_DIGITS = 6, MOST_NUMBER_BYTES = 63 };

const char *varied_start(void)
{
	static char sources[PATH_MAX];

	if (!realpath(getenv("srcdir") ? getenv("srcdir") : ".", sources) || clearenv())
		abort();
	setenv("srcdir", sources, 1);
	setenv("TZ", "UTC", 1);
	setenv("LC_ALL", "C", 1);
	return sources;
}

uint64_t varied_sum_add(uint64_t sum, const void *bytes, size_t n_bytes)
{
	const unsigned char *p = bytes;

	while (n_bytes--)
		sum = (sum ^ *p++) * UINT64_C(0x100000001b3);
	return sum;
}

/* Returns where the text goes on behind what begins here and is left out; `at` when nothing is. */
static const char *text_skip(const char *at, const char *end)
{
	static const char *const left_out[][2] = { { "ompp " PACKAGE_VERSION, "" },
		                                   { "kinst " PACKAGE_VERSION, "" },
		                                   { "(" PACKAGE_NAME ") " PACKAGE_VERSION, "" },
		                                   { "\"ompp\":\"" PACKAGE_VERSION "\"", "" },
		                                   { "<script>", "</script>" },
		                                   { "<style>", "</style>" } };

	for (size_t i = 0; i < OMPP_COUNT_OF(left_out); i++) {
		const char *begin = left_out[i][0], *close = left_out[i][1], *behind;
		size_t n = strlen(begin);

		if ((size_t)(end - at) < n || memcmp(at, begin, n) != 0)
			continue;
		behind = memmem(at + n, (size_t)(end - at) - n, close, strlen(close));
		return behind ? behind + strlen(close) : end;
	}
	return at;
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns how many bytes the number has that begins here.  is_long: it has a point or an exponent, and many digits. */
static size_t number_bytes(const char *at, const char *end, int *is_long)
{
	size_t n = 0, n_digits = 0;

	for (; n < MOST_NUMBER_BYTES && n < (size_t)(end - at); n++) {
		int is_sign = n && (at[n] == '-' || at[n] == '+') && at[n - 1] == 'e';

		if (!is_digit(at[n]) && at[n] != '.' && at[n] != 'e' && !is_sign)
			break;
		n_digits += (size_t)is_digit(at[n]);
	}
	*is_long = n_digits > ROUNDED_DIGITS && n_digits < n;
	return n;
}

/* A large number is rounded to a whole one, as it is printed without a point where it happens to be whole. */
static uint64_t add_rounded(uint64_t sum, const char *at, size_t n)
{
	char number[MOST_NUMBER_BYTES + 1], rounded[512];
	double value;

	memcpy(number, at, n);
	number[n] = '\0';
	value = strtod(number, NULL);
	if (value < 999999.5)
		n = (size_t)snprintf(rounded, sizeof(rounded), "%.*g", ROUNDED_DIGITS, value);
	else
		n = (size_t)snprintf(rounded, sizeof(rounded), "%.0f", value);
	return varied_sum_add(sum, rounded, n);
}

uint64_t varied_sum_add_text(uint64_t sum, const char *text, size_t n_bytes, int is_rounded)
{
	const char *at = text, *end = text + n_bytes;

	while (at < end) {
		const char *behind = text_skip(at, end);
		int is_long = 0;
		size_t n = is_rounded && is_digit(*at) ? number_bytes(at, end, &is_long) : 1;

		if (behind == at) {
			sum = is_long ? add_rounded(sum, at, n) : varied_sum_add(sum, at, n);
			behind = at + n;
		}
		at = behind;
	}
	return sum;
}

void varied_sums_print(const struct varied_sum *sums, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%s %s %016llx\n", sums[i].what, sums[i].of, (unsigned long long)sums[i].sum);
}

static const struct varied_sum *sum_find(const struct varied_sum *sums, size_t n, const char *what, const char *of)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(sums[i].what, what) && !strcmp(sums[i].of, of))
			return &sums[i];
	return NULL;
}

/* Says which lines of the file are not those of the sums, and returns the number of such lines and sums. */
static size_t compare_lines(const struct varied_sum *sums, size_t n, FILE *file)
{
	size_t n_known = 0, n_other = 0;
	unsigned long long sum;
	char what[64], of[64];

	while (fscanf(file, "%63s %63s %llx", what, of, &sum) == 3) {
		const struct varied_sum *now = sum_find(sums, n, what, of);

		n_known += now != NULL;
		if (now && now->sum == sum)
			continue;
		fprintf(stderr, "%s %s is %s\n", what, of, now ? "not what it was" : "no longer made");
		n_other++;
	}
	if (n_known < n)
		fprintf(stderr, "%zu lines are missing\n", n - n_known);
	return n_other + (n - n_known);
}

int varied_sums_compare(const struct varied_sum *sums, size_t n, const char *name)
{
	char path[PATH_MAX + 64];
	size_t n_other;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/golden/%s.txt", getenv("srcdir"), name);
	file = fopen(path, "r");
	n_other = file ? compare_lines(sums, n, file) : 1;
	if (file)
		fclose(file);
	if (n_other)
		fprintf(stderr,
		        "%s: %zu lines differ. If this is on purpose, run make update-golden. If not, compare what "
		        "tests/unit/test_%s lists and shows (see its first comment) with that of the build before.\n",
		        path, n_other, name);
	return n_other != 0;
}
