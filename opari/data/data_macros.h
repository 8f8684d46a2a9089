/*
 * Data, macros: macros in the arguments of the directives of data.h, in C and C++.
 *
 * Preprocessors do not expand macros in pragmas, so kinst makes a separate text from which the preprocessor computes
 * their expansion.  Apart from these arguments the texts of the directives are preprocessed already.
 *
 * pomp_only: 1 for clang, which expands the macros of directives that are spelled omp by itself
 */
#ifndef KINST_DATA_MACROS_H
#define KINST_DATA_MACROS_H

#include "opari/base/kinst_text.h"

/*
 * Makes a text whose preprocessing answers what the arguments expand to.  Returns how many answers are wanted.
 *
 * text: the preprocessed text with its definitions (-E -dD)
 */
size_t kinst_data_ask(const char *text, size_t length, int pomp_only, struct kinst_text *questions);

/* Makes the text with the arguments expanded.  Returns 0, or -EPROTO when the answers do not belong to the text. */
int kinst_data_expand(const char *text, size_t length, int pomp_only, const char *answers, size_t n_answers,
                      struct kinst_text *result);

#endif
