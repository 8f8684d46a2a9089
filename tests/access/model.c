/*
 * model: data whose names begin and end while their lines are in front of their sets in the cache model, in the thread
 * that uses them and in another one; lines with several objects; accesses of two lines; copies; pages that are read
 * before they are written.  Memory is at fixed addresses.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 1 << 14, BYTES = 1 << 20 };

static char *at(unsigned long address)
{
	return mmap((void *)address, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
	            -1, 0);
}

static volatile int stop; /* keeps loops from being counted as a whole */

/* Uses few lines, so that they stay in front. */
static long use(int *x, int n)
{
	long sum = 0;
	int i;

	for (i = 0; i < n && !stop; i++) {
		x[i % 8] += i;
		sum += x[8 + i % 8];
	}
	return sum;
}

static long named(int *x)
{
	long sum = use(x, 100);

#pragma pomp inst begin(while_named)
#pragma pomp inst data(x, 32, "first")
	sum += use(x, 100);
#pragma pomp inst data(x + 4, 44, "across")
	sum += use(x, 100);
#pragma pomp inst end(while_named)
	return sum + use(x, 100);
}

int main(void)
{
	char *bytes = at(0x10000000), *read_first = at(0x20000000);
	int *x = (int *)(void *)at(0x30000000), *y = (int *)(void *)at(0x40000000), i, step;
	long sum = 0;

#pragma pomp inst data(bytes, BYTES, "bytes")
#pragma pomp inst data(read_first, BYTES, "read")
	sum += named(x);
	sum += named(x + 1024);
	/* other threads name and use data in turn */
	for (step = 0; step < 4; step++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
		{
#pragma omp master
			{
#pragma pomp inst data(y, 16, "one")
				sum += use(y, 50);
			}
#pragma omp barrier
			sum += use(y + 512, 50);
#pragma omp barrier
#pragma omp master
			sum += use(y, 50);
		}
#pragma pomp inst data(y, 64, "two")
		sum += use(y, 50);
	}
	for (i = 0; i < N && !stop; i++) {
		sum += read_first[i * 37 % BYTES];
		if (i % 3 == 0)
			read_first[i * 11 % BYTES] = (char)i;
	}
	/* over the end of a line, and blocks */
	for (i = 0; i < 200 && !stop; i++) {
		long v;

		memcpy(&v, bytes + i * 29, sizeof(v));
		sum += v;
		memset(bytes + i * 100, i, 150);
		memcpy(bytes + BYTES / 2 + i * 10, bytes + i * 17, (size_t)i * 20);
	}
	/* loops that are known before they run: to and fro, with steps below and above a line, at different ends */
	for (step = 1; step < 100; step += 7) {
		for (i = 0; i < 500; i++)
			x[i * step] = y[i] + x[(500 - i) * 2];
		for (i = 499; i >= 0; i--)
			bytes[i * step] = (char)(bytes[i * step] + i);
	}
	for (i = 0; i < 300; i++) /* ten lines of one set, and three that share theirs */
		x[i] = x[i + 1024] + x[i + 2048] + x[i + 3072] + x[i + 4096] + x[i + 5120] + x[i + 6144] + x[i + 7168] +
		       x[i + 8192] + x[i + 9216] + x[i + 1] + x[i + 17];
	printf("%ld\n", sum);
	return 0;
}
