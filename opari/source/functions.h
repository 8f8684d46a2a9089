/*
 * Functions: the words by which functions become regions (--functions).
 */
#ifndef KINST_FUNCTIONS_H
#define KINST_FUNCTIONS_H

#include "opari/source/kinst_source.h"

/* Notes the folders of system headers in a preprocessed text. */
void kinst_functions_note(struct kinst_source *source, const struct kinst_text *text);

/* Adds these words.  Functions of system headers are left out, unless the list of --functions names some of std::. */
void kinst_functions_add(struct kinst_words *words, const struct kinst_source *sources, size_t n,
                         const struct kinst_context *context);

#endif
