/*
 * Home: on which NUMA nodes the pages of data objects are, and how many have moved there from another one.
 *
 * The kernel is asked (move_pages(2), which moves nothing here) for a report, and at the end of parallel regions, there
 * so rarely that it takes at most a hundredth of the time.  Of very many pages every n-th one is asked for.  A page has
 * moved when it is on another node than at its first touch or the last time.  Only with first touches (touch.h).
 */
#ifndef OMPP_MEMORY_HOME_H
#define OMPP_MEMORY_HOME_H

#include <stdint.h>

/* Members are written by one thread at a time, and read by reports (relaxed). */
struct ompp_homes {
	uint64_t n_absent; /* pages without memory of their own, or of an unknown node */
	uint64_t step;     /* every step-th page was asked for, and the numbers are multiplied by it */
	struct {
		uint64_t n_pages; /* when it was last asked; of 4 KiB or as the system has them */
		uint64_t n_moved; /* that were found to have moved there, of all times */
	} node[];                 /* [ompp_n_homes], by number of the NUMA node */
};

/* How many numbers of NUMA nodes there are, 64 at most; set by the first look. */
extern uint32_t ompp_n_homes;

/* Asks where the pages of all data objects are.
 * is_last: 0 at the end of a region, when it may be too early */
void ompp_homes_look(int is_last);

/* In the child of a fork(): nobody looks there. */
void ompp_homes_after_fork(void);

/* Returns where an object's pages are; NULL when they were never asked for. */
const struct ompp_homes *ompp_homes_of(uint32_t object);

#endif
