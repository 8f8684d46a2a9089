/*
 * strings: words of a text, counted, turned round, and compared, byte by byte.
 */
#include "kernel.h"

enum { N = 6000 * SCALE, WORD = 12 };

static char text[N], other[N];
static unsigned short lengths[N];
static uint64_t n_steps;

/* Bytes that are equal at the start; the one that differs, or the end, is looked at too. */
static int same_start(const char *s, const char *t)
{
	int n = 0;

	for (;;) {
		char c = s[n], d = t[n];

		n_steps++;
		if (c != d || !c)
			return n;
		n++;
	}
}

int main(void)
{
	int i, j, n_words = 0, length = 0;
	double sum = 0;

#pragma pomp inst data(text)
#pragma pomp inst data(other)
#pragma pomp inst data(lengths)
	kernel_array("text", text, sizeof(text));
	kernel_array("other", other, sizeof(other));
	kernel_array("lengths", lengths, sizeof(lengths));
	for (i = 0; i < N - 1; i++)
		text[i] = (char)(i % (WORD - i % 5) == 0 ? ' ' : 'a' + i % 26);
	text[N - 1] = 0;
	for (i = 0; i < N; i++) {
		char c = text[i];

		other[N - 1 - i] = c;
		if (c == ' ' || !c) {
			lengths[n_words++] = (unsigned short)length;
			length = 0;
		} else {
			length++;
		}
	}
	for (i = 0; i < N - 40; i += 39) {
		for (j = 1; j < 30; j++)
			sum += same_start(text + i, text + i + j);
	}
	for (i = 0; i < n_words; i++)
		sum += lengths[i];
	kernel_sum(sum + other[5]);
	kernel_expect("text", N + 2 * n_steps, N, 0);
	kernel_expect("other", 1, N, 0);
	kernel_expect("lengths", (uint64_t)n_words, (uint64_t)n_words, 0);
	return 0;
}
