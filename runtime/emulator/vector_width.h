/*
 * Vector width: decodes how an x86-64 instruction accesses memory.
 *
 * This is needed because QEMU splits an access of 16 or 32 bytes into several of 8, and, in processes with one thread,
 * a locked access into a load and a store.
 */
#ifndef OMPP_EMULATOR_VECTOR_WIDTH_H
#define OMPP_EMULATOR_VECTOR_WIDTH_H

#include "runtime/emulator/instruction.h"

struct ompp_vector_width {
	unsigned int n_bytes;    /* that QEMU accesses: 16 or 32 when it is so wide, else 0 */
	unsigned int n_accessed; /* that the processor accesses, where these are less; else 0 */
	unsigned int is_locked;
};

struct ompp_vector_width ompp_vector_width(const struct ompp_instruction *p);

#endif
