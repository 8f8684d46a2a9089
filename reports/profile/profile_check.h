/*
 * Profile check: what a file says, as far as it can be true.  Views rely on it: they get no index beyond an array, and
 * no number whose sum with a few others overflows.
 */
#ifndef OMPP_PROFILE_CHECK_H
#define OMPP_PROFILE_CHECK_H

#include "reports/profile/record.h"

/* Checks the profile's own numbers.  What a file of an older version does not have becomes missing. */
void ompp_check_head(struct ompp_profile *p);

/* Returns how many of the n records of a section are valid, from the first one on: each number is what it may be, they
 * are in their order, and what they refer to exists.  Sections that stand before this one are in the profile. */
size_t ompp_valid_records(enum ompp_section section, const struct ompp_profile *p, void *rows, size_t n);

/* Does so with the nodes, when the cells are in the profile.  A range of cells that ends beyond those that were read is
 * cut off, and *repaired becomes 1. */
size_t ompp_valid_nodes(struct ompp_profile *p, struct ompp_node *node, size_t n, int *repaired);

#endif
