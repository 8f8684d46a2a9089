/*
 * User call: what becomes of one of the user's own directives (pomp.h) in any language and with any engine.
 *
 * A wrong directive becomes a message, a region begins or ends, and the engine learns which call it has to put in.
 */
#ifndef KINST_USER_CALL_H
#define KINST_USER_CALL_H

#include <stddef.h>

#include "opari/emit/emit.h"
#include "opari/emit/pomp.h"
#include "opari/read/statements.h"

/*
 * Meets a directive, and returns its verb if a call has to be put in for it, or if it is `instrument` or
 * `noinstrument`; else KINST_POMP_NONE.
 *
 * location: where it stands
 * bounds: of the region that it begins; else NULL
 * region: becomes the number of the region that it begins or ends
 */
enum kinst_pomp_verb kinst_user_call(struct kinst_regions *regions, const struct kinst_emit_options *options,
                                     struct kinst_emitted *emitted, const struct kinst_pomp *pomp,
                                     struct kinst_location location, const struct kinst_bounds *bounds, size_t *region);

/* Returns the name in the call for init, finalize, on or off, as in pomp2_init; NULL for all else. */
const char *kinst_user_call_name(enum kinst_pomp_verb verb);

/* Reads statement i of a text of Fortran.  Returns 0 when it is none of the user's directives. */
int kinst_user_read_fortran(const struct kinst_statements *statements, size_t i, struct kinst_pomp *pomp);

/* Returns the directive `inst end(name)` behind the one at statement i that begins a region, or i when there is none.
 */
size_t kinst_user_end_fortran(const struct kinst_statements *statements, size_t i, const struct kinst_pomp *begin);

#endif
