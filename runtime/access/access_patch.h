/*
 * Access patch: lets access hooks jump to their sampling variants (adapters/access_pair.h).
 *
 * The first instruction of a hook is replaced by a jump, with one atomic store of 16 bytes (of 4 on 64-bit ARM, where
 * hooks begin with a branch), while its page is writable for a moment.  This is done at the start of the session for
 * hooks that are known, which other threads may be in, and for others when the constructor of their program or library
 * registers them, before any thread runs them.  Nothing is patched unless samples are requested.
 */
#ifndef OMPP_ACCESS_ACCESS_PATCH_H
#define OMPP_ACCESS_ACCESS_PATCH_H

#include <stdint.h>

/* Patches all hooks, those that are known now and those registered later.  Called once, at the start of the session.
 * COLD. */
void ompp_access_patch_start(void);

/* Decides that hooks are not patched. */
void ompp_access_patch_skip(void);

/* Removes the hooks in [lo, hi), which are about to be unloaded. */
void ompp_access_patch_unloaded(uintptr_t lo, uintptr_t hi);

/* The results of patching the program and its libraries. */
struct ompp_access_patches {
	uint32_t n_patched, n_refused; /* programs and libraries */
	int error; /* why the last one was refused: the kernel's errno, or 0 for unexpected instructions */
};
struct ompp_access_patches ompp_access_patches(void);

#endif
