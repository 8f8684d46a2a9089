/*
 * Data, calls: the calls that are made of the directives of data.h in C and C++.
 *
 * What is put in counts as a system header, so that no compiler warns of it.  The expressions of the program stand at
 * the line and column where the user wrote them, so that compilers report errors in them there.
 */
#ifndef KINST_DATA_CALLS_H
#define KINST_DATA_CALLS_H

#include "opari/base/kinst_text.h"
#include "opari/data/marks.h"

/*
 * Makes calls of the directives of a preprocessed C or C++ text; the result has the lines of the text.  Returns how
 * many directives the text had.  With 0, and when the text is too large, there is no result.
 *
 * marks:    the places of the directives, or NULL
 * messages: gets what is wrong with directives
 */
size_t kinst_data_rewrite(const char *text, size_t length, int cxx, struct kinst_marks *marks,
                          struct kinst_text *result, struct kinst_text *messages);

#endif
