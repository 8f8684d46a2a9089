/*
 * first_touch: who touches memory first gets its page faults, and on a NUMA machine the pages.
 *
 * Run it with OMPP_CTR=page-faults, which any machine counts.  The report must show 4096 page faults in MASTER, all of
 * thread 0, which writes `alone` there, and 4096 in the first LOOP, in which the threads write `together`, each the same
 * share.  The second LOOP, which reads both, has none.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 4096 };

/* Returns fresh memory in small pages. */
static char *pages(size_t page_bytes)
{
	char *p = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, PAGES * page_bytes, MADV_NOHUGEPAGE);
	return p;
}

int main(void)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *alone = pages(page_bytes), *together = pages(page_bytes);
	long sum = 0;
	int i;

	if (!alone || !together)
		return 1;
#pragma omp parallel
	{
#pragma omp master
		for (i = 0; i < PAGES; i++)
			alone[(size_t)i * page_bytes] = 1;
#pragma omp for schedule(static)
		for (i = 0; i < PAGES; i++)
			together[(size_t)i * page_bytes] = 2;
#pragma omp for schedule(static) reduction(+ : sum)
		for (i = 0; i < PAGES; i++)
			sum += alone[(size_t)i * page_bytes] + together[(size_t)i * page_bytes];
	}
	printf("%ld\n", sum);
	return 0;
}
