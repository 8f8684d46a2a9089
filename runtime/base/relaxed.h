/*
 * Relaxed: accesses to fields that one thread writes and others read meanwhile.  They are plain moves on every machine
 * that we know.
 */
#ifndef OMPP_BASE_RELAXED_H
#define OMPP_BASE_RELAXED_H

#define OMPP_LOAD(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define OMPP_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define OMPP_OR(p, v)    OMPP_STORE((p), OMPP_LOAD(p) | (v))

/* An addition is one instruction where there is such a one, as compilers take three for atomics; events have many. */
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

/* Orders all accesses of this thread.  The thread sanitizer does not know fences, and gcc warns of each; what they
 * order here is atomic for itself, so that the sanitizer misses nothing. */
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
static inline void ompp_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* What this thread has read before comes before all that it does after. */
static inline void ompp_fence_acquire(void)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

/* What this thread has done before comes before all that it writes after. */
static inline void ompp_fence_release(void)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
}
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
