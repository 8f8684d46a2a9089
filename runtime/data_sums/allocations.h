/*
 * Allocations: computes the profile's data on memory blocks from their allocation sites, and names the sites by the
 * source.
 */
#ifndef OMPP_DATA_SUMS_ALLOCATIONS_H
#define OMPP_DATA_SUMS_ALLOCATIONS_H

#include "runtime/sums/sum_merge.h"

/* If not NULL, called for each site that is named. */
extern void (*ompp_collect_site_named)(uint32_t site, const char *name, const char *path);

/* Reads the sums of the sites, and names the sites.  Called before the first thread is added.  Returns 0 or -ENOMEM. */
int ompp_allocations_start(struct ompp_merge *merge);

/* Adds the call paths and rows at which a thread was the first to allocate.  path and row have an entry for each of the
 * thread's nodes, by the node's index. */
void ompp_merge_allocations(struct ompp_merge *merge, const struct ompp_thread *t, const uint32_t *path,
                            const uint32_t *row, uint32_t n_nodes);

/* Returns the name of a site's object; NULL when the site came after the report had begun. */
const char *ompp_allocation_name(const struct ompp_merge *merge, uint32_t site);

/* Is a site one of several that the source does not distinguish? */
int ompp_allocation_is_joined(const struct ompp_merge *merge, uint32_t site);

/* Returns the object that represents this one in the profile: another one if the source does not distinguish them. */
uint32_t ompp_allocation_object(const struct ompp_merge *merge, uint32_t object);

/* Fills in the profile's allocations, when its objects are known.  Returns 0 or -ENOMEM. */
int ompp_collect_allocations(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

/* Appends what the reader must know about them to the notes, at most OMPP_ALLOCATION_NOTES of them. */
enum { OMPP_ALLOCATION_NOTES = 3 };
void ompp_collect_allocation_notes(const struct ompp_merge *merge, struct ompp_profile_note *notes, size_t *n_notes);

#endif
