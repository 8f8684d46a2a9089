/*
 * Filter calls: sees when the program puts a seccomp filter in place, by prctl(), syscall() or libseccomp, and has
 * libompp ready for it.
 */
#ifndef OMPP_ADAPTERS_FILTER_CALLS_H
#define OMPP_ADAPTERS_FILTER_CALLS_H

/* Called once, at the start. */
void ompp_filter_calls_start(void);

#endif
