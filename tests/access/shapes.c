/*
 * shapes: kernels of the shapes that programs have, for which nothing was tuned: shapes KERNEL N ROUNDS.  With POOL in
 * the environment their data lie in static arrays, which OMPP_DATA_NAME names; else in blocks of memory.
 */
#include <complex.h>
#include <ctype.h>
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

enum { POOL_BYTES = 1 << 20, LARGE = 4096 };
char pool_of_nodes[POOL_BYTES], pool_1[POOL_BYTES], pool_2[POOL_BYTES], pool_3[POOL_BYTES], pool_4[POOL_BYTES],
	pool_5[POOL_BYTES], pool_6[POOL_BYTES], pool_7[POOL_BYTES];

/* Returns memory of a pool: a large block at the begin of its own, a small one behind those before. */
static void *pooled(size_t n_bytes)
{
	static char *pools[] = { pool_1, pool_2, pool_3, pool_4, pool_5, pool_6, pool_7 };
	static size_t n_pools, n_nodes;
	char *p = pool_of_nodes + n_nodes;

	if (n_bytes < LARGE && n_nodes + n_bytes <= POOL_BYTES) {
		n_nodes += (n_bytes + 15) & ~(size_t)15;
		return p;
	}
	if (n_bytes > POOL_BYTES || n_pools == sizeof(pools) / sizeof(*pools))
		exit(1);
	return pools[n_pools++];
}

/* Returns zeroed memory.  It is part of who calls it, so that each of these allocates an object of its own. */
static inline __attribute__((always_inline)) void *block(size_t n_bytes)
{
	void *p = getenv("POOL") ? pooled(n_bytes) : malloc(n_bytes);

	if (!p)
		exit(1);
	memset(p, 0, n_bytes);
	return p;
}

/* Returns how many words of a block the program may use that asked for n_bytes: with the C library some more than it
 * asked for, which are in its grain, or in the next one. */
static size_t words_of(void *p, size_t n_bytes)
{
	size_t n_most = (n_bytes + 8 + 15) / 16 * 16 - 8, n = malloc_usable_size(p);

	return (n < n_most ? n : n_most) / sizeof(long);
}

static uint32_t chance(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* ---- nodes ---- */

struct node {
	struct node *next;
	long value;
	double weight;
};

static double list(size_t n, int rounds)
{
	struct node **all = block(n * sizeof(*all)), *head = NULL;
	uint32_t state = 7;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		all[i] = block(sizeof(**all));
		all[i]->value = (long)i;
	}
	for (size_t i = n; i-- > 0;) {
		size_t k = chance(&state) % (i + 1);
		struct node *p = all[i];

		all[i] = all[k];
		all[k] = p;
		all[i]->next = head;
		head = all[i];
	}
	for (int r = 0; r < rounds; r++)
		for (struct node *p = head; p; p = p->next) {
			p->weight += 1;
			if (p->value % 7 == r % 7)
				sum += p->weight;
		}
	return sum;
}

/* Returns how often it stores in its blocks. */
static double usable(size_t n, int rounds)
{
	long **all = block(n * sizeof(*all));
	size_t n_stores = 0;

	for (size_t i = 0; i < n; i++) {
		size_t n_bytes = 24 + i % 5 * 8, n_words;

		all[i] = malloc(n_bytes);
		n_words = words_of(all[i], n_bytes);
		for (size_t k = 0; k < n_words; k++)
			all[i][k] = (long)k;
		n_stores += n_words;
	}
	for (int r = 0; r < rounds; r++)
		for (size_t i = 0; i < n; i++) {
			size_t n_words = words_of(all[i], 24 + i % 5 * 8);

			for (size_t k = 0; k < n_words; k++)
				all[i][k] += r;
			n_stores += n_words;
		}
	return (double)n_stores;
}

struct tree {
	struct tree *left, *right;
	unsigned int key, n;
};

static struct tree *put(struct tree *t, unsigned int key)
{
	if (!t) {
		t = block(sizeof(*t));
		t->key = key;
	}
	if (key < t->key)
		t->left = put(t->left, key);
	else if (key > t->key)
		t->right = put(t->right, key);
	else
		t->n++;
	return t;
}

static double sum_of(const struct tree *t)
{
	return t ? t->key * (double)t->n + sum_of(t->left) + sum_of(t->right) : 0;
}

static double tree(size_t n, int rounds)
{
	struct tree *root = NULL;
	uint32_t state = 5;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		root = put(root, chance(&state) & 0xffff);
	for (int r = 0; r < rounds; r++)
		sum += sum_of(root);
	return sum;
}

/* Places queens on a board of at most ten columns, row by row. */
static int board[16];

static int placed(int n, int row)
{
	int sum = 0;

	if (row == n)
		return 1;
	for (int x = 0; x < n; x++) {
		int y = 0;

		while (y < row && board[y] != x && board[y] - x != y - row && board[y] - x != row - y)
			y++;
		if (y == row) {
			board[row] = x;
			sum += placed(n, row + 1);
		}
	}
	return sum;
}

static double queens(size_t n, int rounds)
{
	double sum = 0;

	for (int r = 0; r < rounds; r++)
		sum += placed((int)(n % 11), 0);
	return sum;
}

/* ---- rows by pointers ---- */

static double life(size_t n, int rounds)
{
	unsigned char **a = block(n * sizeof(*a)), **b = block(n * sizeof(*b)), **t;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		a[i] = block(n);
		b[i] = block(n);
		for (size_t k = 0; k < n; k++)
			a[i][k] = (i * k + k) % 3 == 0;
	}
	for (int r = 0; r < rounds; r++, t = a, a = b, b = t)
#pragma omp parallel for schedule(guided)
		for (size_t i = 1; i < n - 1; i++)
			for (size_t k = 1; k < n - 1; k++) {
				int c = a[i - 1][k - 1] + a[i - 1][k] + a[i - 1][k + 1] + a[i][k - 1] + a[i][k + 1] +
				        a[i + 1][k - 1] + a[i + 1][k] + a[i + 1][k + 1];

				if (a[i][k])
					b[i][k] = c == 2 || c == 3;
				else if (c == 3)
					b[i][k] = 1;
				else
					b[i][k] = 0;
			}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			sum += a[i][k];
	return sum;
}

static double rows(size_t n, int rounds)
{
	double **a = block(n * sizeof(*a)), **b = block(n * sizeof(*b)), sum = 0;

	for (size_t i = 0; i < n; i++) {
		a[i] = block(56 * sizeof(double));
		b[i] = block(56 * sizeof(double));
		for (size_t k = 0; k < 56; k++)
			a[i][k] = (double)(i * k % 13);
	}
	for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
		for (size_t i = 1; i < n - 1; i++)
			for (size_t k = 1; k < 55; k++)
				b[i][k] = 0.25 * (a[i - 1][k] + a[i + 1][k] + a[i][k - 1] + a[i][k + 1]);
#pragma omp parallel for
		for (size_t i = 1; i < n - 1; i++)
			for (size_t k = 1; k < 55; k++)
				a[i][k] = 0.5 * (a[i][k] + b[i][k]);
	}
	for (size_t i = 0; i < n; i++)
		sum += a[i][i % 56];
	return sum;
}

/* ---- indices that are data ---- */

static double gather(size_t n, int rounds)
{
	double *a = block(n * sizeof(*a)), *b = block(n * sizeof(*b)), sum = 0;
	uint32_t *at = block(n * sizeof(*at)), state = 1;

	for (size_t i = 0; i < n; i++) {
		a[i] = (double)i;
		at[i] = chance(&state) % (uint32_t)n;
	}
	for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
		for (size_t i = 0; i < n; i++)
			b[i] = a[at[i]] * 1.5 + b[i] * 0.25;
		sum += b[(size_t)r % n];
	}
	return sum;
}

/* Rows of no to eight elements. */
static double ragged(size_t n, int rounds)
{
	int *length = block(n * sizeof(*length)), *first = block((n + 1) * sizeof(*first));
	double *value = block(8 * n * sizeof(*value)), *out = block(n * sizeof(*out)), sum = 0;
	uint32_t state = 3;

	for (size_t i = 0; i < n; i++) {
		length[i] = (int)(chance(&state) >> 8) % 9;
		first[i + 1] = first[i] + length[i];
	}
	for (int i = 0; i < first[n] && i < (int)(8 * n); i++)
		value[i] = i % 13;
	for (int r = 0; r < rounds; r++) {
#pragma omp parallel for schedule(dynamic, 100)
		for (size_t i = 0; i < n; i++) {
			double x = 0;

			for (int k = 0; k < length[i]; k++)
				x += value[first[i] + k];
			out[i] = x;
		}
		sum += out[(size_t)r % n];
	}
	return sum;
}

/* Solves a triangular system with eight elements a row, anywhere. */
static double solve(size_t n, int rounds)
{
	int *first = block((n + 1) * sizeof(*first)), *column = block(8 * n * sizeof(*column)), n_all = 0;
	double *value = block(8 * n * sizeof(*value)), *x = block(n * sizeof(*x)), *diagonal = block(n * sizeof(*x)),
	       sum = 0;
	uint32_t state = 1;

	for (size_t i = 0; i < n; i++) {
		first[i] = n_all;
		diagonal[i] = 4;
		for (size_t k = 0; k < 8 && k < i; k++) {
			column[n_all] = (int)(chance(&state) % (uint32_t)i);
			value[n_all++] = 0.1;
		}
	}
	first[n] = n_all;
	for (int r = 0; r < rounds; r++) {
		for (size_t i = 0; i < n; i++) {
			double y = (double)(i % 7);

			for (int k = first[i]; k < first[i + 1]; k++)
				y -= value[k] * x[column[k]];
			x[i] = y / diagonal[i];
		}
		sum += x[n - 1 - (size_t)r % n];
	}
	return sum;
}

static double walk(size_t n, int rounds)
{
	uint32_t *next = block(n * sizeof(*next));
	unsigned char *length = block(n);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		next[i] = (uint32_t)((i * 2654435761u >> 7) % n);
	for (int r = 0; r < rounds; r++) {
		size_t end = 0;
#pragma omp parallel for reduction(+ : sum)
		for (size_t i = 0; i < n; i++) {
			size_t k = i;
			int c = 0;

			while (c < 60 && (next[k] & 15) != 3) {
				k = next[k];
				c++;
			}
			sum += c;
			length[i] = (unsigned char)c;
		}
		while (end < n - 1 && length[end] != 200)
			end++;
		sum += (double)end;
	}
	return sum;
}

/* ---- integers, bits and bytes ---- */

static void quick(int *a, long lo, long hi)
{
	while (lo < hi) {
		int middle = a[(lo + hi) / 2];
		long i = lo, k = hi;

		while (i <= k) {
			while (a[i] < middle)
				i++;
			while (a[k] > middle)
				k--;
			if (i <= k) {
				int t = a[i];

				a[i++] = a[k];
				a[k--] = t;
			}
		}
		if (k - lo < hi - i) {
			quick(a, lo, k);
			lo = i;
		} else {
			quick(a, i, hi);
			hi = k;
		}
	}
}

static void sink(int *a, long at, long n)
{
	for (long child = 2 * at + 1; child < n; at = child, child = 2 * at + 1) {
		int t = a[at];

		if (child + 1 < n && a[child] < a[child + 1])
			child++;
		if (t >= a[child])
			break;
		a[at] = a[child];
		a[child] = t;
	}
}

static void heap(int *a, long n)
{
	for (long i = n / 2; i-- > 0;)
		sink(a, i, n);
	for (long end = n - 1; end > 0; end--) {
		int t = a[0];

		a[0] = a[end];
		a[end] = t;
		sink(a, 0, end);
	}
}

static void merge(int *a, int *b, long n)
{
	for (long width = 1; width < n; width *= 2) {
		for (long lo = 0; lo < n; lo += 2 * width) {
			long m = lo + width < n ? lo + width : n, hi = lo + 2 * width < n ? lo + 2 * width : n;
			long i = lo, k = m, to = lo;

			while (i < m && k < hi)
				b[to++] = a[i] <= a[k] ? a[i++] : a[k++];
			while (i < m)
				b[to++] = a[i++];
			while (k < hi)
				b[to++] = a[k++];
		}
		memcpy(a, b, (size_t)n * sizeof(*a));
	}
}

static void radix(int *a, int *b, long n)
{
	for (int shift = 0; shift < 32; shift += 8) {
		unsigned int first[257] = { 0 };
		int *t = a;

		for (long i = 0; i < n; i++)
			first[((unsigned int)a[i] >> shift & 255) + 1]++;
		for (int i = 0; i < 256; i++)
			first[i + 1] += first[i];
		for (long i = 0; i < n; i++)
			b[first[(unsigned int)a[i] >> shift & 255]++] = a[i];
		a = b;
		b = t;
	}
}

static double sort(char kind, size_t n, int rounds)
{
	int *a = block(n * sizeof(*a)), *b = block(n * sizeof(*b));
	uint32_t state = 1;
	double sum = 0;

	for (int r = 0; r < rounds; r++) {
		for (size_t i = 0; i < n; i++)
			a[i] = (int)chance(&state);
		if (kind == 'q')
			quick(a, 0, (long)n - 1);
		else if (kind == 'h')
			heap(a, (long)n);
		else if (kind == 'm')
			merge(a, b, (long)n);
		else
			radix(a, b, (long)n);
		for (size_t i = 1; i < n; i++)
			sum += a[i - 1] <= a[i];
	}
	return sum;
}

static double sort_quick(size_t n, int rounds)
{
	return sort('q', n, rounds);
}

static double sort_heap(size_t n, int rounds)
{
	return sort('h', n, rounds);
}

static double sort_merge(size_t n, int rounds)
{
	return sort('m', n, rounds);
}

static double sort_radix(size_t n, int rounds)
{
	return sort('r', n, rounds);
}

/* A sieve by bits, and a checksum by a table on the stack. */
static double bits(size_t n, int rounds)
{
	uint64_t *sieve = block((n + 63) / 64 * sizeof(*sieve));
	const unsigned char *bytes = (const unsigned char *)sieve;
	uint32_t table[256], crc = ~0u;
	double sum = 0;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int k = 0; k < 8; k++)
			table[i] = table[i] & 1 ? 0xEDB88320u ^ table[i] >> 1 : table[i] >> 1;
	}
	for (int r = 0; r < rounds; r++) {
		for (size_t i = 0; i < n / 64; i++)
			sieve[i] = ~UINT64_C(0);
		for (size_t p = 2; p * p < n; p++)
			if (sieve[p >> 6] >> (p & 63) & 1)
				for (size_t q = p * p; q < n; q += p)
					sieve[q >> 6] &= ~(UINT64_C(1) << (q & 63));
#pragma omp parallel for reduction(+ : sum)
		for (size_t i = 0; i < n / 64; i++)
			sum += __builtin_popcountll(sieve[i]);
		for (size_t i = 0; i < n / 8; i++)
			crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
	}
	return sum + crc;
}

/* A histogram for each thread, and a table that is looked up. */
static double histogram(size_t n, int rounds)
{
	unsigned char *image = block(n);
	uint32_t state = 1;
	long all[256];
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		image[i] = (unsigned char)(chance(&state) >> 16);
	for (int r = 0; r < rounds; r++) {
		unsigned char look_up[256];
		long upto = 0;

		memset(all, 0, sizeof(all));
#pragma omp parallel
		{
			long mine[256] = { 0 };
#pragma omp for nowait
			for (size_t i = 0; i < n; i++)
				mine[image[i]]++;
#pragma omp critical
			for (int k = 0; k < 256; k++)
				all[k] += mine[k];
		}
		for (int k = 0; k < 256; k++) {
			upto += all[k];
			look_up[k] = (unsigned char)(255 * upto / (long)n);
		}
#pragma omp parallel for
		for (size_t i = 0; i < n; i++)
			image[i] = look_up[image[i]] ^ (unsigned char)r;
		sum += image[(size_t)r % n];
	}
	return sum;
}

static int distance(const char *a, const char *b, int *row)
{
	int m = (int)strlen(a), n = (int)strlen(b);

	for (int k = 0; k <= n; k++)
		row[k] = k;
	for (int i = 1; i <= m; i++) {
		int above = row[0];

		row[0] = i;
		for (int k = 1; k <= n; k++) {
			int here = row[k], least = above + (a[i - 1] != b[k - 1]);

			if (row[k - 1] + 1 < least)
				least = row[k - 1] + 1;
			if (here + 1 < least)
				least = here + 1;
			row[k] = least;
			above = here;
		}
	}
	return row[n];
}

/* Words of a text, and how far parts of it are from each other. */
static double words(size_t n, int rounds)
{
	char *text = block(n + 1), a[128], b[128];
	uint32_t state = 1, hash = 0;
	double sum = 0;
	int row[160];

	for (size_t i = 0; i < n; i++) {
		uint32_t x = (chance(&state) >> 16) % 30;

		text[i] = (char)(x < 26 ? 'a' + (int)x : ' ');
	}
	for (int r = 0; r < rounds; r++) {
		char *p = text;

		while (*p) {
			while (*p && *p == ' ')
				p++;
			sum += *p != 0;
			while (*p && *p != ' ') {
				hash = hash * 31 + (uint32_t)*p;
				p++;
			}
		}
		memcpy(a, text + r, 99);
		memcpy(b, text + 2 * r + 50, 99);
		a[99] = b[99] = 0;
		sum += distance(a, b, row);
	}
	return sum + hash;
}

/* ---- arrays ---- */

struct bodies {
	float *x, *y, *z, *vx, *mass;
	int n;
};

static void step(struct bodies *p, float dt)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < p->n; i++) {
		float sum = 0, x = p->x[i], y = p->y[i], z = p->z[i];

		for (int k = 0; k < p->n; k++) {
			float dx = p->x[k] - x, dy = p->y[k] - y, dz = p->z[k] - z,
			      r = dx * dx + dy * dy + dz * dz + 0.01f;

			sum += p->mass[k] / (r * sqrtf(r)) * dx;
		}
		p->vx[i] += sum * dt;
	}
	for (int i = 0; i < p->n; i++)
		p->x[i] += p->vx[i] * dt;
}

static double bodies(size_t n, int rounds)
{
	struct bodies p = { .n = (int)n };
	float **part[] = { &p.x, &p.y, &p.z, &p.vx, &p.mass };
	double sum = 0;

	for (size_t k = 0; k < sizeof(part) / sizeof(*part); k++) {
		*part[k] = block(n * sizeof(float));
		for (size_t i = 0; i < n; i++)
			(*part[k])[i] = (float)(i * (k + 3) % 97) * 0.01f;
	}
	for (int r = 0; r < rounds; r++)
		step(&p, 0.001f);
	for (size_t i = 0; i < n; i++)
		sum += p.x[i];
	return sum;
}

static void transform(double complex *a, size_t n, const double complex *root)
{
	for (size_t i = 1, k = 0; i < n; i++) {
		size_t bit = n >> 1;

		for (; k & bit; bit >>= 1)
			k ^= bit;
		k ^= bit;
		if (i < k) {
			double complex t = a[i];

			a[i] = a[k];
			a[k] = t;
		}
	}
	for (size_t length = 2; length <= n; length *= 2)
		for (size_t i = 0; i < n; i += length)
			for (size_t k = 0; k < length / 2; k++) {
				double complex u = a[i + k], x = a[i + k + length / 2], y = root[k * (n / length)], v;

				v = creal(x) * creal(y) - cimag(x) * cimag(y) +
				    (creal(x) * cimag(y) + cimag(x) * creal(y)) * I;
				a[i + k] = u + v;
				a[i + k + length / 2] = u - v;
			}
}

/* Four transforms of n elements, n a power of two. */
static double butterfly(size_t n, int rounds)
{
	double complex *a = block(4 * n * sizeof(*a)), *root = block(n * sizeof(*root));

	for (size_t i = 0; i < n; i++)
		root[i] = cexp(-2 * 3.14159265358979 * I * (double)i / (double)n);
	for (size_t i = 0; i < 4 * n; i++)
		a[i] = (double)(i % 17);
	for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
		for (size_t k = 0; k < 4; k++)
			transform(a + k * n, n, root);
		for (size_t i = 0; i < 4 * n; i++)
			a[i] /= (double)n;
	}
	return cabs(a[0]) + cabs(a[n]);
}

static int paths[96][96];

/* Shortest paths, what fits into a sack, and an elimination with pivots. */
static double table(size_t n, int rounds)
{
	int size = n < 96 ? (int)n : 96, most = 50 * size, *best = block(((size_t)most + 1) * sizeof(*best));
	double *a = block((size_t)(size * size) * sizeof(*a)), sum = 0;
	uint32_t state = 3;

	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < size; i++)
			for (int k = 0; k < size; k++) {
				paths[i][k] = (int)(chance(&state) % 1000) + 1;
				a[i * size + k] = chance(&state) % 1000 / 100.0;
			}
		for (int m = 0; m < size; m++)
#pragma omp parallel for
			for (int i = 0; i < size; i++)
				for (int k = 0; k < size; k++)
					if (paths[i][m] + paths[m][k] < paths[i][k])
						paths[i][k] = paths[i][m] + paths[m][k];
		for (int item = 0; item < size; item++) {
			int weight = item * 7 % 50 + 1, value = item * 13 % 97 + 1;

			for (int c = most; c >= weight; c--)
				if (best[c - weight] + value > best[c])
					best[c] = best[c - weight] + value;
		}
		for (int m = 0; m < size; m++) {
			int pivot = m;

			for (int i = m + 1; i < size; i++)
				if (fabs(a[i * size + m]) > fabs(a[pivot * size + m]))
					pivot = i;
			for (int k = 0; k < size && pivot != m; k++) {
				double t = a[pivot * size + k];

				a[pivot * size + k] = a[m * size + k];
				a[m * size + k] = t;
			}
			for (int i = m + 1; i < size; i++) {
				double f = a[i * size + m] /= a[m * size + m];

				for (int k = m + 1; k < size; k++)
					a[i * size + k] -= f * a[m * size + k];
			}
		}
		sum += paths[7 % size][11 % size] + best[most] + a[size * size - 1];
	}
	return sum;
}

/* ---- all ---- */

typedef double kernel(size_t n, int rounds);

static kernel *find(const char *name)
{
	static struct { /* not constant, as constants are counted elsewhere */
		char name[12];
		kernel *run;
	} all[] = {
		{ "bits", bits },
		{ "bodies", bodies },
		{ "butterfly", butterfly },
		{ "gather", gather },
		{ "histogram", histogram },
		{ "life", life },
		{ "list", list },
		{ "queens", queens },
		{ "ragged", ragged },
		{ "rows", rows },
		{ "solve", solve },
		{ "sort_heap", sort_heap },
		{ "sort_merge", sort_merge },
		{ "sort_quick", sort_quick },
		{ "sort_radix", sort_radix },
		{ "table", table },
		{ "tree", tree },
		{ "usable", usable },
		{ "walk", walk },
		{ "words", words },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, name))
			return all[i].run;
	exit(1);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 1;
	printf("%.9g\n", find(argv[1])((size_t)atol(argv[2]), atoi(argv[3])));
	return 0;
}
