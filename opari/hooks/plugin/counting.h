/*
 * Counting: what both plug-ins and the library (runtime/adapters/run_hooks.c, runtime/data/tally.h) agree on.
 */
#ifndef KINST_PLUGIN_COUNTING_H
#define KINST_PLUGIN_COUNTING_H

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

#endif
