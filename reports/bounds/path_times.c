/*
 * Path times: see path_times.h.
 */
#include "reports/bounds/path_times.h"

int ompp_has_path_times(const struct ompp_profile *p)
{
	int is_known = p->has_span && p->span_ns != OMPP_MISSING && p->n_merged <= 1;

	for (size_t i = 0; i < p->n_spans && is_known; i++)
		is_known = p->spans[i].path_ns != OMPP_MISSING;
	return is_known;
}

int64_t *ompp_path_times(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t *ns = ompp_arena_alloc(a->arena, p->n_nodes * sizeof(*ns));

	for (size_t i = 0; ns && i < p->n_spans; i++)
		ns[p->spans[i].node] = ompp_add(ns[p->spans[i].node], p->spans[i].path_ns);
	return ns;
}
