/*
 * Kernels for cachegrind.sh: single-threaded, and little else is touched.  Each argument names one to run.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N = 160, N_WORDS = 1 << 15, N_STEPS = 60000 };

/* Not static: a compiler would know that some are 0. */
double matrix[N][N], vector[N], result[N], other[N][N];
uint64_t words[N_WORDS];
char bytes[2 * N_WORDS];

static void rows(void)
{
	int i, j, k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < N; i++)
			for (j = 0; j < N; j++)
				result[i] += matrix[i][j] * vector[j];
}

static void columns(void)
{
	int i, j, k;

	for (k = 0; k < 2; k++)
		for (j = 0; j < N; j++)
			for (i = 0; i < N; i++)
				result[i] += matrix[i][j] * vector[j];
}

static void stencil(void)
{
	int i, j;

	for (i = 1; i < N - 1; i++)
		for (j = 1; j < N - 1; j++)
			other[i][j] = matrix[i][j] + matrix[i - 1][j] + matrix[i + 1][j] + matrix[i][j - 1] +
				matrix[i][j + 1];
}

static void transpose(void)
{
	int i, j;

	for (i = 0; i < N; i++)
		for (j = 0; j < N; j++)
			other[j][i] = matrix[i][j];
}

/* Random updates. */
static void histogram(void)
{
	uint64_t r = 88172645463325252u;
	int i;

	for (i = 0; i < N_STEPS; i++) {
		r ^= r << 13;
		r ^= r >> 7;
		r ^= r << 17;
		words[r % N_WORDS]++;
	}
}

/* Eight bytes at odd places: every eighth reaches over two lines. */
static void unaligned(void)
{
	uint64_t sum = 0, one;
	int i, k;

	for (k = 0; k < 8; k++)
		for (i = k; i + 8 < 2 * N_WORDS; i += 9) {
			memcpy(&one, bytes + i, 8);
			sum += one;
			memcpy(bytes + i, &sum, 8);
		}
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } kernels[] = {
		{ "rows", rows }, { "columns", columns }, { "stencil", stencil }, { "transpose", transpose },
		{ "histogram", histogram }, { "unaligned", unaligned },
	};
	size_t i;
	int j;

	for (j = 1; j < argc; j++)
		for (i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
			if (!strcmp(argv[j], kernels[i].name))
				kernels[i].run();
	return 0;
}
