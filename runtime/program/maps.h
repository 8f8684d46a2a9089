/*
 * Maps: reads the mappings of this process from its file maps (base/proc.h), using only system calls and the stack.
 */
#ifndef OMPP_PROGRAM_MAPS_H
#define OMPP_PROGRAM_MAPS_H

#include <stdint.h>

struct ompp_mapping {
	uintptr_t lo, hi; /* hi is not included */
	int writable;
	int file;       /* 1 when it maps a file */
	int is_private; /* 1 when writes are private to the process */
	int is_kernels; /* 1 for mappings that the kernel makes for each process, [vdso] and the like */
};

/* Calls `each` with the mappings in ascending order, until it returns other than 0, which is then the result.  Returns
 * 0 at the end, or -errno when they cannot be read. */
int ompp_maps_each(int (*each)(const struct ompp_mapping *mapping, void *context), void *context);

/* Does the same with that file opened before. */
int ompp_maps_read(int fd, int (*each)(const struct ompp_mapping *mapping, void *context), void *context);

/* Finds the mapping that holds an address.  Returns 1, 0 when there is none, or -errno. */
int ompp_maps_holding(uintptr_t address, struct ompp_mapping *found);

#endif
