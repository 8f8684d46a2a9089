/*
 * Object: the names of data, and the sets of objects that can share one byte (covers).
 *
 * A cover is the set of objects that claim a piece of memory: most often one, several where ranges overlap or nest.
 * Counting goes by cover, so that each access is one addition; the report adds a cover's counts to each of its objects.
 * Names and covers are never removed.  They are written under the lock of range.c; an object or cover whose number is
 * below ompp_n_objects or ompp_n_covers can be read without it.
 */
#ifndef OMPP_DATA_OBJECT_H
#define OMPP_DATA_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/terms/access_fields.h"

enum { OMPP_MAX_OBJECTS = 1 << 20, OMPP_MAX_COVERS = 1 << 20 };

/* Members that change are written under the lock, and reports read them without it (relaxed). */
struct ompp_object_def {
	const char *name;
	uint32_t index, next; /* in the hash chain */
	enum ompp_origin origin;
	uint32_t cover;      /* the cover of only this object; 0 when it had no range so far */
	uint32_t n_ranges;   /* ranges set so far */
	uint32_t n_live;     /* ranges in force now */
	uint32_t last_owner; /* of the range set last */
	uintptr_t address;   /* of the range set last */
	size_t n_bytes;
	struct ompp_range *ranges;      /* those in force, newest first */
	struct ompp_numbered *numbered; /* the numbered objects that it belongs to, or NULL */
	uint32_t number;                /* its number among these */
	int is_sum;                     /* 1 when it may be in several places at once */
	uint32_t site;                  /* whose blocks it is (site.h); 0 for others */
	int is_found;                   /* 1 when OMPP_OBJECTS=all found it, and nobody asked for it by its name */
	int has_names; /* 1 when parts of what was found had names of their own, to which the accesses there belong */
};

/* Objects of one name and a number each: "m[0]", "m[1]" and so on. */
struct ompp_numbered {
	const char *name; /* "m" */
	struct ompp_object_def **objects;
	size_t n, n_have;
	uint32_t first_free; /* every object below this number has a range */
	struct ompp_numbered *next;
};

struct ompp_cover {
	uint32_t n_objects;
	const uint32_t *objects; /* ascending */
	uint32_t next;           /* in the hash chain */
	uint32_t tracked;        /* index of the tracked block to which it belongs (tracked.h); 0 for none */
	uint32_t next_tracked;   /* another cover of the same block; 0 for none */
};

/* The number of objects and covers; those with a lower index are complete (release, acquire). */
extern _Atomic uint32_t ompp_n_objects, ompp_n_covers;

/* Return the object with an index below ompp_n_objects, and the cover with an index below ompp_n_covers. */
struct ompp_object_def *ompp_object(uint32_t index);
const struct ompp_cover *ompp_cover(uint32_t index);

/* The first returns the object of a name, or NULL when there is none; the second creates it if necessary, and returns
 * NULL without room.  Under the lock. */
struct ompp_object_def *ompp_object_find(const char *name);
struct ompp_object_def *ompp_object_named(const char *name, enum ompp_origin origin);

/* The first returns the numbered objects of a name, and creates them when `make` is 1 and there are none.  The second
 * returns the first one of them without a range in force, which may be new.  Both return NULL when there are none, or
 * no room.  Under the lock. */
struct ompp_numbered *ompp_object_numbered(const char *name, int make);
struct ompp_object_def *ompp_object_next(struct ompp_numbered *numbered, enum ompp_origin origin);

/* Returns the cover of a set of objects, in ascending order; OMPP_OBJECT_OTHER when there is no room.  Under the
 * lock. */
uint32_t ompp_cover_of(const uint32_t *objects, uint32_t n);

/* Does the same for a tracked block; *head is the newest of its covers, and is set to a cover that is created. */
uint32_t ompp_cover_of_tracked(const uint32_t *objects, uint32_t n, uint32_t tracked, uint32_t *head);

/* Returns memory that is never freed, zeroed and aligned to 16 bytes; NULL when the system has none.  Any thread may
 * call it, also in a signal handler. */
void *ompp_data_alloc(size_t n_bytes);

/* Grows a table to n_need entries; the old memory is not freed.  Returns 0, or -1 without memory.
 * table: the address of the pointer to the table */
int ompp_data_grow(void *table, size_t *have, size_t n_need, size_t entry_bytes);

/* Creates the objects (other) and (stack), at the start. */
void ompp_objects_start(void);

#endif
