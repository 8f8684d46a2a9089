/*
 * Pomp: the user's own directives about measuring, such as `#pragma pomp inst begin(x)`, in C, C++ and Fortran.
 *
 * Directives are read here, and a wrong one becomes a message; the emitters put the calls in.  The arguments of `inst
 * data` are read in data.h.
 */
#ifndef KINST_POMP_H
#define KINST_POMP_H

#include <stddef.h>

#include "opari/base/kinst_text.h"
#include "opari/data/marks.h"
#include "opari/emit/emit_region.h"

enum kinst_pomp_verb {
	KINST_POMP_NONE, /* the directive has no effect; `problem` says why */
	KINST_POMP_INIT,
	KINST_POMP_FINALIZE,
	KINST_POMP_ON,
	KINST_POMP_OFF,
	KINST_POMP_BEGIN,
	KINST_POMP_END,
	KINST_POMP_ALTEND,
	KINST_POMP_DATA,
	KINST_POMP_INSTRUMENT,
	KINST_POMP_NOINSTRUMENT
};

enum { KINST_POMP_BYTES = 1024 }; /* bytes of a directive; a longer one is cut */

struct kinst_pomp {
	enum kinst_pomp_verb verb;
	const char *name; /* of begin, end and altend, without quotes; points into text */
	size_t n_name;
	char text[KINST_POMP_BYTES];
	char problem[256]; /* "inst dta: unknown directive; what to do"; "" for a right one */
};

/* Reads what follows `pomp`, or `omp` when is_pomp is 0.  Returns 0 when it is none of the user's directives about
 * measuring. */
int kinst_pomp_read(struct kinst_pomp *pomp, const char *text, size_t length, int is_pomp);

/* Reads a pragma of C or C++, as kinst_pomp_read() reads a directive. */
int kinst_pomp_read_pragma(struct kinst_pomp *pomp, const char *line, size_t length);

/* Returns 1 when the pragma is one of ours, right or wrong.  These are `pomp` with anything behind it, and `omp
 * inst`. */
int kinst_pomp_is_pragma(const char *line, size_t length);

/* Notes that a pass over the text meets a directive.  Returns 0 when the directive has to be left out.
 * marks: may be NULL */
int kinst_pomp_meet(struct kinst_marks *marks, const struct kinst_pomp *pomp, const struct kinst_location *location);

/* Adds the message "kinst: FILE:LINE: problem". */
void kinst_pomp_complain(struct kinst_text *messages, const struct kinst_location *location, const char *problem);

/* Adds the message about an end(name) without a begin before it.  The message names the region with the nearest name
 * among those that have begun, and this region is not complained about again. */
void kinst_pomp_complain_unbegun(struct kinst_regions *regions, const struct kinst_pomp *end,
                                 const struct kinst_location *location, struct kinst_text *messages);

/* Adds a message about each region that begins and never ends. */
void kinst_pomp_complain_unended(const struct kinst_regions *regions, struct kinst_text *messages);

#endif
