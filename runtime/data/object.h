/*
 * Object: the names of data, and the sets of them that can lie over one byte.
 *
 * A cover is the set of objects that claim a piece of memory: most often one; several where ranges overlap or nest.
 * Counting goes by cover, so that each access is one addition; the report adds a cover's counts to each of its
 * objects.  Names and covers are never taken away.  Written under the lock of range.c; what a number below the
 * counts refers to can be read without it.
 */
#ifndef OMPP_DATA_OBJECT_H
#define OMPP_DATA_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/access.h"
#include "runtime/base/relaxed.h"

enum { OMPP_MAX_OBJECTS = 1 << 20, OMPP_MAX_COVERS = 1 << 20 };

/* What changes is written under the lock and read by reports without it (relaxed). */
struct ompp_object_def {
	const char      *name;
	uint32_t         index, next;           /* in the hash chain */
	enum ompp_origin origin;
	uint32_t         cover;                 /* of this object alone; 0: it had no range so far */
	uint32_t         n_ranges;              /* set so far */
	uint32_t         n_live;                /* in force now */
	uint32_t         last_owner;            /* of the range set last */
	uintptr_t        address;               /* of the range set last */
	size_t           n_bytes;
	struct ompp_range *ranges;              /* in force, newest first */
	struct ompp_numbered *numbered;         /* it is one of these; NULL: of none */
	uint32_t         number;                /* of them */
	int              is_sum;                /* it may be in several places at once */
};

/* Objects of one name and a number each: "m[0]", "m[1]" … */
struct ompp_numbered {
	const char            *name;            /* "m" */
	struct ompp_object_def **objects;
	size_t                 n, n_have;
	uint32_t               first_free;      /* none below it is without a range */
	struct ompp_numbered  *next;
};

struct ompp_cover {
	uint32_t        n_objects;
	const uint32_t *objects;                /* ascending */
	uint32_t        next;                   /* in the hash chain */
};

/* Counts: entries below them are complete (release, acquire). */
extern _Atomic uint32_t ompp_n_objects, ompp_n_covers;

/* The object of a number below ompp_n_objects; the cover of a number below ompp_n_covers. */
struct ompp_object_def *ompp_object(uint32_t index);
const struct ompp_cover *ompp_cover(uint32_t index);

/* Find a name; or make it.  NULL when there is none, or no room.  Under the lock. */
struct ompp_object_def *ompp_object_find(const char *name);
struct ompp_object_def *ompp_object_named(const char *name, enum ompp_origin origin);

/* The numbered objects of a name, made if `make`; and of them the first one that has no range in force, which may be new.
 * NULL: there are none, or there is no room.  Under the lock. */
struct ompp_numbered *ompp_object_numbered(const char *name, int make);
struct ompp_object_def *ompp_object_next(struct ompp_numbered *numbered, enum ompp_origin origin);

/* The cover of a set of objects, ascending; OMPP_OBJECT_OTHER when there is no room.  Under the lock. */
uint32_t ompp_cover_of(const uint32_t *objects, uint32_t n);

/* Memory that is never given back: zeroed, 16-byte aligned; NULL when the system has none.  Any thread, also in a
 * signal handler. */
void *ompp_data_alloc(size_t n_bytes);

/* Give a table (the address of its pointer) room for n entries; the old one is left behind.  0, or -1 without memory. */
int ompp_data_grow(void *table, size_t *have, size_t n_need, size_t entry_bytes);

/* Start: (other) and (stack). */
void ompp_objects_start(void);

#endif
