/*
 * Space: see space.h.
 */
#define _GNU_SOURCE
#include "runtime/base/space.h"

#include <stdint.h>

#include "runtime/base/auxv.h"
#include "runtime/base/sys.h"

void *ompp_space_reserve(size_t n_bytes)
{
	return ompp_sys_mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

size_t ompp_space_share(size_t most, size_t least, size_t divisor)
{
	struct rlimit limit;
	size_t share;

	if (ompp_sys_getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return most;
	share = (size_t)limit.rlim_cur / divisor;
	return share < least ? least : share > most ? most : share;
}

void *ompp_space_table(void **where, size_t n_bytes)
{
	void *have = __atomic_load_n(where, __ATOMIC_ACQUIRE), *made;

	if (have)
		return have;
	made = ompp_space_reserve(n_bytes);
	if (made && !__atomic_compare_exchange_n(where, &have, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		ompp_sys_munmap(made, n_bytes);
		made = have;
	}
	return made;
}

int *ompp_space_alive(void)
{
	int *alive = ompp_space_reserve(ompp_page_bytes());

	if (alive) {
		ompp_sys_madvise(alive, ompp_page_bytes(), MADV_WIPEONFORK);
		*alive = 1;
	}
	return alive;
}
