/*
 * Skeleton: the reduced form of a C or C++ text that opari2 reads, and the translation of its output back.
 *
 * The text is cut at the sites of sites.h.  All between them (whole headers, functions, the statements of a block)
 * becomes one word, __kinst_N;, so that opari2 reads pragmas, braces and line markers and nothing else: it never sees
 * what it would misread, and its time depends only on the number of pragmas.  Clauses are left out, except those that
 * determine which calls opari2 writes.
 *
 * Afterwards the words are replaced by the text again, and what opari2 inserted becomes plain preprocessed text,
 * without macros or includes.  It counts as a system header, so that no compiler warns of it, with the lines and names
 * of the original.
 *
 * Before all that the directives of data.h become calls.  Calls of the omp_*_lock functions become their POMP2 forms
 * here, and not in opari2, which would rename the declarations of omp.h, too.
 */
#ifndef KINST_SKELETON_H
#define KINST_SKELETON_H

#include "opari/base/kinst_text.h"
#include "opari/emit/emit.h"

/* The line that opari2 replaces by its #include. */
#define KINST_SKELETON_MARK "___POMP2_INCLUDE___"

struct kinst_skeleton;

/*
 * Cuts a preprocessed text, which must outlive the skeleton, as the options and `emitted` do.  Returns NULL for a
 * text that is too large.
 *
 * emitted: gets the text's constructs and messages, and the number of places where calls belong.
 */
struct kinst_skeleton *kinst_skeleton_new(const char *text, size_t length, const struct kinst_emit_options *options,
                                          struct kinst_emitted *emitted);
void kinst_skeleton_free(struct kinst_skeleton *skeleton);

/* Returns the text that opari2 has to read (--preprocessed). */
const struct kinst_text *kinst_skeleton_text(const struct kinst_skeleton *skeleton);

/* Returns 1 when the skeleton has a pragma for opari2.  Without one, opari2 would answer with the skeleton's text
 * itself, except for the first line. */
int kinst_skeleton_has_sites(const struct kinst_skeleton *skeleton);

/*
 * Makes emitted->text of opari2's output and of the include file that it wrote, and names the constructs that opari2
 * left as they are.  Returns 0, or -EPROTO when opari2 has lost or doubled a part of the text.
 */
int kinst_skeleton_expand(struct kinst_skeleton *skeleton, const struct kinst_text *output,
                          const struct kinst_text *include);

#endif
