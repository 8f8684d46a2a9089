/*
 * Work: the operations on numbers that a thread has executed, in code built with kinst --work; or in all code, where an
 * emulator counts them.
 *
 * The compilers' plug-ins add to the thread's words (opari/hooks/plugin/counting.h has the same list); only the thread
 * itself reads them, at the events of regions.  What a counter counts is a sum of words.
 */
#ifndef OMPP_COUNTERS_WORK_H
#define OMPP_COUNTERS_WORK_H

#include <stdint.h>

/* Of floating-point numbers: four kinds of operations in each of three precisions.  A fused multiply-add is two. */
enum { OMPP_WORK_ADD, OMPP_WORK_MUL, OMPP_WORK_DIV, OMPP_WORK_SQRT, OMPP_WORK_KINDS };
enum { OMPP_WORK_SINGLE, OMPP_WORK_DOUBLE, OMPP_WORK_OTHER, OMPP_WORK_PRECISIONS };
enum {
	OMPP_WORK_FLOPS = OMPP_WORK_KINDS * OMPP_WORK_PRECISIONS,
	OMPP_WORK_VECTOR = OMPP_WORK_FLOPS, /* those of them that the source has on vectors */
	OMPP_WORK_COMPARE,                  /* comparisons of floating-point numbers, minima, maxima */
	OMPP_WORK_CONVERT,                  /* conversions of them, and roundings */
	OMPP_WORK_MATH,                     /* calls of other functions of the mathematical library */
	OMPP_WORK_INT,                      /* additions, subtractions, shifts and logic of integers */
	OMPP_WORK_INT_MUL,
	OMPP_WORK_INT_DIV, /* and remainders */
	OMPP_WORK_WORDS
};

extern __thread uint64_t ompp_work[OMPP_WORK_WORDS] __attribute__((tls_model("initial-exec")));

/* 1 when an emulator counts all operations that the processor would execute (access/emulated.h), instead of the
 * program's code.  Then there are no calls of mathematical functions: their own operations are counted. */
extern int ompp_work_is_emulated;

/* Returns the sum of the words of a mask. */
static inline uint64_t ompp_work_sum(uint32_t words)
{
	uint64_t sum = 0;

	for (; words; words &= words - 1)
		sum += ompp_work[__builtin_ctz(words)];
	return sum;
}

/* The files of the program, by whether their operations are counted: kinst adds it to each program and library in which
 * some are.  Its address is NULL where there are none. */
struct ompp_work_files {
	unsigned int n_counted, n_others;
	const char *others; /* names of some of the others, a comma list */
};
extern const struct ompp_work_files ompp_work_linked __attribute__((weak, visibility("default")));

#endif
