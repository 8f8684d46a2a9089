/* Planted traffic between NUMA nodes: sensors PAGES CPU NODE touches so many pages of a node from a CPU, and says on stderr
 * that it has begun. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long pages = argc > 3 ? atol(argv[1]) : 0;
	unsigned long nodes = argc > 3 ? 1ul << atoi(argv[3]) : 0;
	cpu_set_t set;
	char *p;

	CPU_ZERO(&set);
	CPU_SET(atoi(argv[2]), &set);
	if (sched_setaffinity(0, sizeof(set), &set) || syscall(SYS_set_mempolicy, 2 /* MPOL_BIND */, &nodes, 64ul))
		return 1;
	p = mmap(NULL, (size_t)pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || madvise(p, (size_t)pages * 4096, MADV_NOHUGEPAGE))
		return 1;
	for (long i = 0; i < pages; i++)
		p[i * 4096] = 1;
	usleep(300000);
	return 0;
}
