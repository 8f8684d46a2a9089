/*
 * Finding: see finding.h.
 */
#include "reports/findings/finding.h"

#include <errno.h>

static void finding_add(struct ompp_finder *finder, const struct ompp_finding *finding)
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

/* Limits the gain of a finding to that of a run without any overhead, and raises the weight to the gain's share if that
 * is larger. */
static void limit_gain(const struct ompp_finder *finder, struct ompp_finding *one)
{
	int64_t share, most_ns;

	if (one->gain_ns == OMPP_MISSING)
		return;
	most_ns = one->of_work ? finder->analysis->measured_ns : finder->most_gain_ns;
	if (one->gain_ns > most_ns)
		one->gain_ns = most_ns;
	share = ompp_share(one->gain_ns, finder->analysis->measured_ns);
	one->weight = share > one->weight ? share : one->weight;
}

void ompp_find(struct ompp_finder *finder, const struct ompp_finding *finding)
{
	struct ompp_finding one = *finding;

	if (finding->ns == OMPP_MISSING || finding->ns <= 0)
		return;
	one.severity = one.weight = ompp_share(finding->ns, finder->analysis->capacity_ns);
	if (one.gain_ns != OMPP_MISSING)
		one.gain_ns = one.gain_ns < one.ns ? one.gain_ns : one.ns;
	limit_gain(finder, &one);
	finding_add(finder, &one);
}

int64_t ompp_find_own_ns(const struct ompp_finder *finder, int64_t ns)
{
	return ns == OMPP_MISSING ? ns : (int64_t)((__int128)ns * (1000 - finder->late_milli) / 1000);
}

void ompp_find_say_system(const struct ompp_finder *finder, struct ompp_text *t)
{
	if (!finder->late_milli)
		return;
	ompp_text_char(t, ' ');
	ompp_say_share(t, finder->late_milli * 1000000);
	ompp_text_str(t, " of this is left out here: the kernel says that threads waited for a processor so long.");
}

void ompp_find_counted(struct ompp_finder *finder, const struct ompp_finding *finding)
{
	struct ompp_finding one = *finding;

	one.ns = one.severity = OMPP_MISSING;
	one.of_work = 1;
	if (one.gain_ns <= 0)
		one.gain_ns = OMPP_MISSING;
	limit_gain(finder, &one);
	finding_add(finder, &one);
}
