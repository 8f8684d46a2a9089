/*
 * Home: on which NUMA nodes the pages of data objects are, and how many have moved there from another one.
 *
 * The kernel is queried (move_pages(2), which moves nothing here) for a report, and at the end of parallel regions; the
 * latter so rarely that it takes at most 1 % of the time.  If there are very many pages, only every n-th is queried.  A
 * page has moved when it is on another node than at its first touch or at the last query.  Only with first touches
 * (touch.h).
 */
#ifndef OMPP_MEMORY_HOME_H
#define OMPP_MEMORY_HOME_H

#include <stdint.h>

/* Members are written by one thread at a time, and read by reports (relaxed). */
struct ompp_homes {
	uint64_t n_absent; /* pages without memory of their own, or on an unknown node */
	uint64_t step;     /* only every step-th page was queried; the counts are multiplied by it */
	struct {
		uint64_t n_pages; /* at the last query; of 4 KiB or the system's page size */
		uint64_t n_moved; /* pages that have moved there, over all queries */
	} node[];                 /* [ompp_n_homes], by number of the NUMA node */
};

/* The number of NUMA node numbers, at most 64; set by the first query. */
extern uint32_t ompp_n_homes;

/* Queries the NUMA nodes of the pages of all data objects.
 * is_last: 0 at the end of a region, when it may be too early */
void ompp_homes_look(int is_last);

/* In the child of a fork(): no query is under way there. */
void ompp_homes_after_fork(void);

/* Returns the NUMA nodes of an object's pages; NULL when they were never queried. */
const struct ompp_homes *ompp_homes_of(uint32_t object);

#endif
