/*
 * Counting: what both plug-ins and the library (runtime/adapters/run_hooks.c, runtime/data/tally.h) agree on.
 */
#ifndef KINST_PLUGIN_COUNTING_H
#define KINST_PLUGIN_COUNTING_H

#include <string.h>
#include <strings.h>

/* How many loops, one in the other, one call counts at most, and the function for 1, 2 and 3 of them. */
enum { MOST_DIMENSIONS = 3 };
static const char *const run_names[MOST_DIMENSIONS] = { "ompp_access_run", "ompp_access_run2", "ompp_access_run3" };

/* What one access is: its size is 1 << (how & 7) bytes; with HOW_STORE it is a store, else a load.  With HOW_BEHIND a
 * run of them is counted after it was executed. */
enum { HOW_SIZE = 7, HOW_STORE = 8, HOW_BEHIND = 16 };

/* The sizes of accesses, by how & HOW_SIZE, as the names of the compilers' hooks end. */
static const char *const access_sizes[] = { "1", "2", "4", "8", "16" };
enum { N_ACCESS_SIZES = sizeof(access_sizes) / sizeof(access_sizes[0]) };

/* What ompp_access_blocks() is told: enum ompp_slot of the runtime. */
enum { BLOCK_LOAD = 16, BLOCK_STORE = 18 };

/* What the library keeps of nests for each thread: it looks again after NEST_TRIES short executions; a nest has a hash
 * of NEST_BITS, whose lowest bits are its place among N_NESTS. */
enum { NEST_TRIES = 16, N_NESTS = 64, NEST_BITS = 14 };

/* A nest with pauses switches to its hooks for NEST_ROUNDS executions of its first site in two cases: after a pause
 * that came too soon (the next one may be far away), and when the calls for its sites have cost more than the bounds
 * saved, by MOST_LOSS / 2 hooks. */
enum { NEST_ROUNDS = 1024, MOST_LOSS = 256 };

/* What the words of ompp_work count, the array in which each thread keeps the operations that it has executed
 * (runtime/counters/work.h).  First those on floating-point numbers: four kinds in each of three precisions.  A fused
 * multiply-add is an addition and a multiplication; WORK_VECTOR are those of them that the source has on vectors. */
enum { WORK_ADD, WORK_MUL, WORK_DIV, WORK_SQRT, N_WORK_KINDS };
enum { WORK_SINGLE, WORK_DOUBLE, WORK_OTHER, N_WORK_PRECISIONS };
enum {
	N_WORK_FLOPS = N_WORK_KINDS * N_WORK_PRECISIONS,
	WORK_VECTOR = N_WORK_FLOPS,
	WORK_COMPARE, /* comparisons of floating-point numbers, with minima and maxima */
	WORK_CONVERT, /* conversions of them, with roundings */
	WORK_MATH,    /* calls of other functions of the mathematical library */
	WORK_INT,     /* additions, subtractions, shifts, and logic of integers */
	WORK_INT_MUL,
	WORK_INT_DIV, /* with remainders */
	N_WORK
};

/* What functions of the mathematical library are, and those by which compilers have operations. */
enum work_function {
	WORK_NOT_KNOWN,
	WORK_IS_ROOT,
	WORK_IS_FUSED,
	WORK_IS_COMPARED,
	WORK_IS_CONVERTED,
	WORK_IS_INTEGER,
	WORK_IS_NOTHING
};
static const struct {
	const char *name;
	enum work_function is;
} work_functions[] = {
	{ "sqrt", WORK_IS_ROOT },           { "fma", WORK_IS_FUSED },           { "fms", WORK_IS_FUSED },
	{ "fnma", WORK_IS_FUSED },          { "fnms", WORK_IS_FUSED },          { "fmuladd", WORK_IS_FUSED },
	{ "fmin", WORK_IS_COMPARED },       { "fmax", WORK_IS_COMPARED },       { "minnum", WORK_IS_COMPARED },
	{ "maxnum", WORK_IS_COMPARED },     { "minimum", WORK_IS_COMPARED },    { "maximum", WORK_IS_COMPARED },
	{ "floor", WORK_IS_CONVERTED },     { "ceil", WORK_IS_CONVERTED },      { "trunc", WORK_IS_CONVERTED },
	{ "round", WORK_IS_CONVERTED },     { "roundeven", WORK_IS_CONVERTED }, { "rint", WORK_IS_CONVERTED },
	{ "nearbyint", WORK_IS_CONVERTED }, { "lrint", WORK_IS_CONVERTED },     { "llrint", WORK_IS_CONVERTED },
	{ "lround", WORK_IS_CONVERTED },    { "llround", WORK_IS_CONVERTED },   { "ifloor", WORK_IS_CONVERTED },
	{ "iceil", WORK_IS_CONVERTED },     { "iround", WORK_IS_CONVERTED },    { "irint", WORK_IS_CONVERTED },
	{ "fabs", WORK_IS_NOTHING },        { "copysign", WORK_IS_NOTHING },    { "smax", WORK_IS_INTEGER },
	{ "smin", WORK_IS_INTEGER },        { "umax", WORK_IS_INTEGER },        { "umin", WORK_IS_INTEGER },
	{ "abs", WORK_IS_INTEGER },
};

/* Finds a function by its name, in any case, with or without f or l at the end. */
static inline enum work_function work_function_of(const char *name, size_t n_name)
{
	for (size_t i = 0; i < sizeof(work_functions) / sizeof(work_functions[0]); i++) {
		size_t n = strlen(work_functions[i].name);

		if (n_name >= n && n_name <= n + 1 && !strncasecmp(name, work_functions[i].name, n) &&
		    (n_name == n || name[n] == 'f' || name[n] == 'l'))
			return work_functions[i].is;
	}
	return WORK_NOT_KNOWN;
}

#endif
