/*
 * Forks: what a fork() means for all that the library keeps: the child is a run of its own, which has what it measures
 * itself alone.
 */
#ifndef OMPP_COLLECT_FORKS_H
#define OMPP_COLLECT_FORKS_H

/* Has the C library call us before and after each fork().  Called once. */
void ompp_forks_watch(void);

#endif
