/*
 * Rings: 256 threads touch 20 fresh pages each, and say how many they are.
 */
#define _GNU_SOURCE
#include <ompp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS = 256, PAGES = 20 };

int main(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n_bytes = THREADS * PAGES * page;
	char *a = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i, k, n = 0;

	if (a == MAP_FAILED)
		return 1;
	madvise(a, n_bytes, MADV_NOHUGEPAGE);
	ompp_data_begin(a, n_bytes, "a");
#pragma omp parallel for num_threads(THREADS) schedule(static, 1) private(k) reduction(+ : n)
	for (i = 0; i < THREADS; i++)
		for (k = 0; k < PAGES; k++)
			n += ++a[((size_t)i * PAGES + (size_t)k) * page];
	printf("%d\n", n);
	return 0;
}
