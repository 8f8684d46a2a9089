/*
 * Profile check: what a file says, as far as it can be true.  Numbers that would make sums overflow are cut off.
 *
 * The ompp_valid_ functions return how many records from the start are valid: the first that is not ends the list.
 * They ask the profile for what records refer to (cells for rows, nodes for regions and cells), which it must have
 * already.
 */
#ifndef OMPP_PROFILE_CHECK_H
#define OMPP_PROFILE_CHECK_H

#include <stddef.h>

#include "reports/profile/profile.h"

/* Checks the profile's own numbers.  What a file of an older version does not have becomes missing. */
void ompp_check_head(struct ompp_profile *p);

size_t ompp_valid_regions(const struct ompp_region *r, size_t n);
size_t ompp_valid_rows(const struct ompp_row *r, size_t n);
size_t ompp_valid_metrics(const struct ompp_metric *m, size_t n);
size_t ompp_valid_nodes(struct ompp_profile *p, struct ompp_node *node, size_t n, int *repaired);
size_t ompp_valid_cells(const struct ompp_profile *p, struct ompp_cell *c, size_t n);
size_t ompp_valid_numa_values(const struct ompp_profile *p, const struct ompp_numa_value *v, size_t n);
size_t ompp_valid_objects(struct ompp_object *o, size_t n);
size_t ompp_valid_levels(struct ompp_cache_level *l, size_t n);
size_t ompp_valid_accesses(const struct ompp_profile *p, const struct ompp_access *a, size_t n);
size_t ompp_valid_lines(const struct ompp_profile *p, struct ompp_shared_line *l, size_t n);
size_t ompp_valid_patterns(const struct ompp_profile *p, struct ompp_pattern *t, size_t n);
size_t ompp_valid_waits(const struct ompp_profile *p, struct ompp_wait *w, size_t n);
size_t ompp_valid_samples(const struct ompp_profile *p, const struct ompp_sampled *s, size_t n);
size_t ompp_valid_sample_histogram(const struct ompp_profile *p, const struct ompp_sampled_latency *l, size_t n);
size_t ompp_valid_sample_lines(const struct ompp_profile *p, const struct ompp_sampled_line *l, size_t n);
size_t ompp_valid_first_touches(const struct ompp_profile *p, const struct ompp_first_touch *t, size_t n);
size_t ompp_valid_uses(const struct ompp_profile *p, const struct ompp_use *u, size_t n);
size_t ompp_valid_spots(const struct ompp_profile *p, const struct ompp_spot *s, size_t n);
size_t ompp_valid_extents(const struct ompp_profile *p, const struct ompp_extent *e, size_t n);
size_t ompp_valid_paged(const struct ompp_profile *p, const struct ompp_paged *l, size_t n);
size_t ompp_valid_hot_pages(const struct ompp_profile *p, const struct ompp_hot_page *h, size_t n);
size_t ompp_valid_page_variables(const struct ompp_profile *p, const struct ompp_page_variable *v, size_t n);
size_t ompp_valid_placements(const struct ompp_profile *p, const struct ompp_placement *l, size_t n);
size_t ompp_valid_bindings(const struct ompp_profile *p, const struct ompp_binding *b, size_t n);
size_t ompp_valid_numa_nodes(struct ompp_numa_node *node, size_t n);
size_t ompp_valid_allocations(const struct ompp_profile *p, struct ompp_allocation *a, size_t n);
size_t ompp_valid_instances(const struct ompp_profile *p, struct ompp_instance *l, size_t n);

/* Compare two records by the keys by which a profile sorts them; they return less than, equal to, or more than 0. */
int ompp_compare_samples(const struct ompp_sampled *a, const struct ompp_sampled *b);
int ompp_compare_sample_histogram(const struct ompp_sampled_latency *a, const struct ompp_sampled_latency *b);
int ompp_compare_sample_lines(const struct ompp_sampled_line *a, const struct ompp_sampled_line *b);
int ompp_compare_first_touches(const struct ompp_first_touch *a, const struct ompp_first_touch *b);
int ompp_compare_uses(const struct ompp_use *a, const struct ompp_use *b);
int ompp_compare_spots(const struct ompp_spot *a, const struct ompp_spot *b);
int ompp_compare_extents(const struct ompp_extent *a, const struct ompp_extent *b);
int ompp_compare_paged(const struct ompp_paged *a, const struct ompp_paged *b);
int ompp_compare_hot_pages(const struct ompp_hot_page *a, const struct ompp_hot_page *b);
int ompp_compare_page_variables(const struct ompp_page_variable *a, const struct ompp_page_variable *b);
int ompp_compare_placements(const struct ompp_placement *a, const struct ompp_placement *b);
int ompp_compare_instances(const struct ompp_instance *a, const struct ompp_instance *b);

#endif
