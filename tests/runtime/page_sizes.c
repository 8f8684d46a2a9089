/* page_sizes: what tests/runtime/page_sizes.sh traces: memory for which huge pages are wanted, memory that has none, and
 * memory that is given back.  Says how many KiB of the first are huge, as the kernel tells elsewhere. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20, PAGE = 4096 };

static void fill(char *memory)
{
	for (int i = 0; i < HUGE; i += PAGE)
		memory[i] = 1;
}

/* Prints what smaps says of the mapping of an address. */
static void say(uintptr_t address)
{
	FILE *smaps = fopen("/proc/self/smaps", "r");
	unsigned long lo, hi, n;
	char line[500];
	int is_it = 0;

	while (smaps && fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%lx-%lx ", &lo, &hi) == 2)
			is_it = address >= lo && address < hi;
		if (is_it && sscanf(line, "AnonHugePages: %lu", &n) == 1)
			printf("%lu\n", n);
	}
}

int main(void)
{
	char *memory = mmap(NULL, 4 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *huge, *small, *given;

	if (memory == MAP_FAILED)
		return 2;
	huge = (char *)(((uintptr_t)memory + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
	small = huge + HUGE;
	given = huge + 2 * HUGE;
	madvise(huge, HUGE, MADV_HUGEPAGE);
	madvise(small, 2 * HUGE, MADV_NOHUGEPAGE);
#pragma omp inst data(huge, HUGE, "huge")
#pragma omp inst data(small, HUGE, "small")
#pragma omp inst data(given, HUGE - PAGE, "given")
	fill(huge);
	fill(small);
	for (int i = 0; i < HUGE - PAGE; i += PAGE)
		given[i] = 1;
	madvise(given, HUGE - PAGE, MADV_DONTNEED);
	say((uintptr_t)huge);
	return 0;
}
