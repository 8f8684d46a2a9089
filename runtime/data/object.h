/*
 * Object: the names of data, and the sets of them that can lie over one byte.
 *
 * A cover is the set of objects that claim a piece of memory: most often one, several where ranges overlap or nest.
 * Counting goes by cover, so that each access is one addition; the report adds a cover's counts to each of its objects.
 * Names and covers are never taken away.  They are written under the lock of range.c; an object or cover whose number
 * is below ompp_n_objects or ompp_n_covers can be read without it.
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
	uint32_t cover;      /* of this object alone; 0 when it had no range so far */
	uint32_t n_ranges;   /* that were set so far */
	uint32_t n_live;     /* that are in force now */
	uint32_t last_owner; /* of the range set last */
	uintptr_t address;   /* of the range set last */
	size_t n_bytes;
	struct ompp_range *ranges;      /* in force, newest first */
	struct ompp_numbered *numbered; /* the numbered objects that it belongs to, or NULL */
	uint32_t number;                /* its number among these */
	int is_sum;                     /* 1 when it may be in several places at once */
	uint32_t site;                  /* whose blocks it is (site.h); 0 for others */
};

/* Objects of one name and a number each: "m[0]", "m[1]" and so on. */
struct ompp_numbered {
	const char *name; /* "m" */
	struct ompp_object_def **objects;
	size_t n, n_have;
	uint32_t first_free; /* all objects below this number have a range */
	struct ompp_numbered *next;
};

struct ompp_cover {
	uint32_t n_objects;
	const uint32_t *objects; /* ascending */
	uint32_t next;           /* in the hash chain */
	uint32_t tracked;        /* index of the block that it is of alone (tracked.h); 0 for any */
	uint32_t next_tracked;   /* another cover of the same block; 0 for none */
};

/* How many objects and covers there are; those below are complete (release, acquire). */
extern _Atomic uint32_t ompp_n_objects, ompp_n_covers;

/* Return the object of a number below ompp_n_objects, and the cover of a number below ompp_n_covers. */
struct ompp_object_def *ompp_object(uint32_t index);
const struct ompp_cover *ompp_cover(uint32_t index);

/* The first returns the object of a name, or NULL when there is none; the second makes it where there is none, and
 * returns NULL without room.  Under the lock. */
struct ompp_object_def *ompp_object_find(const char *name);
struct ompp_object_def *ompp_object_named(const char *name, enum ompp_origin origin);

/* The first returns the numbered objects of a name, which `make` makes where there are none.  The second returns the
 * first one of them that has no range in force, which may be new.  Both return NULL where there are none, or no room.
 * Under the lock. */
struct ompp_numbered *ompp_object_numbered(const char *name, int make);
struct ompp_object_def *ompp_object_next(struct ompp_numbered *numbered, enum ompp_origin origin);

/* Returns the cover of a set of objects, in ascending order; OMPP_OBJECT_OTHER when there is no room.  Under the
 * lock. */
uint32_t ompp_cover_of(const uint32_t *objects, uint32_t n);

/* Does the same for a tracked block; *head is the newest one of its covers, and becomes the one that is made. */
uint32_t ompp_cover_of_tracked(const uint32_t *objects, uint32_t n, uint32_t tracked, uint32_t *head);

/* Returns memory that is never given back, zeroed and aligned to 16 bytes; NULL when the system has none.  Any thread
 * may call it, also in a signal handler. */
void *ompp_data_alloc(size_t n_bytes);

/* Gives a table room for n_need entries; the old one is left behind.  Returns 0, or -1 without memory.
 * table: the address of the pointer to the table */
int ompp_data_grow(void *table, size_t *have, size_t n_need, size_t entry_bytes);

/* Makes the objects (other) and (stack), at the start. */
void ompp_objects_start(void);

#endif
