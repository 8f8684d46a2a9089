/*
 * Check: assertions and invariants, checked only in builds that were configured with --enable-debug.
 *
 * An invariant that a comment states is asserted in the function that relies on it.  Each important data structure has
 * a function that checks all of it (ompp_callgraph_check, ompp_frames_check, ompp_ranges_check, ompp_collect_check). In
 * other builds these functions do not exist, and calls of them compile to nothing.
 */
#ifndef OMPP_BASE_CHECK_H
#define OMPP_BASE_CHECK_H

#ifdef OMPP_DEBUG

/* Writes "FILE:LINE: CONDITION does not hold" to stderr and ends the process by a trap. */
void ompp_check_failed(const char *condition, const char *file, unsigned int line) __attribute__((noreturn));

#define ompp_check(condition) ((condition) ? (void)0 : ompp_check_failed(#condition, __FILE__, __LINE__))

/* A check takes time in proportion to the size of the structure, so a frequent event runs one only when its number is a
 * power of two. */
#define OMPP_IS_CHECKED(number) (((number) & ((number)-1)) == 0)

/* States what a function relies on: the preconditions in its comment, and intermediate results. */
#define ompp_assert(condition) ompp_check(condition)

#else
#define OMPP_IS_CHECKED(number) 0
#define ompp_assert(condition)  ((void)0)
#endif

#endif
