/*
 * Region: what the program's text says about a construct, registered once for the whole process.
 *
 * Handles are assigned lazily from the CTC string that enter calls carry, so archives, shared libraries and dlopen
 * need no step at link time.  The same CTC text (a template, a header) is one region.  Registering is COLD and takes
 * a lock; a definition never changes or goes away after its pointer is published.
 */
#ifndef OMPP_CORE_REGION_H
#define OMPP_CORE_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/construct.h"

/* Parts of a construct: the call-tree key is (region, part). */
enum ompp_part {
	OMPP_PART_REGION,               /* enter … exit of anything */
	OMPP_PART_FORK,                 /* PARALLEL*: fork … join, on the forking thread */
	OMPP_PART_TEAM,                 /* PARALLEL*: begin … end of one thread; the key also holds the team rank */
	OMPP_PART_BODY,                 /* begin … end of a critical, single, ordered, or one section */
	OMPP_PART_BARRIER,              /* the implicit barrier */
	OMPP_PART_TASKEXEC,             /* begin … end of a task instance */
	OMPP_PART_HOST,                 /* the root of a host thread; the key's rank is the host's number */
	OMPP_PART_WORK                  /* the worksharing part of a combined parallel construct */
};

/* key = id << 32 | part << 28 | rank; never 0, as ids start at 1 (the host part has id 0 and rank ≥ 1). */
#define OMPP_KEY(id, part)     ((uint64_t)(id) << 32 | (uint64_t)(part) << 28)
#define OMPP_KEY_ID(key)       ((uint32_t)((key) >> 32))
#define OMPP_KEY_PART(key)     ((enum ompp_part)((key) >> 28 & 15))
#define OMPP_KEY_RANK(key)     ((uint32_t)(key) & 0xfffffffu)
enum { OMPP_MAX_RANK = 0xfffffff };

struct ompp_region_def {
	uint64_t            key;                /* OMPP_KEY(id, 0): add OMPP_KEY(0, part) */
	int                 off;                /* 1: filtered or disabled; events return at once */
	int                 own_barrier;        /* 1: its wait at the end has no events, and is in its body */
	enum ompp_construct construct;
	const char         *file;               /* "" when there is none */
	uint32_t            begin_line, end_line;
	const char         *name;
	const char         *clauses;            /* see struct ompp_ctc */
	uintptr_t           address;            /* of a function; else 0 */

	/* Where a function is in the source, and the id that a region is shown as, mostly its own; reports alone write (of functions,
	 * collect/functions.h) and read them. */
	const char         *source;             /* NULL: nobody asked; "": it is not known */
	uint32_t            source_line, shown_as;
};

/* Definition for a CTC string of at most n bytes (Fortran strings have no end).  The result is published in *handle
 * and is NULL when there is no memory.  Also from several threads at once.  COLD. */
struct ompp_region_def *ompp_region_assign(void **handle, const char *ctc, size_t n_bytes);

/* Definition of a region without CTC: user region by call, function, lock.  Same construct, name, file and line: same
 * region.  file NULL is "". */
struct ompp_region_def *ompp_region_named(enum ompp_construct construct, const char *name, const char *file,
                                          uint32_t line);

/* Definition of the function at an address, under that name.  NULL without memory. */
struct ompp_region_def *ompp_region_function(const char *name, uintptr_t address);

/* Note where it is in the source; "" and 0: that is not known. */
void ompp_region_found_at(struct ompp_region_def *def, const char *source, uint32_t line);

/* Do counters cover this part of the construct?  1 when nothing is known of it.  Of loops and teams they cover all but
 * the implicit barrier, whose counts have to be known for that. */
int ompp_region_counts(const struct ompp_region_def *def, enum ompp_part part);

/* Does OMPP_FILTER name it?  Asked of each region when it is registered; of a lock again, when it has a name. */
int ompp_region_is_filtered(const struct ompp_region_def *def);

/* In a forked child: whoever held the lock is gone. */
void ompp_regions_after_fork(void);

/* All definitions: ids 1 … n.  Safe while others register. */
uint32_t ompp_region_count(void);
struct ompp_region_def *ompp_region_by_id(uint32_t id);

#endif
