/*
 * Policy: a program that kinst did not build.  It prints by which policy it gets its memory, "mode MODE nodes MASK", and
 * on which nodes eight new pages are, "pages N N …".  With an argument it first binds itself to that processor, and stays
 * there for a second.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 8 };

static void stay(int cpu)
{
	struct timespec begin, now;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		exit(1);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 1000000000);
}

int main(int argc, char **argv)
{
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, (size_t)(PAGES * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long nodes[16] = { 0 };
	void *pages[PAGES];
	int homes[PAGES], mode = -1;

	if (argc > 1)
		stay(atoi(argv[1]));
	if (p == MAP_FAILED || syscall(SYS_get_mempolicy, &mode, nodes, sizeof(nodes) * 8, 0, 0))
		return 1;
	for (int i = 0; i < PAGES; i++)
		*(char *)(pages[i] = p + i * page) = 1;
	if (syscall(SYS_move_pages, 0, PAGES, pages, NULL, homes, 0))
		return 1;
	printf("mode %d nodes %lx\npages", mode, nodes[0]);
	for (int i = 0; i < PAGES; i++)
		printf(" %d", homes[i]);
	puts("");
	return 0;
}
