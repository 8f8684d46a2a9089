/* traced: kernels for tests/bench/instructions.sh: what a trace of pages and the cache model cost.  traced KERNEL N ROUNDS
 * prints a sum of what the kernel made.  Each is of the kind of a program's inner loops. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAPS = 7, ENTRIES = 12 };

struct pixel {
	unsigned char blue, green, red, opacity;
};

static double *a, *b;
static int *index_of, *first;
static struct pixel *from, *to;

/* random loads, of which each waits for nothing */
__attribute__((noinline)) static double gather(int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += a[(unsigned)i * 0x9E3779B9u % (unsigned)n];
	return sum;
}

/* counts keys, as sorting by numbers does */
__attribute__((noinline)) static double ranks(int n)
{
	static int count[1 << 16];

	for (int i = 0; i < n; i++)
		count[index_of[i] & 0xffff]++;
	for (int i = 1; i < 1 << 10; i++)
		count[i] += count[i - 1];
	return count[(1 << 10) - 1];
}

/* a sparse matrix by a vector: short rows */
__attribute__((noinline)) static double rows(int n)
{
	for (int i = 0; i < n / ENTRIES; i++) {
		double sum = 0;

		for (int k = first[i]; k < first[i + 1]; k++)
			sum += a[k] * b[index_of[k]];
		b[i] = sum * 1e-3;
	}
	return b[0];
}

/* seven points of a cube */
__attribute__((noinline)) static double points(int n)
{
	int m = 8;

	while ((m + 1) * (m + 1) * (m + 1) <= n)
		m++;
	for (int z = 1; z < m - 1; z++)
		for (int y = 1; y < m - 1; y++)
			for (int x = 1; x < m - 1; x++) {
				double *p = a + ((long)z * m + y) * m + x;

				b[p - a] = p[0] * 0.4 + (p[-1] + p[1] + p[-m] + p[m] + p[-m * m] + p[m * m]) * 0.1;
			}
	return b[n / 2];
}

/* blurs lines of pixels */
__attribute__((noinline)) static double pixels(int n)
{
	for (int i = TAPS; i < n - TAPS; i++) {
		double blue = 0, green = 0, red = 0;
		const struct pixel *p = from + i - TAPS / 2;

		for (int k = 0; k < TAPS; k++) {
			blue += a[k] * p[k].blue;
			green += a[k] * p[k].green;
			red += a[k] * p[k].red;
		}
		to[i] = (struct pixel){ (unsigned char)blue, (unsigned char)green, (unsigned char)red, p->opacity };
	}
	return to[n / 2].red;
}

/* goes up and down columns of pixels */
__attribute__((noinline)) static double columns(int n)
{
	int m = 8;

	while ((m + 1) * (m + 1) <= n)
		m++;
	for (int x = 0; x < m; x++)
		for (int y = 1; y < m - 1; y++) {
			const struct pixel *p = from + (long)y * m + x;

			to[(long)y * m + x].red = (unsigned char)((p[-m].red + 2 * p->red + p[m].red) / 4);
			to[(long)y * m + x].blue = (unsigned char)((p[-m].blue + 2 * p->blue + p[m].blue) / 4);
		}
	return to[n / 2].red;
}

static const struct {
	const char *name;
	double (*run)(int n);
} kernels[] = { { "gather", gather }, { "ranks", ranks }, { "rows", rows }, { "points", points }, { "pixels", pixels },
	        { "columns", columns } };

static void make(int n)
{
	unsigned state = 1;

	a = malloc(sizeof(*a) * (size_t)n);
	b = malloc(sizeof(*b) * (size_t)n);
	index_of = malloc(sizeof(*index_of) * (size_t)n);
	first = malloc(sizeof(*first) * (size_t)(n / ENTRIES + 1));
	from = malloc(sizeof(*from) * (size_t)n);
	to = malloc(sizeof(*to) * (size_t)n);
	for (int i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		a[i] = b[i] = 0.125;
		index_of[i] = (int)(state >> 8) % n;
		from[i] = to[i] = (struct pixel){ (unsigned char)i, (unsigned char)(i >> 3), (unsigned char)(state >> 24), 0 };
	}
	for (int i = 0; i <= n / ENTRIES; i++)
		first[i] = i * ENTRIES;
}

int main(int argc, char **argv)
{
	int n = argc == 4 ? atoi(argv[2]) : 0, rounds = argc == 4 ? atoi(argv[3]) : 0;
	double sum = 0;

	if (n < 1000)
		return 2;
	make(n);
#pragma pomp inst data(a, sizeof(*a) * n, "a")
#pragma pomp inst data(b, sizeof(*b) * n, "b")
	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		if (!strcmp(argv[1], kernels[i].name))
			for (int round = 0; round < rounds; round++)
				sum += kernels[i].run(n);
	printf("%g\n", sum);
	return 0;
}
