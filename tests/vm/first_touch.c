/*
 * First touch: pages that are touched first by their own thread (own), by one thread (one), and that are read by all
 * before their thread writes them (late).  Then all threads use all of them for as many seconds as the
 * argument says, so that the kernel's NUMA
 * balancing looks at them.  Threads are to be bound to one NUMA node each.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { N = 400 };

static unsigned char *map(long page)
{
	unsigned char *p = mmap(NULL, N * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	madvise(p, N * page, MADV_NOHUGEPAGE);
	return p;
}

int main(int argc, char **argv)
{
	long page = sysconf(_SC_PAGESIZE);
	unsigned char *own = map(page), *one = map(page), *late = map(page);
	time_t end;
	long sum = 0;
	int i;

#pragma pomp inst data(own, N * page, "own")
#pragma pomp inst data(one, N * page, "one")
#pragma pomp inst data(late, N * page, "late")
	for (i = 0; i < N; i++)
		one[i * page] = 1;
#pragma omp parallel for schedule(static)
	for (i = 0; i < N; i++)
		own[i * page] = 1;
#pragma omp parallel reduction(+ : sum) private(i)
	for (i = 0; i < N; i++)
		sum += late[i * page];
#pragma omp parallel for schedule(static)
	for (i = 0; i < N; i++)
		late[(N - 1 - i) * page] = (unsigned char)(sum + 1);
	end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 0);
#pragma omp parallel reduction(+ : sum) private(i)
	while (time(NULL) < end)
		for (i = 0; i < N; i++)
			sum += own[i * page] + one[i * page]++ + late[i * page]++;
	return sum < 0;
}
