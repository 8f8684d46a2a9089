/*
 * Loaded: which of the program and its libraries an address is in, or was in before they were unloaded (past.h).
 */
#ifndef OMPP_HOST_LOADED_H
#define OMPP_HOST_LOADED_H

#include <stdint.h>

enum { OMPP_LOADED_PATH_BYTES = 4096 };

/* A file in memory: what is added to its addresses, where in it the address is, and its path; the program itself is
 * "/proc/self/exe". */
struct ompp_loaded {
	uintptr_t bias, offset;
	char path[OMPP_LOADED_PATH_BYTES];
};

/* Stands behind the path of a file when another one has its path by now, whose symbols are not its own. */
#define OMPP_LOADED_REPLACED " (replaced)"

/* Finds the file that holds an address, or the key of one that was kept.  Returns 0, or -ENOENT. */
int ompp_loaded_find(struct ompp_loaded *file, uint64_t key);

/* Learns where libompp's own instructions are; ompp_loaded_is_own() then tells of an address whether it is one of them.
 * In a program that has libompp in itself nobody knows, and none is.  COLD. */
void ompp_loaded_start(void);
extern uintptr_t ompp_loaded_own_lo, ompp_loaded_own_hi;   /* both 0 when it is not known */
extern uintptr_t ompp_loaded_data_lo, ompp_loaded_data_hi; /* the same of its variables, from ompp_loaded_start() on */
static inline int ompp_loaded_is_own(uintptr_t address)
{
	return address - ompp_loaded_own_lo < ompp_loaded_own_hi - ompp_loaded_own_lo;
}

#endif
