/*
 * Forks: prepares all parts of the library for a fork().  The child is a run of its own: it keeps only what it measures
 * itself.
 */
#ifndef OMPP_COLLECT_FORKS_H
#define OMPP_COLLECT_FORKS_H

/* Has the C library call us before and after each fork().  Called once. */
void ompp_forks_watch(void);

#endif
