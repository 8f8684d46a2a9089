/*
 * holes.h: kernels whose accesses are known by arithmetic.  Each runs as a region of its own name; x, y and constants are
 * named data.
 *
 * The counts hold at every level of optimisation: no kernel reads a place twice or writes what nobody reads, so that a
 * difference is an access without a hook, or one too many.
 */
#ifndef HOLES_H
#define HOLES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ompp.h>

#define N    1000               /* repetitions of nearly all kernels */
#define ROOM (1 << 23)          /* bytes of x and of y */

/* What a kernel does with an object: loads, stores, atomics, bytes of all. */
struct counts { long loads, stores, atomics, bytes; };

struct kernel {
	const char *name;
	void (*run)(void *x, void *y, int n);
	struct counts x, y;
	const char *other;              /* the object that takes the place of y, or NULL */
};

static char x_room[ROOM] __attribute__((aligned(64))), y_room[ROOM] __attribute__((aligned(64)));

/* y is something else for this kernel. */
static inline void name_y(const volatile void *p, size_t n_bytes)
{
	ompp_data_begin((const void *)p, n_bytes, "y");
}

/* Constants have a name of their own. */
static inline void name_constants(const void *p, size_t n_bytes)
{
	ompp_data_begin(p, n_bytes, "constants");
}

/* Everything may have read and written all of the memory. */
#define BARRIER(p) __asm__ volatile("" : : "r"(p) : "memory")

/* In the definition of a kernel, and of its row in the table. */
#define KERNEL(name) static __attribute__((noinline)) void name(void *px, void *py, int n)
#define LOADS(n, size)  { n, 0, 0, (n) * (long)(size) }
#define STORES(n, size) { 0, n, 0, (n) * (long)(size) }
#define NONE            { 0, 0, 0, 0 }
#define UPDATES(size)   { N, N, 0, 2L * N * (long)(size) }
#define ATOMICS(size)   { 0, 0, N, N * (long)(size) }
#define LOADS_STORES(size) LOADS(N, size), STORES(N, size)
#define TENTH(size)     LOADS(N / 10, size), STORES(N / 10, size)
#define ROW(name, ...)  { #name, name, __VA_ARGS__ }

/* Run all of them, and write what they shall have done: KERNEL OBJECT LOADS STORES ATOMICS BYTES. */
static void run_all(const struct kernel *kernels, size_t n, const char *list)
{
	FILE *out = fopen(list, "w");

	if (!out)
		exit(1);
	for (size_t i = 0; i < n; i++) {
		const struct kernel *k = kernels + i;

		memset(x_room, 1, sizeof(x_room));
		memset(y_room, 1, sizeof(y_room));
		for (size_t b = 7; b < sizeof(x_room); b += 8)
			x_room[b] = 0;
		BARRIER(x_room);
		BARRIER(y_room);
		ompp_data_begin(x_room, sizeof(x_room), "x");
		name_y(y_room, sizeof(y_room));
		ompp_region_begin_at(k->name, "holes", (int)i + 1);
		k->run(x_room, y_room, N);
		ompp_region_end(k->name);
		ompp_data_end("x");
		ompp_data_end("y");
		BARRIER(x_room);
		BARRIER(y_room);
		fprintf(out, "%s x %ld %ld %ld %ld\n", k->name, k->x.loads, k->x.stores, k->x.atomics, k->x.bytes);
		fprintf(out, "%s %s %ld %ld %ld %ld\n", k->name, k->other ? k->other : "y", k->y.loads, k->y.stores,
			k->y.atomics, k->y.bytes);
	}
	fclose(out);
}

#endif
