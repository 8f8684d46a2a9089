/*
 * Loaded: finds the program or library that contains an address, also one that is unloaded by now (past.h).
 */
#ifndef OMPP_HOST_LOADED_H
#define OMPP_HOST_LOADED_H

#include <stdint.h>

enum { OMPP_LOADED_PATH_BYTES = 4096 };

/* A file in memory: its load bias, the address's offset in it, and its path; the program itself is "/proc/self/exe". */
struct ompp_loaded {
	uintptr_t bias, offset;
	char path[OMPP_LOADED_PATH_BYTES];
};

/* Appended to the path of a file that was replaced by another file, so that the symbols there are not its own. */
#define OMPP_LOADED_REPLACED " (replaced)"

/* Finds the file that contains an address, given as an address or as its key (past.h).  Returns 0, or -ENOENT. */
int ompp_loaded_find(struct ompp_loaded *file, uint64_t key);

/* Returns 1 when the program or a library that it needs was linked with libompp; 0 when libompp was only preloaded into
 * it.  COLD. */
int ompp_loaded_is_linked(void);

/* Returns 1 when a file that was linked with libompp calls a function whose name is_it() takes.  0 in a program that
 * has libompp linked in statically, of which that is not known.  COLD. */
int ompp_loaded_calls(int (*is_it)(const char *name));

/* Finds libompp's own code; ompp_loaded_is_own() then tells whether an address lies in it.  In a program that has
 * libompp linked in statically the range is not known, and no address counts as ours.  COLD. */
void ompp_loaded_start(void);
extern uintptr_t ompp_loaded_own_lo, ompp_loaded_own_hi;   /* both 0 when it is not known */
extern uintptr_t ompp_loaded_data_lo, ompp_loaded_data_hi; /* the same for its variables, from ompp_loaded_start() on */
static inline int ompp_loaded_is_own(uintptr_t address)
{
	return address - ompp_loaded_own_lo < ompp_loaded_own_hi - ompp_loaded_own_lo;
}

#endif
