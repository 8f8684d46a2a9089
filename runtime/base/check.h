/*
 * Check: what must always be true, asked by builds that were configured with --enable-debug alone.
 *
 * Each structure that much depends on has a function that walks over all of it (ompp_callgraph_check,
 * ompp_ranges_check, ompp_collect_check).  In other builds the functions are not there, and calls of them are nothing.
 */
#ifndef OMPP_BASE_CHECK_H
#define OMPP_BASE_CHECK_H

#ifdef OMPP_DEBUG

/* Writes "FILE:LINE: CONDITION does not hold" to stderr and ends the process by a trap. */
void ompp_check_failed(const char *condition, const char *file, unsigned int line) __attribute__((noreturn));

#define ompp_check(condition) ((condition) ? (void)0 : ompp_check_failed(#condition, __FILE__, __LINE__))

/* A walk takes time in proportion to what it walks over, so what happens often is followed by one when its number is a
 * power of two. */
#define OMPP_IS_CHECKED(number) (((number) & ((number)-1)) == 0)

/* What a function relies on, in the function itself: arguments that its comment asks for, and what it found out. */
#define ompp_assert(condition) ompp_check(condition)

#else
#define OMPP_IS_CHECKED(number) 0
#define ompp_assert(condition)  ((void)0)
#endif

#endif
