/*
 * Space: see space.h.
 */
#define _GNU_SOURCE
#include "runtime/base/space.h"

#include <elf.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

#include "runtime/base/auxv.h"
#include "runtime/base/sys.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* before Linux 4.17 the address is a wish */
#endif

enum { LEAST_BITS = 36, MOST_TRIES = 3 };

/* Where the zone goes on; 0 until it is chosen, NO_ZONE when there is none. */
static _Atomic uintptr_t zone_next;
#define NO_ZONE UINTPTR_MAX

/* Returns where a process of this many bits of address has its zone: 85/128 of them, which is shortly below 2/3, where
 * the kernel begins to place programs.  Nothing else begins there: libraries and stacks are at the end, or from 1/3 on.
 * And each sanitizer allows the program memory there, also one that starts later than we do, and then claims its own
 * addresses (x86-64: 0x550000000000, where MemorySanitizer has application memory from 0x510000000000 on,
 * ThreadSanitizer from 0x550000000000 on, and AddressSanitizer behind its shadow; aarch64: 0xaa0000000000,
 * MemorySanitizer's from 0xa00000000000 on). */
static uintptr_t zone_start(unsigned int n_bits)
{
	return ((uintptr_t)85 << (n_bits - 7));
}

/* A quarter of what is left up to 2/3, or more: 256 GiB of 47 bits. */
static uintptr_t zone_bytes(unsigned int n_bits)
{
	return (uintptr_t)1 << (n_bits - 9);
}

/* Returns the bits of address that the process has, by where the kernel put its first stack; 0 when we have no zone. */
static unsigned int address_bits(void)
{
#ifdef __SANITIZE_THREAD__ /* which knows only some ranges of addresses */
	return 0;
#else
	uint64_t stack = ompp_auxv(AT_RANDOM);
	unsigned int n = stack ? 64 - (unsigned int)__builtin_clzll(stack) : 0;

	return n < LEAST_BITS ? 0 : n;
#endif
}

/* Returns where to begin in the zone, which is as random as the kernel's own choices: a multiple of a page in its first
 * half. */
static uintptr_t zone_first(unsigned int n_bits)
{
	uint64_t seed = (ompp_auxv(AT_RANDOM) ^ ompp_auxv(AT_SYSINFO_EHDR) >> 12 ^ (uintptr_t)&zone_next) *
	                UINT64_C(0x9E3779B97F4A7C15);

	return zone_start(n_bits) + ((seed >> 16) % (zone_bytes(n_bits) / 2) & ~(uintptr_t)(ompp_page_bytes() - 1));
}

/* Returns a piece of the zone, or 0. */
static uintptr_t next_address(size_t n_bytes)
{
	uintptr_t next = atomic_load_explicit(&zone_next, memory_order_relaxed), page = ompp_page_bytes(), wanted;
	unsigned int n_bits = address_bits();

	if (!next) {
		wanted = n_bits ? zone_first(n_bits) : NO_ZONE;
		if (atomic_compare_exchange_strong_explicit(&zone_next, &next, wanted, memory_order_relaxed,
		                                            memory_order_relaxed))
			next = wanted;
	}
	if (next == NO_ZONE || n_bytes > zone_bytes(n_bits) / 8)
		return 0;
	n_bytes = (n_bytes + page - 1) / page * page;
	next = atomic_fetch_add_explicit(&zone_next, n_bytes, memory_order_relaxed);
	if (next + n_bytes <= zone_start(n_bits) + zone_bytes(n_bits))
		return next;
	/* What was given back at the zone's begin may be free by now.  Others may say the same, too. */
	wanted = zone_first(n_bits);
	atomic_store_explicit(&zone_next, wanted + n_bytes, memory_order_relaxed);
	return wanted;
}

void (*ompp_space_mapped)(uintptr_t at, size_t n_bytes);

static long map_somewhere(size_t n_bytes, int protection, int flags, int fd, off_t offset)
{
	for (int i = 0; i < MOST_TRIES; i++) {
		uintptr_t address = next_address(n_bytes);
		long made = address
		                  ? ompp_sys_mmap(address, n_bytes, protection, flags | MAP_FIXED_NOREPLACE, fd, offset)
		                  : -EEXIST;

		if (made != -EEXIST)
			return made;
	}
	return ompp_sys_mmap(0, n_bytes, protection, flags, fd, offset);
}

long ompp_space_map(size_t n_bytes, int protection, int flags, int fd, off_t offset)
{
	long made = map_somewhere(n_bytes, protection, flags, fd, offset);

	if (__builtin_expect(ompp_space_mapped != NULL, 0) && made >= 0)
		ompp_space_mapped((uintptr_t)made, n_bytes);
	return made;
}

void *ompp_space_take(size_t n_bytes)
{
	long made = ompp_space_map(n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return made < 0 ? NULL : (void *)made;
}

void *ompp_space_reserve(size_t n_bytes)
{
	long made = ompp_space_map(n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return made < 0 ? NULL : (void *)made;
}

int ompp_space_is_own(uintptr_t address)
{
	unsigned int n_bits = address_bits();

	return n_bits && address - zone_start(n_bits) < zone_bytes(n_bits);
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
