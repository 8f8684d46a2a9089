/*
 * Machine: what this machine does, found by the kernel's own numbers and no code of ours, where tests must expect one
 * thing or another.
 */
#ifndef TESTS_UNIT_MACHINE_H
#define TESTS_UNIT_MACHINE_H

#include <assert.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Returns how many page faults the thread has had that needed no file. */
static inline long machine_n_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

/* Tells whether all readers of fresh memory share one page of zeros, so that a page that was read faults once more when
 * it is written.  Kernels for some virtual machines have no such page: there a read gives memory at once. */
static inline int machine_shares_zeros(void)
{
	enum { N = 2000 };
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *base = mmap(NULL, N * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long n;

	assert(base != MAP_FAILED);
	madvise((void *)(size_t)base, N * page_bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < N; i++)
		(void)base[i * page_bytes];
	n = machine_n_faults();
	for (size_t i = 0; i < N; i++)
		base[i * page_bytes] = 1;
	n = machine_n_faults() - n;
	munmap((void *)(size_t)base, N * page_bytes);
	return n > N / 2;
}

#endif
