/*
 * Region: the description of a construct in the source, registered once for the whole process.
 *
 * Handles are assigned at the first event, from the CTC string that enter calls carry, so static libraries, shared
 * libraries and dlopen need no step at link time.  Regions with the same CTC text (in a header) are one region, unless
 * the text says perHandle=1, as kinst has it in C++: each instantiation of a template has a handle of its own.
 * Registering is COLD and takes a lock; a definition is never changed or freed after its pointer is published.
 */
#ifndef OMPP_CORE_REGION_H
#define OMPP_CORE_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/span/schedule.h"
#include "runtime/terms/construct.h"

/* Parts of a construct: the call-tree key is (region, part). */
enum ompp_part {
	OMPP_PART_REGION,   /* enter … exit of anything */
	OMPP_PART_FORK,     /* PARALLEL*: fork … join, on the forking thread */
	OMPP_PART_TEAM,     /* PARALLEL*: begin … end of one thread; the key also holds the team rank */
	OMPP_PART_BODY,     /* begin … end of a critical, single, ordered, or one section */
	OMPP_PART_BARRIER,  /* the implicit barrier */
	OMPP_PART_TASKEXEC, /* begin … end of a task instance */
	OMPP_PART_HOST,     /* the root of a host thread; the key's rank is the host's number */
	OMPP_PART_WORK      /* the worksharing part of a combined parallel construct */
};

/* key = id << 32 | part << 28 | rank; never 0, as ids start at 1 (the host part has id 0 and rank ≥ 1). */
#define OMPP_KEY(id, part) ((uint64_t)(id) << 32 | (uint64_t)(part) << 28)
#define OMPP_KEY_ID(key)   ((uint32_t)((key) >> 32))
#define OMPP_KEY_PART(key) ((enum ompp_part)((key) >> 28 & 15))
#define OMPP_KEY_RANK(key) ((uint32_t)(key)&0xfffffffu)
enum { OMPP_MAX_RANK = 0xfffffff };

/* Sources tell different numbers of a region. */
#define OMPP_NUMBERS_DIFFER UINT32_MAX

struct ompp_region_def {
	uint64_t key;                 /* OMPP_KEY(id, 0), see ompp_region_key() */
	int off;                      /* 1 when the region is filtered or disabled: events return at once */
	int own_barrier;              /* 1 when the wait at its end has no events: its time is part of the body's */
	int is_after_some;            /* 1 when it has a clause depend: a taskwait with it waits for some tasks only */
	struct ompp_loop_order order; /* of a loop: in which order threads get its iterations */
	int is_on_demand;             /* 1 of a loop whose schedule hands iterations out on demand */
	int has_no_ends;              /* 1 when nothing tells when its bodies end: SECTIONS, SINGLE (call_region.c) */
	enum ompp_construct construct;
	const char *file; /* "" when there is none */
	uint32_t begin_line, end_line;
	uint32_t number; /* see struct ompp_ctc; OMPP_NUMBERS_DIFFER */
	const char *name;
	const char *clauses; /* see struct ompp_ctc */
	/* Of a function, of the call by which the region is known (where that returns to), or of the region's one
	 * handle, as a key (host/past.h); else 0. */
	uintptr_t address;

	uint32_t is_told; /* 1 when its events are what the OpenMP library tells (interpose/ompt_events.c) */

	uint32_t is_open; /* 1 of a user region that goes on where the function returns which began it */

	_Atomic uint32_t task_number; /* of its tasks, for interpose/gomp_tasks.c; 0 before the first one */

	/* Where a function or a call is in the source, and the id under which a region is reported, mostly its own.
	 * Only reports write and read them (for functions see collect/sum_functions.h). */
	const char *instantiation; /* of a handle: see ompp_region_found_in(); else NULL */
	const char *source;        /* NULL before it was looked up; "" when it is not known */
	const char *symbol;        /* of a call whose place is not known: main+0x1f; else NULL */
	uint32_t source_line, shown_as;
};

/* Returns the definition for a CTC string of at most n_bytes (Fortran strings have no end), and publishes it in
 * *handle; NULL when there is no memory.  Several threads may call it at once.  COLD. */
struct ompp_region_def *ompp_region_assign(void **handle, const char *ctc, size_t n_bytes);

/* Returns the definition of a region without CTC: a user region by call, a function, or a lock.  The same construct,
 * name, file and line give the same region; a NULL file is "". */
struct ompp_region_def *ompp_region_named(enum ompp_construct construct, const char *name, const char *file,
                                          uint32_t line);

/* Returns the definition of the function at an address, under that name; NULL without memory. */
struct ompp_region_def *ompp_region_function(const char *name, uintptr_t address);

/* Returns the definition of a construct in a file that kinst did not build, by the address to which its call returns;
 * NULL without memory. */
struct ompp_region_def *ompp_region_call(enum ompp_construct construct, const char *name, uintptr_t address);

/* Returns its name in reports: of a call whose place in the source is not known, what is said instead.  Only for
 * reports. */
static inline const char *ompp_region_shown_name(const struct ompp_region_def *def)
{
	return !def->name[0] && def->symbol ? def->symbol : def->name;
}

/* Returns 1 when the region is known by an address of code, from which reports find its place in the source. */
static inline int ompp_region_is_code(const struct ompp_region_def *def)
{
	return def->address && !def->file[0];
}

/* Sets the instantiation of a template that a region stands in; "" for none. */
void ompp_region_found_in(struct ompp_region_def *def, const char *instantiation);

/* Sets where it is in the source; "" and 0 when that is not known. */
void ompp_region_found_at(struct ompp_region_def *def, const char *source, uint32_t line);

/* Sets the symbol before a call whose place in the source is not known. */
void ompp_region_found_behind(struct ompp_region_def *def, const char *symbol);

/* Returns the key of a part of the region. */
static inline uint64_t ompp_region_key(const struct ompp_region_def *def, enum ompp_part part)
{
	return def->key + OMPP_KEY(0, part);
}

/* Returns 1 when counters cover this part of the construct, or when the construct is unknown.  They also read the
 * implicit barrier of loops and teams, whose counts must be known to subtract them. */
int ompp_region_counts(const struct ompp_region_def *def, enum ompp_part part);

/* Returns 1 when this part is a whole visit of the construct, and it is kept how long each took
 * (statistics/durations.h): not of what is single instructions, nor of making tasks, nor of locks, whose visits are
 * three calls, nor of locks of threads, of which only those are timed that wait, nor of functions, which are many. */
int ompp_region_has_durations(enum ompp_construct construct, enum ompp_part part);

/* Returns 1 when OMPP_FILTER names the region.  Called for each region when it is registered, and again for a lock when
 * it gets a name. */
int ompp_region_is_filtered(const struct ompp_region_def *def);

/* Frees the registering lock in a forked child, where the thread that held it is gone. */
void ompp_regions_after_fork(void);

/* Return all definitions, by their ids from 1 to the count.  They may be called while other threads register. */
uint32_t ompp_region_count(void);
struct ompp_region_def *ompp_region_by_id(uint32_t id);

/* Returns, for a reader of this process's memory, the address of the array of pages with pointers to definitions; the
 * number of pointers per page; and the address of the number of definitions. */
const void *ompp_region_pages(uint32_t *n_a_page, const void **number);

#endif
