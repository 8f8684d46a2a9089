/*
 * Calls: what is known of the program's calls by their return addresses, for names of what they allocate.
 *
 * A call is the same as another one where debug information has the same places for both, with their columns, also
 * for the functions that they were inlined into: compilers copy a call when they unroll loops, inline or clone
 * functions. Where that knows no columns, each return address is a call of its own.
 */
#ifndef OMPP_COLLECT_CALLS_H
#define OMPP_COLLECT_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/collect/merge.h"
#include "runtime/program/debuginfo.h"

struct ompp_text;

struct ompp_call {
	uintptr_t address;
	const char *loaded; /* the file in memory, and where in it: "" and 0 when it is not loaded any more */
	uintptr_t offset;
	int is_ours;                        /* in libompp */
	struct ompp_debug_call at;          /* `offset` is behind the call, as `address` is */
	const struct ompp_debug_frame *own; /* the innermost frame in the program's own source; NULL without one */
	const uint32_t *places;             /* numbers of places; two calls are the same where these are */
	size_t n_places;
};

struct ompp_calls;

/* Returns NULL without memory. */
struct ompp_calls *ompp_calls_new(struct ompp_merge *merge);

/* Returns what is known of a call, which stays; NULL without memory. */
const struct ompp_call *ompp_call_at(struct ompp_calls *calls, uintptr_t address);

/* Returns how many calls nobody was asked about, as there are so many. */
uint64_t ompp_calls_unasked(const struct ompp_calls *calls);

/* Writes the place of a frame, "a.c:12". */
void ompp_call_put_frame(struct ompp_text *t, const struct ompp_debug_frame *frame);

/* Writes the place of a call without own frame: "f+0x28" by its symbol, else "prog+0x1149". */
void ompp_call_put_address(struct ompp_text *t, const struct ompp_call *call);

#endif
