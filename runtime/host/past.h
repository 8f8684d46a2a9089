/*
 * Past: the program and all libraries that were ever loaded, also those that are unloaded by now, so that addresses in
 * them can still be given names at the end.
 *
 * A file is recorded when an address in it is seen, and all loaded files are recorded before one is unloaded.  A file
 * that is loaded where another one was before gets a number, which is part of the key of each address in it.  Addresses
 * that are stored for longer than a call are stored as keys; a key is the address itself as long as no file was
 * unloaded there.
 *
 * All but ompp_past_note() may be called in signal handlers, inside malloc, and while the dynamic linker's lock is
 * held; without _dl_find_object(), looking up a file that was not recorded takes that lock (see callstack.h).
 */
#ifndef OMPP_HOST_PAST_H
#define OMPP_HOST_PAST_H

#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/host/image.h"

enum {
	OMPP_PAST_FILES = 512,
	OMPP_PAST_PATH_BYTES = 512,
	OMPP_PAST_NUMBER_SHIFT = 57, /* of the number in a key; user-space addresses end below it, kernel addresses have
	                                the highest bit */
	OMPP_PAST_UNKNOWN = 63       /* the number in the keys of addresses whose file is not known */
};

/* A file.  Constant once it is recorded, except is_here. */
struct ompp_past_file {
	uintptr_t lo, hi, bias; /* its address range in memory; its load bias */
	uint32_t number;
	uint32_t is_program;
	uint32_t is_here;                /* 0 when it was unloaded */
	char path[OMPP_PAST_PATH_BYTES]; /* absolute; "" when it is longer */
	struct ompp_image image;
};

/* The number of files that were unloaded.  Only ompp_past_key() reads it. */
extern uint32_t ompp_past_n_gone __attribute__((visibility("hidden")));

/* Records all files that are loaded, and finds which were unloaded.  It takes the dynamic linker's lock; do not call it
 * in signal handlers.  WARM: around dlclose(), and after a library was loaded. */
void ompp_past_note(void);

/* Returns the index of the file that is loaded at this address, in the order of recording; UINT32_MAX when it is not
 * known. */
uint32_t ompp_past_meet(uintptr_t address);

/* Returns the file with this number; NULL when there is none. */
const struct ompp_past_file *ompp_past_file(uint32_t index);

/* Returns the key of an address in a file that is loaded now. */
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

/* Returns the file of a key; NULL when it was not recorded. */
const struct ompp_past_file *ompp_past_at(uint64_t key);

/* Adds a note to the report for each limit above that was reached, so that names are missing.  COLD. */
void ompp_past_say(void);

/* Prepares a forked child to record files, too. */
void ompp_past_after_fork(void);

#endif
