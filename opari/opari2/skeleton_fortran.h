/*
 * Skeleton, in Fortran: the reduced form of a Fortran text that opari2 reads, and the translation of its output back.
 *
 * opari2 reads one subroutine in free form: the directives that it knows, each with its end, and one word, call
 * kinst_N, for the statements between.  Clauses are left out, except those that determine which calls it writes, so
 * that it can neither misread nor misplace one.  Its calls are then put into the text at the same places, in the form
 * of kinst's own engine (emit_fortran.h): each names its region by a context string, and needs no declaration.
 */
#ifndef KINST_SKELETON_FORTRAN_H
#define KINST_SKELETON_FORTRAN_H

#include "opari/base/kinst_text.h"
#include "opari/emit/emit.h"

struct kinst_fortran_skeleton;

/* Cuts a text, which must outlive the skeleton, as the options and `emitted` must.
 * emitted: gets the text's constructs and messages */
struct kinst_fortran_skeleton *kinst_fortran_skeleton_new(const char *text, size_t length,
                                                          const struct kinst_emit_options *options,
                                                          struct kinst_emitted *emitted);
void kinst_fortran_skeleton_free(struct kinst_fortran_skeleton *skeleton);

/* Returns the text that opari2 has to read (--preprocessed). */
const struct kinst_text *kinst_fortran_skeleton_text(const struct kinst_fortran_skeleton *skeleton);

/* Returns 1 when the skeleton has a directive for opari2.  Without one, opari2 would answer with the skeleton's text
 * itself. */
int kinst_fortran_skeleton_has_sites(const struct kinst_fortran_skeleton *skeleton);

/* Makes emitted->text of opari2's output and of the include file that it wrote, and names the constructs that opari2
 * left as they are.  Returns 0, or -EPROTO when opari2 has lost or doubled a part of the text. */
int kinst_fortran_skeleton_expand(struct kinst_fortran_skeleton *skeleton, const struct kinst_text *output,
                                  const struct kinst_text *include);

#endif
