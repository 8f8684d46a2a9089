/*
 * Emit region: the regions that calls are put in for, each with its number and context string.
 */
#ifndef KINST_EMIT_REGION_H
#define KINST_EMIT_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "opari/base/text.h"
#include "opari/read/directive.h"

/* A place in the user's text.  The file as its marker has it, escapes and all. */
struct kinst_place {
	const char *file;
	size_t      n_file;
	uint32_t    first_line, last_line;
};

/* All but ctc is of a user region: its name, or NULL, where it begins, whether a directive that ends it was met, and whether
 * calls are made for it. */
struct kinst_region {
	char *ctc, *user, *file;
	uint32_t first_line;
	int is_ended, is_called;
};

struct kinst_regions {
	struct kinst_region *items;
	size_t n, room;
	int         cxx;
	const char *directory;                  /* what relative file names are relative to */
	const char *file;                       /* of the place met last, n_file bytes, and its path */
	size_t n_file;
	char  *path;
};

/* The path of a place's file, the same for all ways to name the file from a folder; to be freed. */
char *kinst_place_path(const struct kinst_place *place, const char *directory);

/* A region of this type from first to last; attributes: "name=value*…", or "".  Its number. */
size_t kinst_region_new(struct kinst_regions *regions, const char *type, struct kinst_place first,
			struct kinst_place last, const char *attributes);

/* The attributes and one more, "clauses=schedule(dynamic, 4) nowait*": of the directive's clauses those on which advice
 * depends; is_nowait: one that stands at the end directive.  To be freed. */
char *kinst_region_attributes(const struct kinst_directive *directive, int is_nowait, const char *attributes);

/* A user region; and the one begun last under a name, or regions->n: there is none.  any_case: as Fortran compares. */
size_t kinst_region_begin(struct kinst_regions *regions, const char *name, size_t n_name, struct kinst_place first,
			  struct kinst_place last);
size_t kinst_region_begun(const struct kinst_regions *regions, const char *name, size_t n_name, int any_case);

/* What a call of a lock function says of itself: "12:6:file.c:&l[i]", the line, the length of the file's name, the name and
 * the argument. */
void kinst_region_site(struct kinst_regions *regions, struct kinst_place place, const char *argument, size_t n,
		       struct kinst_text *out);

/* The name of what is one region around the whole: "target", "targetdata", "teams" … */
const char *kinst_region_type(const struct kinst_directive *directive);

/* Add C code in which each word H is the region's handle, __kinst_12, each word D its definition, and each word C its context
 * string. */
void kinst_region_code(const struct kinst_regions *regions, size_t region, const char *code, struct kinst_text *out);

void kinst_regions_free(struct kinst_regions *regions);

#endif
