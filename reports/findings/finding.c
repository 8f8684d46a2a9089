/*
 * Finding: see finding.h.
 */
#include "reports/findings/finding.h"

#include <errno.h>

static void add(struct ompp_finder *finder, const struct ompp_finding *finding)
{
	struct ompp_finding *list;

	if (finder->rc)
		return;
	list = ompp_arena_grow(finder->analysis->arena, finder->list, &finder->have, finder->n + 1, sizeof(*list));
	if (!list) {
		finder->rc = -ENOMEM;
		return;
	}
	finder->list = list;
	list[finder->n++] = *finding;
}

void ompp_find(struct ompp_finder *finder, const struct ompp_finding *finding)
{
	struct ompp_finding one = *finding;

	if (finding->ns == OMPP_MISSING || finding->ns <= 0)
		return;
	one.severity = one.weight = ompp_share(finding->ns, finder->analysis->capacity_ns);
	if (one.gain_ns != OMPP_MISSING) {
		int64_t share;

		one.gain_ns = one.gain_ns < one.ns ? one.gain_ns : one.ns;
		if (one.gain_ns > finder->analysis->measured_ns)
			one.gain_ns = finder->analysis->measured_ns;
		share = ompp_share(one.gain_ns, finder->analysis->measured_ns);
		one.weight = share > one.weight ? share : one.weight;
	}
	add(finder, &one);
}

void ompp_find_counted(struct ompp_finder *finder, const struct ompp_finding *finding)
{
	struct ompp_finding one = *finding;

	one.ns = one.severity = one.gain_ns = OMPP_MISSING;
	add(finder, &one);
}
