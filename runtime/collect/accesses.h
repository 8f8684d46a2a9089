/*
 * Accesses: from the tallies of the threads' trees to what the profile says of data objects.
 */
#ifndef OMPP_COLLECT_ACCESSES_H
#define OMPP_COLLECT_ACCESSES_H

#include "runtime/collect/merge.h"

/* Sums over objects, as objects of merge->accesses: each access once, however many names are over it. */
#define OMPP_NAMED_DATA (UINT32_MAX - 2)
#define OMPP_ALL_DATA   (UINT32_MAX - 1)

/* Before the first thread.  0 or -ENOMEM. */
int ompp_accesses_start(struct ompp_merge *merge);

/* Add what one thread counted at one of its nodes, shown at a place and row of the merged tree. */
void ompp_merge_accesses(struct ompp_merge *merge, const struct ompp_callnode *node, uint32_t place, uint32_t row);

/* Add what one thread knows of the lines that it wrote; place and row by the nodes' indices. */
void ompp_merge_lines(struct ompp_merge *merge, const struct ompp_thread *t, const uint32_t *place,
                      const uint32_t *row, uint32_t n_nodes);

/* Fill the profile's objects, accesses, shared lines and cache levels; rows are final, region_index as in collect.c.
 * 0 or -ENOMEM. */
int ompp_collect_accesses(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

/* What the reader must know of them, after the notes that are there: at most OMPP_ACCESS_NOTES more. */
enum { OMPP_ACCESS_NOTES = 8 };
int ompp_collect_access_notes(struct ompp_merge *merge, struct ompp_profile *profile, struct ompp_profile_note *notes,
                              size_t *n_notes);

#endif
