/*
 * Calls: looks up the program's calls by their return addresses, for the names of what they allocate.
 *
 * Two return addresses belong to the same call if debug information has the same locations with columns for both, also
 * for the functions that they were inlined into: compilers copy a call when they unroll loops, inline or clone
 * functions. Without columns, each return address counts as a separate call.
 */
#ifndef OMPP_DATA_SUMS_SUM_CALLS_H
#define OMPP_DATA_SUMS_SUM_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/program/debuginfo.h"

struct ompp_text;

struct ompp_call {
	uintptr_t address;  /* as a key (host/past.h) */
	const char *app;    /* the program's name */
	const char *loaded; /* the file, and the offset in it: "" and 0 when not known */
	uintptr_t offset;
	int is_ours;                        /* in libompp */
	struct ompp_debug_call at;          /* `offset` is after the call, like `address` */
	const struct ompp_debug_frame *own; /* the innermost frame in the program's own source; NULL without one */
	const uint32_t *locations;          /* numbers of locations; equal for equal calls */
	size_t n_locations;
};

struct ompp_calls;

/* The file that an address is in. */
struct ompp_call_file {
	const char *path;  /* to open it */
	const char *shown; /* the same, but that of the program is always "/proc/self/exe" */
	uintptr_t offset;  /* offset of the address in it */
	int is_ours;       /* 1 for libompp; also set when the file is not found */
};

/* Finds the file of the address that has this key.  Returns 0, or -ENOENT.  The texts are valid until the next call. */
typedef int ompp_call_find(void *context, uint64_t key, struct ompp_call_file *file);

/* Returns NULL without memory.
 * app: the program's name */
struct ompp_calls *ompp_calls_new(struct ompp_arena *arena, const char *app, ompp_call_find *find, void *context);

/* Returns the data of a call, which stay valid; NULL without memory. */
const struct ompp_call *ompp_call_at(struct ompp_calls *calls, uintptr_t address);

/* Returns how many calls were not looked up, as there are too many. */
uint64_t ompp_calls_unasked(const struct ompp_calls *calls);

/* Writes the place of a frame, "a.c:12". */
void ompp_call_put_frame(struct ompp_text *t, const struct ompp_debug_frame *frame);

/* Writes the place of a call without own frame: "f+0x28" by its symbol, else "prog+0x1149". */
void ompp_call_put_address(struct ompp_text *t, const struct ompp_call *call);

#endif
