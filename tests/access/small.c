/*
 * small: kernels whose data are blocks of some bytes to some hundred bytes, or have no name: small KERNEL N ROUNDS.
 * They have no static data, which OMPP_OBJECT_MIN would name, too.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int chance(unsigned int *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void *block(size_t n_bytes)
{
	void *p = malloc(n_bytes);

	if (!p)
		exit(1);
	return p;
}

/* ---- a list of nodes, shuffled ---- */

struct node {
	struct node *next;
	long value;
	double weight;
};

static double list(size_t n, int rounds)
{
	struct node **all = block(n * sizeof(*all)), *head = NULL, *p;
	unsigned int state = 7;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		all[i] = malloc(sizeof(**all));
		all[i]->value = (long)i;
		all[i]->weight = (double)i;
	}
	for (size_t i = n; i-- > 0;) {
		size_t k = chance(&state) % (i + 1);

		p = all[i];
		all[i] = all[k];
		all[k] = p;
		all[i]->next = head;
		head = all[i];
	}
	for (int r = 0; r < rounds; r++)
		for (p = head; p; p = p->next) {
			p->weight += 1;
			if (p->value == r)
				sum += p->weight;
		}
	while (head) {
		p = head->next;
		free(head);
		head = p;
	}
	free(all);
	return sum;
}

/* ---- rows that are blocks of their own ---- */

static double rows(size_t n, int rounds)
{
	double **a = block(n * sizeof(*a)), **b = block(n * sizeof(*b)), sum = 0;

	for (size_t i = 0; i < n; i++) {
		a[i] = malloc(56 * sizeof(double));
		b[i] = malloc(56 * sizeof(double));
		for (size_t k = 0; k < 56; k++) {
			a[i][k] = (double)(i * k % 13);
			b[i][k] = 0;
		}
	}
	for (int r = 0; r < rounds; r++) {
		for (size_t i = 1; i + 1 < n; i++)
			for (size_t k = 1; k < 55; k++)
				b[i][k] = 0.25 * (a[i - 1][k] + a[i + 1][k] + a[i][k - 1] + a[i][k + 1]);
		for (size_t i = 1; i + 1 < n; i++)
			for (size_t k = 1; k < 55; k++)
				a[i][k] = 0.5 * (a[i][k] + b[i][k]);
	}
	for (size_t i = 0; i < n; i++) {
		sum += a[i][i % 56];
		free(a[i]);
		free(b[i]);
	}
	free(a);
	free(b);
	return sum;
}

/* Rows of bytes, which are loaded anew behind each store, as it might have changed them. */
static double cells(size_t n, int rounds)
{
	unsigned char **a = block(n * sizeof(*a)), **b = block(n * sizeof(*b)), **t;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		a[i] = malloc(n);
		b[i] = malloc(n);
		for (size_t k = 0; k < n; k++) {
			a[i][k] = (i * k + k) % 3 == 0;
			b[i][k] = 0;
		}
	}
	for (int r = 0; r < rounds; r++, t = a, a = b, b = t)
		for (size_t i = 1; i + 1 < n; i++)
			for (size_t k = 1; k + 1 < n; k++) {
				int c = a[i - 1][k - 1] + a[i - 1][k] + a[i - 1][k + 1] + a[i][k - 1] + a[i][k + 1] +
				        a[i + 1][k - 1] + a[i + 1][k] + a[i + 1][k + 1];

				if (a[i][k])
					b[i][k] = c == 2 || c == 3;
				else
					b[i][k] = c == 3;
			}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			sum += a[i][k];
	return sum;
}

/* ---- a tree ---- */

struct tree {
	struct tree *left, *right;
	unsigned int key, n;
};

static struct tree *put(struct tree *t, unsigned int key)
{
	if (!t) {
		t = calloc(1, sizeof(*t));
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
	unsigned int state = 5;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		root = put(root, chance(&state) & 0xffff);
	for (int r = 0; r < rounds; r++)
		sum += sum_of(root);
	return sum;
}

/* ---- blocks of any size that come, grow and go ---- */

static double blocks(size_t n, int rounds)
{
	unsigned char **p = block(n * sizeof(*p));
	size_t *bytes = block(n * sizeof(*bytes));
	unsigned int state = 11;
	double sum = 0;

	memset(p, 0, n * sizeof(*p));
	for (int r = 0; r < rounds; r++)
		for (size_t i = 0; i < n; i++) {
			size_t at = chance(&state) % n, n_bytes = 1 + chance(&state) % 600;

			if (!p[at]) {
				p[at] = i % 2 ? malloc(n_bytes) : calloc(n_bytes, 1);
				bytes[at] = n_bytes;
				for (size_t k = 0; k < n_bytes; k++)
					p[at][k] = (unsigned char)k;
			} else if (chance(&state) % 3) {
				free(p[at]);
				p[at] = NULL;
			} else {
				size_t least = n_bytes < bytes[at] ? n_bytes : bytes[at];

				p[at] = realloc(p[at], n_bytes);
				bytes[at] = n_bytes;
				for (size_t k = 0; k < least; k++)
					sum += p[at][k];
				for (size_t k = least; k < n_bytes; k++)
					p[at][k] = 1;
			}
			at = chance(&state) % n;
			if (p[at])
				sum += p[at][bytes[at] - 1] + p[at][chance(&state) % bytes[at]];
		}
	return sum;
}

/* ---- large blocks: a gather, and walks of unknown length ---- */

static double gather(size_t n, int rounds)
{
	double *a = block(n * sizeof(*a)), *b = block(n * sizeof(*b)), sum = 0;
	unsigned int *at = block(n * sizeof(*at)), state = 1;

	for (size_t i = 0; i < n; i++) {
		a[i] = (double)i;
		b[i] = 0;
		at[i] = chance(&state) % (unsigned int)n;
	}
	for (int r = 0; r < rounds; r++)
		for (size_t i = 0; i < n; i++) {
			b[i] = a[at[i]] * 1.5 + b[i] * 0.25;
			sum += b[i];
		}
	return sum;
}

static double walk(size_t n, int rounds)
{
	unsigned int *next = block(n * sizeof(*next));
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		next[i] = (unsigned int)((i * 2654435761u >> 7) % n);
	for (int r = 0; r < rounds; r++)
		for (size_t i = 0; i < n; i++) {
			size_t k = i;
			int c = 0;

			while (c < 60 && (next[k] & 15) != 3) {
				k = next[k];
				c++;
			}
			sum += c;
		}
	return sum;
}

/* ---- threads, each of which has blocks come and go beside those of the others ---- */

static double parallel(size_t n, int rounds)
{
	double sum = 0;

#pragma omp parallel for num_threads(2) schedule(static) reduction(+ : sum)
	for (int t = 0; t < 8; t++) {
		double s = 0;

		for (int r = 0; r < rounds; r++) {
			double *p = malloc((size_t)(1 + (t + r) % 9) * sizeof(*p)), *q = malloc(n * sizeof(*q));

			for (size_t i = 0; i < n; i++)
				q[i] = (double)i;
			for (int i = 0; i <= (t + r) % 9; i++)
				p[i] = q[(size_t)i % n];
			for (int i = 0; i <= (t + r) % 9; i++)
				s += p[i];
			free(p);
			free(q);
		}
		sum += s;
	}
	return sum;
}

/* The name is told by its first letter, as constants are counted elsewhere. */
static double run(char kernel, size_t n, int rounds)
{
	switch (kernel) {
	case 'l':
		return list(n, rounds);
	case 'r':
		return rows(n, rounds);
	case 'c':
		return cells(n, rounds);
	case 't':
		return tree(n, rounds);
	case 'b':
		return blocks(n, rounds);
	case 'g':
		return gather(n, rounds);
	case 'w':
		return walk(n, rounds);
	case 'p':
		return parallel(n, rounds);
	default:
		exit(1);
	}
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 1;
	printf("%.9g\n", run(*argv[1], (size_t)atol(argv[2]), atoi(argv[3])));
	return 0;
}
