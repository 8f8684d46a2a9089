/* objects: allocates in all ways; the sums are known beforehand. */
#include <errno.h>
#include <malloc.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 20000, THREADS = 4 };
static void *box[THREADS][N];

int main(void)
{
	long bad = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : bad)
	{
		int me = omp_get_thread_num(), other = (me + 1) % THREADS;

		for (int i = 0; i < N; i++)
			box[me][i] = malloc((size_t)(1 + i % 300)); /* small blocks */
		for (int i = 0; i < N; i++)
			memset(box[me][i], me, (size_t)(1 + i % 300));
#pragma omp barrier
		for (int i = 0; i < N; i += 2)
			free(box[other][i]);
#pragma omp barrier
		for (int i = 1; i < N; i += 2) {
			char *p = realloc(box[me][i], 1000); /* longer block */
			bad += p[0] != (char)me;
			p = realloc(p, 10); /* shorter block */
			bad += p[0] != (char)me;
			free(p);
		}
		for (int i = 0; i < 100; i++) {
			char *p = NULL;
			if (posix_memalign((void **)&p, 4096, 10000)) /* aligned block */
				bad++;
			*(volatile char *)&p[9999] = 1;
			free(p);
			p = calloc(100, 100); /* zeroed block */
			bad += p[9999];
			free(p);
		}
	}
	double *kept = malloc(123456); /* kept block */
	for (int i = 0; i < 123456 / 8; i++)
		kept[i] = i;
	bad += kept[100] != 100;
	char *mapped = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* mapped block */
	mapped[65535] = 1;
	munmap(mapped, 65536);
	errno = 7;
	if (realloc(kept, (size_t)1 << 60))
		bad++;
	bad += errno != ENOMEM;
	printf("%ld\n", bad);
	return 0;
}
