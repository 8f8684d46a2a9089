/*
 * Inclusion: which fragment of a preprocessed text was included where, as flags 1 and 2 of its line markers tell.
 *
 * Each time a file is included is an inclusion of its own.  Number 0 is the text itself, which nothing includes.
 */
#ifndef KINST_INCLUSION_H
#define KINST_INCLUSION_H

#include <stdint.h>

#include "opari/base/kinst_text.h"

/* An inclusion, and the line with its #include or INCLUDE. */
struct kinst_inclusion {
	uint32_t around; /* the inclusion in which that line stands */
	uint32_t depth;  /* how many there are around it */
	uint32_t line;
	struct kinst_span file; /* the name of the file of that line */
};

struct kinst_inclusions {
	struct kinst_inclusion *items; /* items[i] is number i + 1 */
	uint32_t n, room;
	uint32_t here; /* the number of the one in which the reader of the text is */
};

/*
 * Meets a line marker.
 *
 * flags: what follows the name in the marker
 * file, line: the place before it
 * next: the line that it tells
 */
void kinst_inclusions_meet(struct kinst_inclusions *inclusions, struct kinst_span flags, struct kinst_span file,
                           uint32_t line, uint32_t next);
void kinst_inclusions_free(struct kinst_inclusions *inclusions);

/* Returns the innermost inclusion that two of them are, or are in. */
uint32_t kinst_inclusions_common(const struct kinst_inclusions *inclusions, uint32_t a, uint32_t b);

/* Returns the inclusion that stands directly in `outer`, and that is number i or has i in it; NULL if i is not in
 * `outer`. */
const struct kinst_inclusion *kinst_inclusions_below(const struct kinst_inclusions *inclusions, uint32_t outer,
                                                     uint32_t i);

#endif
