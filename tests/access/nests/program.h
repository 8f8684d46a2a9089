/*
 * program.h: what the generated programs in C and C++ are made with (nests.c).  run.c, which has no hooks, fills the
 * arrays before each function and prints their sums after it.
 */
#ifndef NESTS_PROGRAM_H
#define NESTS_PROGRAM_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include <array>
#include <atomic>
#include <vector>
#define NESTS_C extern "C"
typedef std::atomic<int> atomic_number;
#else
#define NESTS_C
typedef _Atomic int atomic_number;
#endif

#define NOINLINE __attribute__((noinline))

__extension__ typedef unsigned __int128 wide;
typedef __complex__ double cdouble;

struct record {
	double b;
	int a;
	short c;
	signed char d;
	unsigned char e;
};

struct __attribute__((packed)) packed {
	signed char c;
	double d;
	short s;
};

struct bits {
	unsigned int a : 5, b : 11, c : 16;
	int d : 7, e : 25;
};

union mixed {
	uint64_t l;
	int i[2];
	unsigned char c[8];
	double d;
};

struct node {
	struct node *next;
	uint64_t value;
};

struct __attribute__((packed, may_alias)) unaligned {
	uint64_t v;
};
struct __attribute__((packed, may_alias)) unaligned4 {
	uint32_t v;
};

/* What an array's elements are, for filling and for sums. */
enum nests_kind { NUMBERS, INDICES, ROWS, FLOATS, DOUBLES, LONG_DOUBLES, RECORDS, PACKED, NODES, POINTERS, KINDS };

enum { NESTS_ROWS = 24, NESTS_COLUMNS = 24, NESTS_NODES = 100 };

/* An array is there, of so many bytes. */
NESTS_C void nests_array(const void *array, size_t n_bytes, int kind);
/* Fills all arrays; the same at each call. */
NESTS_C void nests_prepare(void);
/* Prints the function's result and the sum of all arrays. */
NESTS_C void nests_check(int function, uint64_t result);
/* The number itself; the compiler does not know. */
NESTS_C long nests_opaque(long number);
/* It may do anything, as far as the compiler knows. */
NESTS_C void nests_outside(void);
/* It does not return where `now` is not 0. */
NESTS_C void nests_jump(int now);
extern jmp_buf nests_env;
NESTS_C double *nests_rows_memory(int row);

/* Numbers that are read from memory each time. */
extern long nests_bounds[64];
extern volatile long nests_volatile_bounds[64];

#endif
