/*
 * Roof kernels: see roof_kernels.h.
 *
 * Each number is in a register of its own and goes through an empty assembler statement in each round: so the compiler
 * neither joins two of them into a vector, nor leaves a round out.  Twelve chains of operations hide the latency of two
 * units of four to six cycles.
 */
#include "reports/roofs/roof_kernels.h"

#if defined(__x86_64__)
#define REGISTER "x"
#elif defined(__aarch64__)
#define REGISTER "w"
#else
#define REGISTER "m" /* each operation goes to memory and back: no roof, but a bound from below */
#endif

/* FUSE is one instruction here, against what the rest of the program is compiled with. */
#ifdef __clang__
#pragma clang fp contract(fast)
#else
#pragma GCC optimize("fp-contract=fast")
#endif

#define KEEP(x) __asm__ volatile("" : "+" REGISTER(x))

/* What the compiler may not know. */
static volatile double roof_one = 1, roof_little = 1e-3;

/* clang-format off */
#define EACH_OF_6(DO)  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define EACH_OF_12(DO) EACH_OF_6(DO) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define EACH_OF_16(DO) EACH_OF_12(DO) DO(12) DO(13) DO(14) DO(15)

#define BEGIN_X(i)  type_of x##i = one + little; KEEP(x##i);
#define BEGIN_Y(i)  type_of y##i = one + little; KEEP(y##i);
#define FUSE(i)     x##i = x##i * one + little; KEEP(x##i);
#define ADD_MUL(i)  x##i += little; KEEP(x##i); y##i *= one; KEEP(y##i);
#define DIVIDE(i)   x##i = one / x##i; KEEP(x##i);
#define LOAD(i)     x = from[i]; KEEP(x);
#define COPY(i)     x = from[i]; KEEP(x); to[i] = x;

/* A loop of operations on a type, which has this number in each of its elements. */
#define LOOP(name, target, type, element, BEGIN, ROUND) \
	target static void name(uint64_t n) \
	{ \
		typedef type type_of; \
		type one = (type){ 0 } + (element)roof_one, little = (type){ 0 } + (element)roof_little; \
		KEEP(one); \
		KEEP(little); \
		BEGIN \
		for (; n; n--) { ROUND } \
	}

#define PLAIN(name, target, type, element) \
	LOOP(name##_plain, target, type, element, EACH_OF_6(BEGIN_X) EACH_OF_6(BEGIN_Y), EACH_OF_6(ADD_MUL)) \
	LOOP(name##_division, target, type, element, EACH_OF_12(BEGIN_X), EACH_OF_12(DIVIDE))

#define FUSED(name, target, type, element) \
	LOOP(name##_fused, target, type, element, EACH_OF_12(BEGIN_X), EACH_OF_12(FUSE))

#define STREAM(name, target, type) \
	target static void name##_load(char *buffer, size_t n_bytes) \
	{ \
		const type *from = (const type *)(const void *)buffer, *end = from + n_bytes / sizeof(*from); \
		for (type x; from < end; from += 16) { EACH_OF_16(LOAD) } \
	} \
	target static void name##_copy(char *buffer, size_t n_bytes) \
	{ \
		const type *from = (const type *)(const void *)buffer, *end = from + n_bytes / 2 / sizeof(*from); \
		type *to = (type *)(void *)(buffer + n_bytes / 2); \
		for (type x; from < end; from += 16, to += 16) { EACH_OF_16(COPY) } \
	}

/* The functions of a set whose vectors have this number of bytes. */
#define NO_TARGET
#define VECTORS(name, bytes, target) \
	typedef double name##_doubles __attribute__((vector_size(bytes), may_alias)); \
	typedef float name##_floats __attribute__((vector_size(bytes), may_alias)); \
	PLAIN(name##_double, target, name##_doubles, double) \
	PLAIN(name##_float, target, name##_floats, float) \
	STREAM(name, target, name##_doubles)
#define FUSED_VECTORS(name, target) \
	FUSED(name##_double, target, name##_doubles, double) \
	FUSED(name##_float, target, name##_floats, float)
#define FUSED_SCALARS(name, target) \
	FUSED(name##_one_double, target, double, double) \
	FUSED(name##_one_float, target, float, float)
/* clang-format on */

enum { CHAINS = 12 };

#define OF(function, bytes, element) \
	{ \
		function, CHAINS *(uint32_t)((bytes) / sizeof(element)) \
	}
#define SCALARS(what, times) \
	[OMPP_ROOF_SCALAR] = { OF(one_double_##what, (times) * sizeof(double), double), \
		               OF(one_float_##what, (times) * sizeof(float), float) }
#define SET(name, bytes, its_vector) \
	.vector = its_vector, \
	.plain = { SCALARS(plain, 1), [OMPP_ROOF_VECTOR] = { OF(name##_double_plain, bytes, double), \
		                                             OF(name##_float_plain, bytes, float) } }, \
	.division = { SCALARS(division, 1), [OMPP_ROOF_VECTOR] = { OF(name##_double_division, bytes, double), \
		                                                   OF(name##_float_division, bytes, float) } }, \
	.load = name##_load, .copy = name##_copy
#define FUSED_SET(name, scalars, bytes) \
	.fused = { [OMPP_ROOF_SCALAR] = { OF(scalars##_one_double_fused, 2 * sizeof(double), double), \
		                          OF(scalars##_one_float_fused, 2 * sizeof(float), float) }, \
		   [OMPP_ROOF_VECTOR] = { OF(name##_double_fused, 2 * (bytes), double), \
		                          OF(name##_float_fused, 2 * (bytes), float) } }

PLAIN(one_double, NO_TARGET, double, double)
PLAIN(one_float, NO_TARGET, float, float)
VECTORS(base, 16, NO_TARGET)

#if defined(__x86_64__)

#define AVX    __attribute__((target("avx")))
#define AVX2   __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,fma")))

VECTORS(avx, 32, AVX)
VECTORS(avx2, 32, AVX2)
FUSED_VECTORS(avx2, AVX2)
FUSED_SCALARS(avx2, AVX2)
VECTORS(avx512, 64, AVX512)
FUSED_VECTORS(avx512, AVX512)

const struct ompp_roof_set *ompp_roof_set(void)
{
	static const struct ompp_roof_set sse2_set = { SET(base, 16, "SSE2") }, avx_set = { SET(avx, 32, "AVX") },
					  avx2_set = { SET(avx2, 32, "AVX2"), FUSED_SET(avx2, avx2, 32) },
					  avx512_set = { SET(avx512, 64, "AVX-512"), FUSED_SET(avx512, avx2, 64) };

	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma"))
		return &avx512_set;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return &avx2_set;
	return __builtin_cpu_supports("avx") ? &avx_set : &sse2_set;
}

#else

#if defined(__aarch64__)
FUSED_VECTORS(base, NO_TARGET)
FUSED_SCALARS(base, NO_TARGET)
#define BASE_SET SET(base, 16, "NEON"), FUSED_SET(base, base, 16)
#else
#define BASE_SET SET(base, 16, "16 bytes")
#endif

const struct ompp_roof_set *ompp_roof_set(void)
{
	static const struct ompp_roof_set set = { BASE_SET };

	return &set;
}

#endif
