/*
 * repeat: columns of matrices, walked one after the other, so that many loops come to the same lines as the loop before;
 * between them come no line, a few lines or many, the same ones each time or others.  Memory is at fixed addresses.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

enum { BYTES = 1 << 22 };

static float *a;      /* the matrix */
static double *b;     /* another one */
static uint64_t *gap; /* what is between */

static void *at(uintptr_t address)
{
	return mmap((void *)address, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
	            -1, 0);
}

/* Touches n_lines lines, which are others after a while; each second time only with `odd`. */
static __attribute__((noinline)) void between(int n_lines, int j, int odd)
{
	for (int i = 0; i < n_lines && (!odd || j % 2); i++)
		gap[i * 8 * 17 + j / 11 * 8] += (uint64_t)j;
}

static __attribute__((noinline)) double columns(int first, int n, int n_rows, int row, int n_lines, int odd)
{
	double sum = 0;

	for (int j = first; j < first + n; j++) {
		for (int i = 0; i < n_rows; i++)
			sum += (double)a[i * row + j];
		between(n_lines, j, odd);
	}
	return sum;
}

/* A row with each column of the same object, and a sum that is stored. */
static __attribute__((noinline)) void products(int n, int n_rows, int row)
{
	for (int j = 0; j < n; j++) {
		double sum = 0;

		for (int i = 0; i < n_rows; i++)
			sum += (double)(a[3 * row + i] * a[i * row + j]);
		b[BYTES / 16 + j] = sum;
	}
}

/* Columns of another object, some of them from last to first. */
static __attribute__((noinline)) double turned(int n, int n_rows, int row)
{
	double sum = 0;

	for (int k = 0; k < 16; k++)
		for (int j = 0; j < n; j++)
			if (k == 9)
				for (int i = n_rows; i > 0; i--)
					sum += b[i * row + j];
			else
				for (int i = 0; i < n_rows; i++)
					sum += b[i * row + j];
	return sum;
}

/* Two columns of one object, and one that goes backwards and is stored. */
static __attribute__((noinline)) void pairs(int n, int n_rows, int row)
{
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n_rows; i++)
			a[(n_rows - i) * row + 40 + j] = a[i * row + j] + (float)b[i * row + j / 2];
}

/* A name begins and ends between columns. */
static __attribute__((noinline)) double named(int n, int n_rows, int row)
{
	double sum = 0;

	for (int j = 0; j < n; j++) {
		if (j % 10 == 7) {
#pragma pomp inst begin(name)
#pragma pomp inst data(a + row, 400, "inside")
			sum += columns(j, 9, n_rows, row, 1, 0);
#pragma pomp inst end(name)
		}
		sum += columns(j, 1, n_rows, row, 1, 0);
	}
	return sum;
}

/* Once there is a name more between columns. */
static __attribute__((noinline)) double renamed(int n, int n_rows, int row)
{
	double sum = 0;

	for (int j = 0; j < n; j++) {
		if (j == n / 2 + 3) {
#pragma pomp inst data(a + 2 * row, 100, "later")
		}
		for (int i = 0; i < n_rows; i++)
			sum += (double)a[i * row + j];
	}
	return sum;
}

int main(void)
{
	static const int rows[] = { 16, 20, 48, 64, 250, 256, 1040 };
	double sum = 0;

	a = at(0x10000000);
	b = at(0x20000000);
	gap = at(0x30000000);
#pragma pomp inst data(a, BYTES, "a")
#pragma pomp inst data(b, BYTES, "b")
#pragma pomp inst data(gap, BYTES, "gap")
	/* with one step that most misses have */
#pragma pomp inst begin(products)
	products(64, 200, 256);
#pragma pomp inst end(products)
#pragma pomp inst begin(turned)
	sum += turned(64, 200, 256);
#pragma pomp inst end(turned)
	for (int i = 0; i < (int)(sizeof(rows) / sizeof(*rows)); i++) {
		int n_most = BYTES / 8 / rows[i] - 2;

		for (int n_rows = 5; n_rows < 300 && n_rows < n_most; n_rows = n_rows * 7 / 3) {
			for (int n_lines = 0; n_lines < 7; n_lines++)
				sum += columns(n_lines, 40, n_rows, rows[i], n_lines, n_lines == 2);
			products(40, n_rows, rows[i]);
			sum += turned(40, n_rows, rows[i]);
			pairs(40, n_rows, rows[i]);
			sum += named(40, n_rows, rows[i]) + renamed(40, n_rows, rows[i]);
		}
	}
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 8; i++)
		sum += columns(i, 20, 100, 256, 1, 0);
	printf("%.17g\n", sum);
	return 0;
}
