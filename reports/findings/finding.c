/*
 * Finding: see finding.h.
 */
#include "reports/findings/finding.h"

#include <errno.h>
#include <string.h>

#include "reports/findings/plain.h"

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

int64_t ompp_finding_gain_share(const struct ompp_analysis *a, const struct ompp_finding *finding)
{
	int64_t plain_ns = finding->severity == OMPP_MISSING ? ompp_plain_run_ns(a) : OMPP_MISSING;

	return ompp_share(finding->gain_ns, plain_ns == OMPP_MISSING ? a->measured_ns : plain_ns);
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
	share = ompp_finding_gain_share(finder->analysis, one);
	one->weight = share > one->weight ? share : one->weight;
}

/* Fills in what follows from the cost of a finding, whose gain is at most that. */
static void weigh(const struct ompp_finder *finder, struct ompp_finding *one)
{
	one->severity = one->weight = ompp_share(one->ns, finder->analysis->capacity_ns);
	if (one->gain_ns != OMPP_MISSING)
		one->gain_ns = one->gain_ns < one->ns ? one->gain_ns : one->ns;
	limit_gain(finder, one);
}

void ompp_find(struct ompp_finder *finder, const struct ompp_finding *finding)
{
	struct ompp_finding one = *finding;

	if (finding->ns == OMPP_MISSING || finding->ns <= 0)
		return;
	weigh(finder, &one);
	finding_add(finder, &one);
}

void ompp_find_machine(struct ompp_finder *finder, const struct ompp_finding *finding)
{
	size_t n = finder->n, n_bytes;
	struct ompp_finding *one;
	struct ompp_text t;
	char *both;

	if (!finder->machine) {
		ompp_find(finder, finding);
		finder->machine = finder->n > n ? finder->n : 0;
		return;
	}
	if (finding->ns <= 0 || ompp_share(finding->ns, finder->analysis->capacity_ns) < finder->analysis->property_min)
		return; /* it would be no finding by itself */
	one = &finder->list[finder->machine - 1];
	n_bytes = strlen(one->evidence) + strlen(finding->evidence) + 2;
	both = ompp_arena_alloc(finder->analysis->arena, n_bytes);
	if (!both) {
		finder->rc = -ENOMEM;
		return;
	}
	ompp_text_init(&t, both, n_bytes);
	ompp_text_str(&t, one->evidence);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, finding->evidence);
	one->evidence = both;
	if (!strcmp(one->name, "SpeedVaries")) {
		one->name = finding->name;
		one->advice = finding->advice;
	}
	one->ns = ompp_add(one->ns, finding->ns);
	one->gain_ns = ompp_add_known(one->gain_ns, finding->gain_ns);
	weigh(finder, one);
}

int64_t ompp_find_stolen_ns(const struct ompp_finder *finder)
{
	int64_t stolen_ns = finder->analysis->profile->stolen_most_ns; /* OMPP_MISSING is the least number */

	return stolen_ns > 0 ? stolen_ns : 0;
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
