/* mappings: unmaps parts of what it has mapped in all ways; the sums and the accesses are known beforehand. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, HOW = MAP_PRIVATE | MAP_ANONYMOUS, BOTH = PROT_READ | PROT_WRITE };

/* Stores once into each of the pages from `first` on. */
__attribute__((noinline)) static void touch(char *p, int first, int n)
{
	for (int i = first; i < first + n; i++)
		p[i * PAGE] = 1;
}

int main(void)
{
	int bad = 0;
#pragma omp parallel num_threads(2)
	{
	}
	char *middle = mmap(NULL, 16 * PAGE, BOTH, HOW, -1, 0); /* middle */
	bad += munmap(middle + 4 * PAGE, 4 * PAGE);
	char *over = mmap(middle + 9 * PAGE, 2 * PAGE, BOTH, HOW | MAP_FIXED, -1, 0); /* over */
	touch(over, 0, 2);
	touch(middle, 0, 4);
	touch(middle, 8, 1);
	touch(middle, 11, 5);

	char *ends = mmap(NULL, 16 * PAGE, BOTH, HOW, -1, 0); /* ends */
	bad += munmap(ends, 4 * PAGE) + munmap(ends + 12 * PAGE, 4 * PAGE);
	touch(ends, 4, 8);

	char *reserve = mmap(NULL, 16 * PAGE, BOTH, HOW | MAP_NORESERVE, -1, 0); /* reserve */
	char *fixed = mmap(reserve + 4 * PAGE, 4 * PAGE, BOTH, HOW | MAP_FIXED, -1, 0); /* fixed */
	touch(fixed, 0, 4);
	touch(reserve, 0, 4);
	touch(reserve, 8, 8);

	char *shrunk = mmap(NULL, 16 * PAGE, BOTH, HOW, -1, 0); /* shrunk */
	bad += mremap(shrunk, 16 * PAGE, 5 * PAGE, 0) != shrunk;
	touch(shrunk, 0, 5);

	char *old = mmap(NULL, 4 * PAGE, BOTH, HOW, -1, 0); /* old */
	char *grown = mremap(old, 2 * PAGE, 400 * PAGE, MREMAP_MAYMOVE); /* grown */
	touch(grown, 0, 400);
	touch(old, 2, 2);

	char *pieces = mmap(NULL, 16 * PAGE, BOTH, HOW, -1, 0); /* pieces */
	touch(pieces, 0, 16);
	for (int i = 0; i < 16; i += 2)
		bad += munmap(pieces + i * PAGE, PAGE);
	for (int i = 15; i > 0; i -= 2)
		bad += munmap(pieces + i * PAGE, PAGE);

	char *two = mmap(NULL, 12 * PAGE, BOTH, HOW, -1, 0); /* around */
	mmap(two + 2 * PAGE, 4 * PAGE, BOTH, HOW | MAP_FIXED, -1, 0); /* left */
	mmap(two + 6 * PAGE, 4 * PAGE, BOTH, HOW | MAP_FIXED, -1, 0); /* right */
	bad += munmap(two + 4 * PAGE, 4 * PAGE); /* the end of the one and the begin of the other */
	touch(two, 0, 4);
	touch(two, 8, 4);

	char *odd = mmap(NULL, 10000, BOTH, HOW, -1, 0); /* odd */
	bad += munmap(odd, PAGE);
	touch(odd, 1, 2);

	char *kept = mmap(NULL, 4 * PAGE, BOTH, HOW, -1, 0); /* kept */
	errno = 0;
	bad += munmap(kept + 1, PAGE) != -1 || errno != EINVAL;
	bad += munmap(kept + 100, 3 * PAGE) != -1;
	bad += mremap(kept, 4 * PAGE, 0, 0) != MAP_FAILED || errno != EINVAL;
	touch(kept, 0, 4);
	printf("%d\n", bad);
	return bad;
}
