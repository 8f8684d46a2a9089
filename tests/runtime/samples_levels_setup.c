/* samples_levels_setup: memory for samples_levels.c, filled without hooks. */
#include <stdlib.h>

enum { LINE = 64 };

/* Returns the first of the lines of a block, each of which leads to another one, all in one circle. */
void **make_chain(size_t n_bytes)
{
	size_t n = n_bytes / LINE, i;
	char *block = aligned_alloc(4096, n_bytes);
	unsigned int *order = malloc(n * sizeof(*order));
	unsigned long x = 1;
	void *at;

	if (!block || !order)
		return NULL;
	for (i = 0; i < n; i++)
		order[i] = (unsigned int)i;
	for (i = n - 1; i > 0; i--) {
		unsigned int was = order[i];
		size_t j;

		x = x * 6364136223846793005ul + 1442695040888963407ul;
		j = (x >> 33) % i;
		order[i] = order[j];
		order[j] = was;
	}
	for (i = 0; i < n; i++)
		*(void **)(block + (size_t)order[i] * LINE) = block + (size_t)order[(i + 1) % n] * LINE;
	free(order);
	for (i = 0, at = block; i < 2 * n && i < 1000000; i++)
		at = *(void **)at;
	return at ? (void **)(void *)block : NULL;
}

double *make_numbers(size_t n)
{
	double *p = malloc(n * sizeof(*p));

	for (size_t i = 0; p && i < n; i++)
		p[i] = (double)(i % 7);
	return p;
}

void flush(const void *p, size_t n_bytes)
{
	for (size_t i = 0; i < n_bytes; i += LINE)
		__builtin_ia32_clflush((const char *)p + i);
	__builtin_ia32_mfence();
}
