/*
 * Past: the files that were in memory as the program and its libraries, also those that are unloaded by now, so that
 * addresses in them still have names at the end.
 *
 * A file is noted when an address in it is met, and all are before one is unloaded.  Another file may be loaded where
 * one was before: then it gets a number, which is part of the key of each address in it.  Addresses that are kept
 * longer than a call are kept as keys; a key is the address itself as long as no file was unloaded there.
 *
 * All but ompp_past_note() may be called in signal handlers, inside malloc, and while the dynamic linker's lock is
 * held; where _dl_find_object() is not there, files that were not noted are then met under that lock (see callstack.h).
 */
#ifndef OMPP_HOST_PAST_H
#define OMPP_HOST_PAST_H

#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/host/image.h"

enum {
	OMPP_PAST_FILES = 512,
	OMPP_PAST_PATH_BYTES = 512,
	OMPP_PAST_NUMBER_SHIFT = 57, /* of the number in a key; addresses of programs end below, those of the kernel
	                                have the highest bit */
	OMPP_PAST_UNKNOWN = 63       /* the number in the keys of addresses of which nobody knows the file */
};

/* A file.  Constant once it is noted, but for is_here. */
struct ompp_past_file {
	uintptr_t lo, hi, bias; /* where it was in memory; what was added to its addresses */
	uint32_t number;
	uint32_t is_program;
	uint32_t is_here;                /* 0 when it was unloaded */
	char path[OMPP_PAST_PATH_BYTES]; /* from the root; "" when it is longer */
	struct ompp_image image;
};

/* How many files were unloaded, each once.  Read by ompp_past_key() alone. */
extern uint32_t ompp_past_n_gone __attribute__((visibility("hidden")));

/* Notes all files that are in memory, and finds which are not any more.  It takes the dynamic linker's lock; not to be
 * called in signal handlers.  WARM: around dlclose(), and when something was loaded. */
void ompp_past_note(void);

/* Returns the file that is in memory at this address, by its number in the order in which they were noted; UINT32_MAX
 * when it is not known. */
uint32_t ompp_past_meet(uintptr_t address);

/* Returns the file with this number; NULL when there is none. */
const struct ompp_past_file *ompp_past_file(uint32_t index);

/* Returns the key of an address of something that is in memory now. */
uintptr_t ompp_past_key_of(uintptr_t address);
static inline uintptr_t ompp_past_key(uintptr_t address)
{
	return OMPP_LOAD(&ompp_past_n_gone) ? ompp_past_key_of(address) : address;
}

/* The parts of a key. */
static inline uint32_t ompp_past_number(uint64_t key)
{
	return key >> 63 ? 0 : (uint32_t)(key >> OMPP_PAST_NUMBER_SHIFT);
}
static inline uintptr_t ompp_past_address(uint64_t key)
{
	return key >> 63 ? (uintptr_t)key : (uintptr_t)(key & (((uint64_t)1 << OMPP_PAST_NUMBER_SHIFT) - 1));
}

/* Returns the file that a key is in, if it was noted; NULL when none was. */
const struct ompp_past_file *ompp_past_at(uint64_t key);

/* Notes for the report which of these limits were met, so that names are missing.  COLD. */
void ompp_past_say(void);

/* Lets a forked child note files, too. */
void ompp_past_after_fork(void);

#endif
