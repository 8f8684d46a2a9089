/*
 * Vector width: what the bytes of an x86-64 instruction say about its access to memory.
 *
 * QEMU splits an access of 16 or 32 bytes into some of 8, and one that locks the bus into a load and a store where the
 * process has one thread.
 */
#ifndef OMPP_EMULATOR_VECTOR_WIDTH_H
#define OMPP_EMULATOR_VECTOR_WIDTH_H

#include <stddef.h>

struct ompp_vector_width {
	unsigned int n_bytes;    /* that QEMU accesses: 16 or 32 when it is so wide, else 0 */
	unsigned int n_accessed; /* that the processor accesses, where these are less; else 0 */
	unsigned int is_locked;
};

struct ompp_vector_width ompp_vector_width(const unsigned char *code, size_t n);

#endif
