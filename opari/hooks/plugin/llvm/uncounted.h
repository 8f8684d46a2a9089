/*
 * Uncounted: accesses for which LLVM makes no hook.
 *
 * kinst finds them in the machine code of objects without the plug-in; here the compiler may use the same instructions
 * for accesses that are counted.
 */
#ifndef KINST_PLUGIN_UNCOUNTED_H
#define KINST_PLUGIN_UNCOUNTED_H

#include "calls.h"

struct uncounted {
	bool elements; /* of vectors: masked, gathered, scattered */
	bool extended; /* long double */
	bool vectors;  /* of more than 16 bytes */
};

/* Looks for them in a function. */
void find_uncounted(const llvm::Function &function, struct uncounted *found);

/* Writes what was found, as kinst tells it to the user. */
void write_uncounted(const struct uncounted *found, const char *path);

#endif
