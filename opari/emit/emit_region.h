/*
 * Emit region: the regions for which calls are inserted, each with its number and context string.
 */
#ifndef KINST_EMIT_REGION_H
#define KINST_EMIT_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "opari/base/kinst_text.h"
#include "opari/read/directive.h"

/* A location in the user's text. */
struct kinst_location {
	const char *file; /* as its line marker has it, escapes and all; not terminated */
	size_t n_file;
	uint32_t first_line, last_line;
};

struct kinst_region {
	char *ctc; /* the context string */
	/* these belong to a user region alone */
	char *user; /* its name; NULL for a construct */
	char *file; /* where it begins */
	uint32_t first_line;
	int is_ended;  /* a directive that ends it was met */
	int is_called; /* calls are made for it */
};

/* The attribute of regions in C++, whose handles are static in the function: each instantiation of a template has one,
 * and is a region of its own. */
#define KINST_PER_HANDLE "perHandle=1*"

/* How many regions of the same type, file and name there are, of which this is the sum; n is 0 of a free entry. */
struct kinst_alike {
	uint64_t sum;
	unsigned int n;
};

struct kinst_regions {
	struct kinst_region *items;
	size_t n, room;
	struct kinst_alike *alike; /* a table by the sum, of a power of 2, at most half full */
	size_t n_alike, alike_room;
	int cxx, fortran;
	const char *directory; /* the folder that relative file names start from */
	/* the file of the location that was met last, and its path */
	const char *file;
	size_t n_file;
	char *path;
};

/* Returns the path of a location's file, which is the same for all ways to name the file from a folder.  The caller
 * frees it. */
char *kinst_location_path(const struct kinst_location *location, const char *directory);

/*
 * Adds a region from `first` to `last`, and returns its number.
 *
 * type: as context strings have it, "parallelfor".
 * attributes: more for the context string, "name=value*" for each, or "".
 */
size_t kinst_region_new(struct kinst_regions *regions, const char *type, struct kinst_location first,
                        struct kinst_location last, const char *attributes);

/*
 * Returns the attributes and one more, "clauses=schedule(dynamic, 4) nowait*", which has the directive's clauses on
 * which advice depends.  The caller frees it.
 *
 * is_nowait: nowait stands at the end directive.
 */
char *kinst_region_attributes(const struct kinst_directive *directive, int is_nowait, const char *attributes);

/* Adds a user region, and returns its number. */
size_t kinst_region_begin(struct kinst_regions *regions, const char *name, size_t n_name, struct kinst_location first,
                          struct kinst_location last);

/* Returns the user region that was begun last under a name; regions->n when there is none.
 * any_case: 1 when upper and lower case are the same, as in Fortran */
size_t kinst_region_begun(const struct kinst_regions *regions, const char *name, size_t n_name, int any_case);

/* Adds what the call of a lock function tells about itself, such as "12:6:file.c:&l[i]": the line, the length of the
 * file's name, this name and the argument. */
void kinst_region_site(struct kinst_regions *regions, struct kinst_location location, const char *argument, size_t n,
                       struct kinst_text *out);

/* Returns the type of a construct that is one region around the whole: "target", "targetdata", "teams" and so on. */
const char *kinst_region_type(const struct kinst_directive *directive);

/* Adds C code in which each word H is the region's handle, __kinst_12, each word D its definition, and each word C
 * its context string. */
void kinst_region_code(const struct kinst_regions *regions, size_t region, const char *code, struct kinst_text *out);

void kinst_regions_free(struct kinst_regions *regions);

#endif
