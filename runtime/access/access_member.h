/*
 * Access member: counts accesses by the members of the structures of which an object is made (OMPP_FIELDS).
 *
 * The structure of an object is looked up at the first access to it (program/element.h): for a variable by its address,
 * for a block by the calls that allocated it, for memory that the program names by the call that names it.  From then
 * on accesses are counted by their offset in the element (data/member_use.h).
 */
#ifndef OMPP_ACCESS_ACCESS_MEMBER_H
#define OMPP_ACCESS_ACCESS_MEMBER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/tally.h"
#include "runtime/program/element.h"

struct ompp_thread;

/* 1 when members are counted.  Written once, before any segment exists. */
extern int ompp_access_members_on __attribute__((visibility("hidden")));

/* Reads OMPP_FIELDS, and OMPP_LAYOUTS, which needs members.  Called once.  COLD. */
void ompp_access_members_start(void);

/* Has structures asked for when memory gets its name, and not at an access: an emulator hands accesses over where the
 * helper that answers cannot be reached. */
void ompp_access_members_ask_early(void);

/* Waits until this has been done for all that has its name: another thread may still be asking for the structure of a
 * site of which the calling thread has a block, too. */
void ompp_access_members_wait(void);

/* Notes where the program gives memory a name: the return address of the call. */
void ompp_access_member_named(const char *name, uintptr_t caller);

/* Counts n accesses of n_bytes, the first at `base`, and each a step after the one before; all of them are in memory
 * with this cover, and in one place of its objects.  WARM.
 * slot: of the tally; OMPP_SLOT_LOAD and the like */
void ompp_access_member_add(const struct ompp_tally *tally, uint32_t cover, uintptr_t base, size_t step, size_t n,
                            size_t n_bytes, unsigned int slot) __attribute__((visibility("hidden")));

/* Where an access is in the elements of an object. */
struct ompp_member_spot {
	const struct ompp_element *element;
	uintptr_t lo;     /* the first element */
	uint64_t n_bytes; /* of all of them */
	uint64_t at;      /* the access, from lo on */
};

/* Finds where an address is in the elements of an object.  Returns 0 when these are no structures, or not known. */
int ompp_access_member_spot(struct ompp_thread *t, uint32_t object, uintptr_t address, struct ompp_member_spot *spot)
	__attribute__((visibility("hidden")));

/* Returns the structure of an object that has been accessed; NULL when it has none, or nobody has asked. */
const struct ompp_element *ompp_access_element(uint32_t object);

/* Returns where the elements of an object begin within a cache line, as far as its newest memory tells. */
uint64_t ompp_access_element_phase(uint32_t object);

/* Returns how many accesses were not counted, as the structure was being asked for, for lack of room, or as their block
 * had been freed when the emulator handed them over. */
uint64_t ompp_access_members_lost(void);

/* Returns how many accesses were not counted, as they are in blocks that are no whole number of the structure of which
 * the other blocks of their call are. */
uint64_t ompp_access_members_unlike(void);

/* Call it in a forked child, whose threads begin to count anew. */
void ompp_access_members_after_fork(void);

#endif
