/*
 * copies: blocks of memory, by assignment of structs and by memcpy, memmove and memset.  A block counts once, with all
 * of its bytes.
 */
#include "kernel.h"

#include <string.h>

enum { N = 64 * SCALE, ROUNDS = 4 };

static struct block {
	long words[24];
} from[N], to[N];
static char bytes[N * 100];

int main(void)
{
	double sum = 0;
	size_t i, k;

#pragma pomp inst data(from)
#pragma pomp inst data(to)
#pragma pomp inst data(bytes)
	kernel_array("from", from, sizeof(from));
	kernel_array("to", to, sizeof(to));
	kernel_array("bytes", bytes, sizeof(bytes));
	for (i = 0; i < N; i++) {
		for (k = 0; k < 24; k++)
			from[i].words[k] = (long)(i * k);
	}
	for (k = 0; k < ROUNDS; k++) {
		for (i = 0; i < N; i++)
			to[N - 1 - i] = from[i];
		memset(bytes, (int)k, sizeof(bytes) / 2);
		memcpy(bytes + sizeof(bytes) / 2, bytes, sizeof(bytes) / 2);
		memmove(bytes + 10, bytes, 1000 + k * 7);
	}
	for (i = 0; i < N; i++)
		sum += (double)to[i].words[i % 24] + bytes[i * 100];
	kernel_sum(sum);
	kernel_expect("from", ROUNDS * N, 24 * N, 0);
	kernel_expect("to", N, ROUNDS * N, 0);
	kernel_expect("bytes", 2 * ROUNDS + N, 3 * ROUNDS, 0);
	return 0;
}
