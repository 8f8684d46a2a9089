/*
 * samples_levels: loads whose levels of memory are known.
 * Usage: samples_levels chase KIBIBYTES… | flushed | kernels
 *   chase    goes through that much memory from line to line in random order; the objects' names are the sizes
 *   flushed  loads lines that were just flushed from all caches, each in a page of its own, and in no order that a
 *            processor could guess; their addresses do not depend on the loads
 *   kernels  a stream, a matrix by rows and by columns, and random loads from much memory, one after the other
 * samples_levels_setup.c, which has no hooks, fills the memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ompp.h>

enum { STEPS = 400000, ROWS = 2048, COLUMNS = 4104, BIG = 1 << 26, LINES = 2048, APART = 520, ROUNDS = 100 };

void **make_chain(size_t n_bytes);
double *make_numbers(size_t n);
void flush(const void *p, size_t n_bytes);

static int chase(const char *size)
{
	size_t n_bytes = strtoul(size, NULL, 10) * 1024;
	void **chain = make_chain(n_bytes);

	if (!chain)
		return 1;
	ompp_data_begin(chain, n_bytes, size);
	for (int i = 0; i < STEPS; i++)
		chain = *chain;
	printf("%s %d\n", size, chain != NULL);
	return 0;
}

static int flushed(void)
{
	double *p = make_numbers(LINES * APART), sum = 0;
	unsigned int x = 1;

	if (!p)
		return 1;
	ompp_data_begin(p, LINES * APART * sizeof(double), "flushed");
	for (int round = 0; round < ROUNDS; round++) {
		flush(p, LINES * APART * sizeof(double));
		for (int i = 0; i < LINES; i++) {
			x = (x * 10245 + 12345) & (LINES - 1);
			sum += p[x * APART];
		}
	}
	printf("flushed %g\n", sum);
	return 0;
}

static double stream(const double *p)
{
	double sum = 0;

	for (int i = 0; i < ROWS * COLUMNS; i++)
		sum += p[i];
	return sum;
}

static double by_rows(const double *p)
{
	double sum = 0;

	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			sum += p[i * COLUMNS + j];
	return sum;
}

static double by_columns(const double *p)
{
	double sum = 0;

	for (int j = 0; j < COLUMNS; j++)
		for (int i = 0; i < ROWS; i++)
			sum += p[i * COLUMNS + j];
	return sum;
}

static double gather(const double *p)
{
	unsigned long x = 1;
	double sum = 0;

	for (int i = 0; i < BIG / 32; i++) {
		x = x * 6364136223846793005ul + 1442695040888963407ul;
		sum += p[x >> 32 & (BIG - 1)];
	}
	return sum;
}

static int kernels(void)
{
	static const struct {
		const char *name;
		size_t n;
		double (*run)(const double *);
	} all[] = { { "stream", (size_t)ROWS * COLUMNS, stream },
		    { "rows", (size_t)ROWS * COLUMNS, by_rows },
		    { "columns", (size_t)ROWS * COLUMNS, by_columns },
		    { "gather", BIG, gather } };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		double *p = make_numbers(all[i].n);

		if (!p)
			return 1;
		ompp_data_begin(p, all[i].n * sizeof(double), all[i].name);
		printf("%s %g\n", all[i].name, all[i].run(p));
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "kernels"))
		return kernels();
	if (argc > 1 && !strcmp(argv[1], "flushed"))
		return flushed();
	for (int i = 2; i < argc; i++)
		if (chase(argv[i]))
			return 1;
	return 0;
}
