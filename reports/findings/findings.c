/*
 * Findings: see findings.h.
 */
#include "reports/findings/findings.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/hot_functions.h"
#include "reports/analysis/label.h"
#include "runtime/base/array.h"
#include "runtime/base/sort.h"

enum { LEAST_SHOWN = 500 }; /* in 10^-9; less would be shown as 0.0000 per cent */

static int is_after(const void *list, uint32_t x, uint32_t y)
{
	const struct ompp_finding *fx = (const struct ompp_finding *)list + x,
				  *fy = (const struct ompp_finding *)list + y;

	if (fx->gain_ns != fy->gain_ns)
		return fx->gain_ns < fy->gain_ns;
	if (fx->ns != fy->ns)
		return fx->ns < fy->ns;
	return fx->weight != fy->weight ? fx->weight < fy->weight : x > y;
}

/* Returns what a property means; "" for one that property.def does not have. */
static const char *meaning_of(const char *name)
{
#define PROPERTY(property, words) \
	if (!strcmp(name, #property)) \
		return words;
#include "reports/findings/property.def"
#undef PROPERTY
	return "";
}

/* Returns how much shorter the run would be at most without all listed findings; OMPP_MISSING when no gain is known.
 * The time of each finding contains its share of what the machine took, so without that the others would save as much
 * less as the run would be shorter.
 * most_ns: the bound without a finding that is part of the work */
static int64_t gain_together(const struct ompp_finder *finder, const struct ompp_findings *findings, int64_t most_ns)
{
	const struct ompp_analysis *a = finder->analysis;
	const char *machine = finder->machine ? finder->list[finder->machine - 1].name : "";
	int64_t machine_ns = 0, others_ns = 0, all_ns;
	size_t n = 0;

	for (const struct ompp_finding *f = findings->list; f < findings->list + findings->n; f++) {
		if (f->gain_ns == OMPP_MISSING || (a->times && f->severity == OMPP_MISSING))
			continue; /* what is not known, or would be saved in another run, without hooks */
		n++;
		if (f->of_work)
			most_ns = a->measured_ns;
		if (!strcmp(f->name, machine))
			machine_ns = f->gain_ns;
		else
			others_ns = ompp_add(others_ns, f->gain_ns);
	}
	others_ns = others_ns < most_ns ? others_ns : most_ns;
	if (machine_ns)
		others_ns = (int64_t)((__int128)others_ns * (a->measured_ns - machine_ns) / a->measured_ns);
	all_ns = ompp_add(machine_ns, others_ns);
	return !n ? OMPP_MISSING : all_ns < most_ns ? all_ns : most_ns;
}

/* Returns the evidence of a finding and, where its cause is work, the functions that do that, by samples. */
static const char *with_functions(const struct ompp_analysis *a, const struct ompp_finding *f)
{
	static const char *const of_work[] = { "SerialPart", "Imbalance", "Unparallelized", "Work", "WaitAtBarrier" };
	const char *functions = NULL;
	struct ompp_text t;
	size_t n_bytes;
	char *both;

	for (size_t i = 0; i < OMPP_COUNT_OF(of_work) && !functions; i++)
		if (!strncmp(f->name, of_work[i], strlen(of_work[i])) && strcmp(f->name, "ImbalanceBefore"))
			functions = ompp_hot_say(a, f->region);
	n_bytes = functions ? strlen(f->evidence) + strlen(functions) + 2 : 0;
	both = functions ? ompp_arena_alloc(a->arena, n_bytes) : NULL;
	if (!both)
		return f->evidence;
	ompp_text_init(&t, both, n_bytes);
	ompp_text_str(&t, f->evidence);
	ompp_text_str(&t, f->evidence[0] ? " " : "");
	ompp_text_str(&t, functions);
	return both;
}

static int findings_begin(const struct ompp_analysis *a, struct ompp_finder *finder, struct ompp_findings *findings)
{
	*finder = (struct ompp_finder){ .analysis = a };
	memset(findings, 0, sizeof(*findings));
	findings->least = a->property_min;
	findings->together_ns = OMPP_MISSING;
	finder->explained = ompp_analysis_array(a, a->profile->n_regions, 1, 0);
	return finder->explained ? 0 : -ENOMEM;
}

/* Sorts the findings, and divides them by the threshold.
 * most_ns: how much shorter the run could be at most */
static int findings_end(struct ompp_finder *finder, int64_t most_ns, struct ompp_findings *findings)
{
	const struct ompp_analysis *a = finder->analysis;
	uint32_t *order = ompp_arena_alloc(a->arena, (finder->n + 1) * sizeof(*order));

	findings->is_short = finder->is_short;
	if (ompp_share(finder->unsure_ns, a->capacity_ns) >= findings->least) {
		findings->unsure_region = finder->unsure_region;
		findings->unsure_milli = finder->unsure_milli;
	}
	findings->list = ompp_arena_alloc(a->arena, (finder->n + 1) * sizeof(*findings->list));
	findings->below = ompp_arena_alloc(a->arena, (finder->n + 1) * sizeof(*findings->below));
	if (finder->rc || !findings->list || !findings->below || !order)
		return -ENOMEM;
	for (uint32_t i = 0; i < finder->n; i++)
		order[i] = i;
	ompp_sort(order, finder->n, is_after, finder->list);
	for (size_t i = 0; i < finder->n; i++) {
		const struct ompp_finding *f = &finder->list[order[i]];

		if (f->weight < LEAST_SHOWN)
			continue;
		if (f->weight < findings->least) {
			findings->below[findings->n_below] = *f;
			findings->below[findings->n_below++].meaning = meaning_of(f->name);
			continue;
		}
		findings->list[findings->n] = *f;
		findings->list[findings->n].number = (uint32_t)findings->n + 1;
		findings->list[findings->n].meaning = meaning_of(f->name);
		findings->list[findings->n].evidence = with_functions(a, f);
		findings->n++;
	}
	findings->together_ns = gain_together(finder, findings, most_ns);
	return 0;
}

static int findings_make(const struct ompp_analysis *a, struct ompp_findings *findings)
{
	struct ompp_finder finder;
	int64_t most_ns;
	int rc = findings_begin(a, &finder, findings);

	if (a->profile->is_damaged || ompp_profile_is_emulated(a->profile))
		return 0;
	if (rc || ompp_classes(a, &finder.classes))
		return -ENOMEM;
	ompp_find_processors(&finder);
	most_ns = finder.most_gain_ns;
	ompp_find_speed(&finder);
	ompp_find_tasks(&finder);
	ompp_find_serial(&finder);
	ompp_find_mpi(&finder);
	ompp_find_ranks(&finder);
	ompp_find_teams(&finder);
	ompp_find_chunks(&finder);
	ompp_find_barriers(&finder);
	ompp_find_entries(&finder);
	ompp_find_visits(&finder);
	ompp_find_data(&finder);
	ompp_find_memory(&finder);
	ompp_find_roofs(&finder);
	ompp_find_loops(&finder);
	ompp_find_reuse(&finder);
	ompp_find_layouts(&finder);
	ompp_find_orders(&finder);
	ompp_find_numa(&finder);
	return findings_end(&finder, most_ns, findings);
}

int ompp_findings_of_ranks(const struct ompp_analysis *a, const struct ompp_mpi_outside *mpi)
{
	struct ompp_findings *made = ompp_arena_alloc(a->arena, sizeof(*made));
	struct ompp_finder finder;

	if (!made || findings_begin(a, &finder, made))
		return -ENOMEM;
	finder.is_short = ompp_find_is_short(a);
	finder.is_busy = ompp_find_is_queued(a->profile);
	finder.most_gain_ns = a->measured_ns;
	if (!a->profile->is_damaged && !ompp_profile_is_emulated(a->profile)) {
		if (!finder.is_short && !finder.is_busy)
			ompp_find_mpi_outside(&finder, mpi);
		ompp_find_ranks(&finder);
	}
	a->made->findings = made;
	return findings_end(&finder, a->measured_ns, made);
}

int ompp_findings(const struct ompp_analysis *a, struct ompp_findings *findings)
{
	struct ompp_findings *made = a->made->findings;

	if (!made) {
		made = ompp_arena_alloc(a->arena, sizeof(*made));
		if (!made || findings_make(a, made))
			return -ENOMEM;
		a->made->findings = made;
	}
	*findings = *made;
	return 0;
}

const char *ompp_finding_location(const struct ompp_analysis *a, const struct ompp_finding *finding)
{
	const struct ompp_region *region;

	if (finding->region == OMPP_NONE)
		return "the whole program";
	region = &a->profile->regions[finding->region];
	return ompp_region_title(a, region, region->construct);
}

void ompp_finding_say_gain(const struct ompp_analysis *a, const struct ompp_finding *finding, struct ompp_text *t)
{
	if (finding->gain_ns == OMPP_MISSING) {
		ompp_text_str(t, "By how much the run would be shorter without it is not known.");
		return;
	}
	ompp_text_str(t, "Without it the run would be at most ");
	ompp_say_time(t, finding->gain_ns);
	ompp_text_str(t, " (");
	ompp_say_share(t, ompp_finding_gain_share(a, finding));
	ompp_text_str(t, ") shorter.");
}
