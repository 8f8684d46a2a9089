/*
 * Skeleton: what opari2 gets to see of a C or C++ text, and the way back.
 *
 * The text is cut at the sites of braces.h.  All between them (whole headers, functions, the statements of a
 * block) becomes one word, __kinst_N;, so that opari2 reads pragmas, braces and line markers and nothing
 * else: what it would misread it never meets, and its time goes with the number of pragmas.  Afterwards the
 * words become the text again and what opari2 has put in becomes plain preprocessed text, without macros or
 * includes, marked as a system header so that no compiler warns of it and with the lines and names of the
 * original.
 *
 * Before all that the directives of data.h become calls.
 *
 * Calls of the omp_*_lock functions become their POMP2 forms here, and not in opari2, which would rename the
 * declarations of omp.h too.
 */
#ifndef KINST_SKELETON_H
#define KINST_SKELETON_H

#include "opari/base/text.h"
#include "opari/read/braces.h"

struct kinst_skeleton_options {
	struct kinst_scope scope;
	int cxx;                        /* C++: the prologue is extern "C" */
	int locks;                      /* rewrite the calls of lock functions */
	const char *directory;          /* what relative file names in CTC strings are relative to */
	const char *extra;              /* more text for the prologue, or NULL */
	struct kinst_text *messages;    /* about directives without effect; NULL: they go to stderr */
};

struct kinst_skeleton;

/* Cut a preprocessed text, which must outlive the skeleton.  NULL: it has nothing to instrument. */
struct kinst_skeleton *kinst_skeleton_new(const char *text, size_t length,
					  const struct kinst_skeleton_options *options);
void kinst_skeleton_free(struct kinst_skeleton *skeleton);

/* What opari2 shall read (--preprocessed). */
const struct kinst_text *kinst_skeleton_text(const struct kinst_skeleton *skeleton);

/* Make the instrumented text of opari2's output and the include file that it wrote.  0, or -EPROTO when
 * opari2 has lost or doubled a part of the text. */
int kinst_skeleton_expand(struct kinst_skeleton *skeleton, const struct kinst_text *output,
			  const struct kinst_text *include, struct kinst_text *result);

#endif
