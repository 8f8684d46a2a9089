/*
 * Relaxed: accesses to fields that one thread writes and others read meanwhile.  They are plain moves on every machine
 * that we know.
 */
#ifndef OMPP_BASE_RELAXED_H
#define OMPP_BASE_RELAXED_H

#include <stdint.h>

#define OMPP_LOAD(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define OMPP_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define OMPP_OR(p, v)    OMPP_STORE((p), OMPP_LOAD(p) | (v))

/* An addition is one instruction where the processor has one; compilers emit three for atomics, and events add
 * often. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define OMPP_ADD(p, v) \
	do { \
		if (sizeof(*(p)) == 8) \
			__asm__ volatile("addq %1, %0" : "+m"(*(p)) : "er"((long long)(v)) : "cc"); \
		else \
			OMPP_STORE((p), OMPP_LOAD(p) + (v)); \
	} while (0)
#else
#define OMPP_ADD(p, v) OMPP_STORE((p), OMPP_LOAD(p) + (v))
#endif

/* Takes 1 away from a word.  Returns 1 when it is below 0 now, as a signed number. */
static inline int ompp_count_down(uint64_t *n)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	int is_below;

	__asm__ volatile("subq $1, %0" : "+m"(*n), "=@ccs"(is_below));
	return is_below;
#else
	uint64_t less = OMPP_LOAD(n) - 1;

	OMPP_STORE(n, less);
	return (int64_t)less < 0;
#endif
}

/* Adds to a word that no other thread changes at the same time, unless they are many.  A locked addition takes as long
 * as 20 others, so there is none where there is one thread.  Returns what it was. */
static inline uint64_t ompp_count_more(uint64_t *n, uint64_t more, int are_many)
{
	uint64_t before;

	if (__builtin_expect(are_many, 0))
		return __atomic_fetch_add(n, more, __ATOMIC_RELAXED);
	before = OMPP_LOAD(n);
	OMPP_STORE(n, before + more);
	return before;
}

/* Full fence: orders all accesses of this thread.  The thread sanitizer does not support fences, and gcc warns of each.
 * All accesses that they order here are atomic, so the sanitizer misses nothing. */
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
static inline void ompp_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Orders earlier reads of this thread before all its later accesses. */
static inline void ompp_fence_acquire(void)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

/* Orders earlier accesses of this thread before all its later writes. */
static inline void ompp_fence_release(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
