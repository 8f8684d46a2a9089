/*
 * Varied kernel: a test answers the system calls that libompp makes, in place of the kernel or before it.
 *
 * libompp makes all of them in base/sys.h, which asks ompp_filter_call() where the program has put a filter in place.
 * Programs with this file are linked with --wrap=ompp_filter_call, and pretend that there is such a filter.  Calls of
 * the C library and of the test itself go to the kernel as ever.
 */
#ifndef TESTS_UNIT_VARIED_KERNEL_H
#define TESTS_UNIT_VARIED_KERNEL_H

/* Returns 1 with the answer, or 0: the kernel shall answer.  Any thread may call it. */
typedef int varied_answer(long number, const long arguments[6], long *result);

/* From now on, answer() is asked; with NULL the kernel alone. */
void varied_kernel_set(varied_answer *answer);

#endif
