/*
 * kernel.h: what every kernel tells.  kernel.c writes it to the file descriptor KERNEL_FD, in lines: what a trace of
 * addresses is compared with.
 *
 * A kernel names its arrays before it touches them, once, and never frees them; it accesses them in its own source only.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* Sizes: of what grows with n, and with n × n; more for measuring times. */
#ifndef SCALE
#define SCALE 1
#endif
#ifndef SIDE
#define SIDE 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An array of this name is there, from now on. */
void kernel_array(const char *name, const void *address, size_t n_bytes);

/* What the source text executes of references to the array: at the end. */
void kernel_expect(const char *name, uint64_t n_loads, uint64_t n_stores, uint64_t n_atomics);

/* The result, to standard output: the same in all builds.  And the seconds since the first array. */
void kernel_sum(double sum);

#ifdef __cplusplus
}
#endif

#endif
