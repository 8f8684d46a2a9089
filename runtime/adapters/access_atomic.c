/*
 * Access, atomic: the hooks that compilers call in place of atomic operations.  They perform the operation, with the
 * memory order that the program asked for, and count it: a load or a store as such, and a read-modify-write as an
 * atomic.  A failed compare-exchange is a load.
 *
 * Order arguments are those of <stdatomic.h>: relaxed 0, consume 1, acquire 2, release 3, acq_rel 4, seq_cst 5;
 * compilers may add flags above the low bits.
 */
#include <stdatomic.h>

#include "runtime/adapters/access_hooks.h"
#include "runtime/adapters/access_near.h"
#include "runtime/adapters/access_pair.h"

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* This function of the compiler's own library, where the program has that, can also load memory that is constant. */
wide __atomic_load_16(const volatile void *p, int order) __attribute__((weak));
#if defined(__aarch64__)
_Bool access_atomic_library(volatile void *p, void *expected, wide v, int order,
                            int failure) __asm__("__atomic_compare_exchange_16") __attribute__((weak));
#endif
#endif

#pragma GCC visibility push(hidden)
#if defined(__clang__)
#pragma clang diagnostic ignored "-Watomic-alignment"
#endif

enum { ORDER_BITS = 7 };

static IN_HOOK void access_atomic_loaded(const volatile void *p, size_t n_bytes)
{
	SAMPLE(p, n_bytes, OMPP_ACCESS_LOAD)
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_LOAD);
}

static IN_HOOK void access_atomic_stored(const volatile void *p, size_t n_bytes)
{
	SAMPLE(p, n_bytes, OMPP_ACCESS_STORE)
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_STORE);
}

static IN_HOOK void access_atomic_updated(const volatile void *p, size_t n_bytes)
{
	SAMPLE(p, n_bytes, OMPP_ACCESS_ATOMIC)
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_ATOMIC);
}

/* These run the statement `DO(order)` with a constant for the order that the argument has, or a stronger one where the
 * language does not allow that order for the operation. */
/* clang-format off */
#define BY_ORDER_LOAD(order, DO)                                        \
	switch ((order) & ORDER_BITS) {                                 \
	case memory_order_relaxed: DO(__ATOMIC_RELAXED); break;         \
	case memory_order_consume:                                      \
	case memory_order_acquire: DO(__ATOMIC_ACQUIRE); break;         \
	default: DO(__ATOMIC_SEQ_CST); break;                           \
	}
#define BY_ORDER_STORE(order, DO)                                       \
	switch ((order) & ORDER_BITS) {                                 \
	case memory_order_relaxed: DO(__ATOMIC_RELAXED); break;         \
	case memory_order_release: DO(__ATOMIC_RELEASE); break;         \
	default: DO(__ATOMIC_SEQ_CST); break;                           \
	}
#define BY_ORDER(order, DO)                                             \
	switch ((order) & ORDER_BITS) {                                 \
	case memory_order_relaxed: DO(__ATOMIC_RELAXED); break;         \
	case memory_order_consume:                                      \
	case memory_order_acquire: DO(__ATOMIC_ACQUIRE); break;         \
	case memory_order_release: DO(__ATOMIC_RELEASE); break;         \
	case memory_order_acq_rel: DO(__ATOMIC_ACQ_REL); break;         \
	default: DO(__ATOMIC_SEQ_CST); break;                           \
	}
/* clang-format on */

#define LOAD(bits, type) \
	type NAME(__tsan_atomic##bits##_load)(const volatile type *p, int order); \
	type NAME(__tsan_atomic##bits##_load)(const volatile type *p, int order) \
	{ \
		type v; \
		access_atomic_loaded(p, sizeof(type)); \
		BY_ORDER_LOAD(order, DO_LOAD) \
		return v; \
	} \
	PAIR(__tsan_atomic##bits##_load)
#define STORE(bits, type) \
	void NAME(__tsan_atomic##bits##_store)(volatile type * p, type v, int order); \
	void NAME(__tsan_atomic##bits##_store)(volatile type * p, type v, int order) \
	{ \
		access_atomic_stored(p, sizeof(type)); \
		BY_ORDER_STORE(order, DO_STORE) \
	} \
	PAIR(__tsan_atomic##bits##_store)
#define UPDATE(bits, type, name, OPERATION) \
	type NAME(__tsan_atomic##bits##_##name)(volatile type * p, type v, int order); \
	type NAME(__tsan_atomic##bits##_##name)(volatile type * p, type v, int order) \
	{ \
		type old; \
		access_atomic_updated(p, sizeof(type)); \
		BY_ORDER(order, OPERATION) \
		return old; \
	} \
	PAIR(__tsan_atomic##bits##_##name)
#define EXCHANGE_IF(bits, type, name, weak) \
	int NAME(__tsan_atomic##bits##_compare_exchange_##name)(volatile type * p, type * expected, type v, int order, \
	                                                        int failure); \
	int NAME(__tsan_atomic##bits##_compare_exchange_##name)(volatile type * p, type * expected, type v, int order, \
	                                                        int failure) \
	{ \
		return exchange_if_##bits(p, expected, v, weak, order, failure); \
	} \
	PAIR(__tsan_atomic##bits##_compare_exchange_##name)
#define EXCHANGE_VALUE(bits, type) \
	type NAME(__tsan_atomic##bits##_compare_exchange_val)(volatile type * p, type expected, type v, int order, \
	                                                      int failure); \
	type NAME(__tsan_atomic##bits##_compare_exchange_val)(volatile type * p, type expected, type v, int order, \
	                                                      int failure) \
	{ \
		exchange_if_##bits(p, &expected, v, 0, order, failure); \
		return expected; \
	} \
	PAIR(__tsan_atomic##bits##_compare_exchange_val)

/* The orders of success and failure become the strongest pair that both allow. */
#define EXCHANGE(type, bits) \
	static IN_HOOK int exchange_if_##bits(volatile type *p, type *expected, type v, int weak, int order, \
	                                      int failure) \
	{ \
		int done; \
		if ((failure & ORDER_BITS) == memory_order_seq_cst || (order & ORDER_BITS) == memory_order_seq_cst) \
			done = __atomic_compare_exchange_n(p, expected, v, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
		else if ((order & ORDER_BITS) == memory_order_relaxed && \
		         (failure & ORDER_BITS) == memory_order_relaxed) \
			done = __atomic_compare_exchange_n(p, expected, v, weak, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
		else \
			done = __atomic_compare_exchange_n(p, expected, v, weak, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
		if (done) \
			access_atomic_updated(p, sizeof(type)); \
		else \
			access_atomic_loaded(p, sizeof(type)); \
		return done; \
	}

#define DO_LOAD(o)     v = __atomic_load_n(p, o)
#define DO_STORE(o)    __atomic_store_n(p, v, o)
#define DO_EXCHANGE(o) old = __atomic_exchange_n(p, v, o)
#define DO_ADD(o)      old = __atomic_fetch_add(p, v, o)
#define DO_SUB(o)      old = __atomic_fetch_sub(p, v, o)
#define DO_AND(o)      old = __atomic_fetch_and(p, v, o)
#define DO_OR(o)       old = __atomic_fetch_or(p, v, o)
#define DO_XOR(o)      old = __atomic_fetch_xor(p, v, o)
#define DO_NAND(o)     old = __atomic_fetch_nand(p, v, o)

#define ALL(bits, type) \
	EXCHANGE(type, bits) \
	LOAD(bits, type) \
	STORE(bits, type) \
	UPDATE(bits, type, exchange, DO_EXCHANGE) \
	UPDATE(bits, type, fetch_add, DO_ADD) \
	UPDATE(bits, type, fetch_sub, DO_SUB) \
	UPDATE(bits, type, fetch_and, DO_AND) \
	UPDATE(bits, type, fetch_or, DO_OR) \
	UPDATE(bits, type, fetch_xor, DO_XOR) \
	UPDATE(bits, type, fetch_nand, DO_NAND) \
	EXCHANGE_IF(bits, type, strong, 0) \
	EXCHANGE_IF(bits, type, weak, 1) \
	EXCHANGE_VALUE(bits, type)

ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)

#ifdef __SIZEOF_INT128__
/* 16 bytes are accessed by one instruction, as in the compiler's own library. */
#if defined(__x86_64__)
static wide exchange_wide(volatile wide *p, wide expected, wide v)
{
	uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);

	__asm__ volatile("lock cmpxchg16b %2"
	                 : "+a"(low), "+d"(high), "+m"(*p)
	                 : "b"((uint64_t)v), "c"((uint64_t)(v >> 64))
	                 : "cc", "memory");
	return (wide)high << 64 | low;
}
#elif defined(__aarch64__)
/* GCC calls its library for 16 bytes.  Where the program has that, objects without hooks use it, maybe with a lock. */
static wide exchange_wide(volatile wide *p, wide expected, wide v)
{
	uint64_t low, high, new_low, new_high;
	uint32_t is_lost;

	if (access_atomic_library) {
		access_atomic_library(p, &expected, v, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return expected;
	}
	/* The old value is stored again when it is another: the two loads are one access only if a store succeeds. */
	__asm__ volatile("1:\tldaxp %0, %1, %5\n\t"
	                 "cmp %0, %6\n\t"
	                 "ccmp %1, %7, #0, eq\n\t"
	                 "csel %2, %8, %0, eq\n\t"
	                 "csel %3, %9, %1, eq\n\t"
	                 "stlxp %w4, %2, %3, %5\n\t"
	                 "cbnz %w4, 1b"
	                 : "=&r"(low), "=&r"(high), "=&r"(new_low), "=&r"(new_high), "=&r"(is_lost), "+Q"(*p)
	                 : "r"((uint64_t)expected), "r"((uint64_t)(expected >> 64)), "r"((uint64_t)v),
	                   "r"((uint64_t)(v >> 64))
	                 : "cc", "memory");
	return (wide)high << 64 | low;
}
#else
static wide exchange_wide(volatile wide *p, wide expected, wide v)
{
	__atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return expected;
}
#endif

static IN_HOOK int exchange_if_128(volatile wide *p, wide *expected, wide v, int weak, int order, int failure)
{
	wide found = exchange_wide(p, *expected, v);
	int done = found == *expected;

	(void)weak;
	(void)order;
	(void)failure;
	if (done)
		access_atomic_updated(p, sizeof(wide));
	else
		access_atomic_loaded(p, sizeof(wide));
	*expected = found;
	return done;
}

wide NAME(__tsan_atomic128_load)(const volatile wide *p, int order);
wide NAME(__tsan_atomic128_load)(const volatile wide *p, int order)
{
	(void)order;
	access_atomic_loaded(p, sizeof(wide));
	if (__atomic_load_16)
		return __atomic_load_16(p, __ATOMIC_SEQ_CST);
	return exchange_wide((volatile wide *)(uintptr_t)p, 0, 0);
}
PAIR(__tsan_atomic128_load)

#define WIDE_UPDATE(name, value) \
	wide NAME(__tsan_atomic128_##name)(volatile wide * p, wide v, int order); \
	wide NAME(__tsan_atomic128_##name)(volatile wide * p, wide v, int order) \
	{ \
		wide old = *p, found; \
		(void)order; \
		access_atomic_updated(p, sizeof(wide)); \
		while ((found = exchange_wide(p, old, (value))) != old) \
			old = found; \
		return old; \
	} \
	PAIR(__tsan_atomic128_##name)

WIDE_UPDATE(exchange, v)
WIDE_UPDATE(fetch_add, old + v)
WIDE_UPDATE(fetch_sub, old - v)
WIDE_UPDATE(fetch_and, old &v)
WIDE_UPDATE(fetch_or, old | v)
WIDE_UPDATE(fetch_xor, old ^ v)
WIDE_UPDATE(fetch_nand, ~(old &v))

void NAME(__tsan_atomic128_store)(volatile wide *p, wide v, int order);
void NAME(__tsan_atomic128_store)(volatile wide *p, wide v, int order)
{
	wide old = *p, found;

	(void)order;
	access_atomic_stored(p, sizeof(wide));
	while ((found = exchange_wide(p, old, v)) != old)
		old = found;
}
PAIR(__tsan_atomic128_store)

EXCHANGE_IF(128, wide, strong, 0)
EXCHANGE_IF(128, wide, weak, 1)
EXCHANGE_VALUE(128, wide)
#endif

/* kinst has gcc call these for the compare-exchange of its loops (omp atomic on a double), which has no hook. */
#define EXCHANGE_CALL(bytes, bits, type) \
	_Bool NAME(__wrap___atomic_compare_exchange_##bytes)(volatile void *p, void *expected, type v, int order, \
	                                                     int failure); \
	_Bool NAME(__wrap___atomic_compare_exchange_##bytes)(volatile void *p, void *expected, type v, int order, \
	                                                     int failure) \
	{ \
		return exchange_if_##bits(p, expected, v, 0, order, failure) != 0; \
	} \
	PAIR(__wrap___atomic_compare_exchange_##bytes)

EXCHANGE_CALL(1, 8, uint8_t)
EXCHANGE_CALL(2, 16, uint16_t)
EXCHANGE_CALL(4, 32, uint32_t)
EXCHANGE_CALL(8, 64, uint64_t)
#ifdef __SIZEOF_INT128__
EXCHANGE_CALL(16, 128, wide)
#endif

#ifndef OMPP_ACCESS_SAMPLED
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan" /* a build of the tests with this option does not use this archive */
#endif
#define FENCE(o)        __atomic_thread_fence(o)
#define SIGNAL_FENCE(o) __atomic_signal_fence(o)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	BY_ORDER(order, FENCE)
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	BY_ORDER(order, SIGNAL_FENCE)
}

#endif

#pragma GCC visibility pop
