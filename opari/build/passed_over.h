/*
 * Passed over: OpenMP directives that the compiler does not read, as -fopenmp is not given, or that kinst does not, as
 * it does not know the compiler, or as -fopenmp is given past the driver.
 */
#ifndef KINST_PASSED_OVER_H
#define KINST_PASSED_OVER_H

#include "opari/build/kinst_sources.h"

/*
 * Says in one line that the prepared sources have constructs which the compiler or kinst passes over.  System headers
 * are not looked at.  Says nothing where the user's words show that this is meant: -fno-openmp, -fopenmp-simd,
 * --disable=omp, and what switches off the compiler's own warning.
 */
void kinst_passed_over_say(const struct kinst_sources *sources, const struct kinst_context *context);

/*
 * Says so of a command whose compiler is not known, if it compiles or links with OpenMP by its options.
 *
 * always: 1 for what compiles or links without these, too
 */
void kinst_passed_over_compiler(const struct kinst_words *words, int always);

#endif
