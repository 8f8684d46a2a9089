/*
 * Uncounted: accesses by intrinsics that the program uses, for which GCC makes no hook.
 *
 * kinst finds them in the machine code of objects without the plug-in; here the compiler may use the same instructions
 * for accesses that are counted.
 */
#ifndef KINST_PLUGIN_UNCOUNTED_H
#define KINST_PLUGIN_UNCOUNTED_H

#include "gcc.h"

struct uncounted {
	bool elements; /* of vectors: masked, gathered, scattered */
	bool streams;  /* stores past the caches */
};

/* Looks for them in a function. */
void find_uncounted(function *function, struct uncounted *found);

/* Writes what was found, as kinst tells it to the user. */
void write_uncounted(const struct uncounted *found, const char *path);

#endif
