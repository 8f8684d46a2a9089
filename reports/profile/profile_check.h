/*
 * Profile check: validates what was read from a file.  Views rely on it: no index is beyond its array, and no sum of a
 * few numbers overflows.
 */
#ifndef OMPP_PROFILE_CHECK_H
#define OMPP_PROFILE_CHECK_H

#include "reports/profile/record.h"

/* Checks the profile's own numbers.  Values that files of older versions do not have become OMPP_MISSING. */
void ompp_check_head(struct ompp_profile *p);

/* Returns how many of the n records of a section are valid, from the first one on: each number is in its range, the
 * records are sorted, and the elements they refer to exist.  Sections before this one must be in the profile. */
size_t ompp_valid_records(enum ompp_section section, const struct ompp_profile *p, void *rows, size_t n);

/* The same for the nodes; the cells must be in the profile.  A range of cells that ends beyond those that were read is
 * cut off, and *repaired becomes 1. */
size_t ompp_valid_nodes(struct ompp_profile *p, struct ompp_node *node, size_t n, int *repaired);

#endif
