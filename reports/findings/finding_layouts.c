/*
 * Finding, layouts: objects that would miss less in another layout (bounds/relayout_gain.h).  Of an object in a region
 * one layout is named: a structure of arrays, unless a split has clearly less misses; and one against shared sets. That
 * smaller elements need less memory is no finding.  Where lines are used in part (finding_data.c) the layout is why,
 * and has that as evidence.
 */
#include "reports/findings/fewer_misses.h"
#include "reports/findings/finding.h"
#include "reports/findings/pattern.h"
#include "runtime/base/clean.h"

#include <string.h>

enum { MOST_ALIGNMENT = 64, BITS_ALIGNMENT = 8 }; /* in bytes: of a vector; of bit fields */

/* Is another layout of the same structures the one to be named? */
static int has_better(const struct ompp_relayout_gains *gains, const struct ompp_relayout_gain *gain)
{
	int is_split = !strcmp(gain->of->kind, "split");

	for (size_t i = 0; i < gains->n; i++) {
		const struct ompp_relayout_gain *other = &gains->list[i];
		int64_t mine, theirs;

		if (other->of->object != gain->of->object || other->of->region != gain->of->region ||
		    strcmp(other->of->kind, is_split ? "apart" : "split"))
			continue;
		mine = gain->then[gain->level];
		theirs = other->then[gain->level];
		if (is_split ? !ompp_misses_are_fewer(mine, theirs) : ompp_misses_are_fewer(theirs, mine))
			return 1;
	}
	return 0;
}

/* Is a gain one that findings name? */
static int is_said(const struct ompp_relayout_gains *gains, const struct ompp_relayout_gain *gain)
{
	return !strcmp(gain->of->kind, "padded") || (strcmp(gain->of->kind, "half") && !has_better(gains, gain));
}

int ompp_find_layouts_says(const struct ompp_analysis *a, uint32_t object, uint32_t region)
{
	const struct ompp_relayout_gains *gains = a->profile->n_relayouts ? ompp_relayout_gains(a) : NULL;

	for (size_t i = 0; gains && i < gains->n; i++)
		if (gains->list[i].of->object == object && gains->list[i].of->region == region &&
		    strcmp(gains->list[i].of->kind, "padded") && is_said(gains, &gains->list[i]))
			return 1;
	return 0;
}

/* What is known of the lines of an object that are used in part. */
struct layouts_parts {
	int64_t weight, gain_ns; /* of the finding; 0 where they are not */
};

/* Returns the largest part of a level's misses that a layout saves, in 10^-9. */
static int64_t most_saved(const struct ompp_relayout_gain *gain)
{
	int64_t most = 0;

	for (int i = 0; i < OMPP_ACCESS_LEVELS; i++)
		if (gain->now[i] > gain->then[i] && ompp_share(gain->now[i] - gain->then[i], gain->now[i]) > most)
			most = ompp_share(gain->now[i] - gain->then[i], gain->now[i]);
	return most;
}

/* Says how much of each line is used today, where the object is walked line by line and half of that is not. */
static struct layouts_parts say_parts(struct ompp_text *t, const struct ompp_analysis *a,
                                      const struct ompp_relayout_gain *gain)
{
	struct layouts_parts parts = { 0 };
	struct ompp_pattern_sums sums;

	for (size_t i = 0; i < a->profile->n_patterns && a->traffic; i++) {
		const struct ompp_pattern *one = &a->profile->patterns[i];
		int64_t step = one->step_bytes < 0 ? -one->step_bytes : one->step_bytes;

		if (one->kind != OMPP_PATTERN_STRIDE || one->object != gain->of->object ||
		    one->region != gain->of->region || !ompp_pattern_holds(a, one, &sums) ||
		    step / 2 >= sums.line_bytes)
			continue;
		ompp_text_str(t, " Today, of each line of ");
		ompp_text_i64(t, sums.line_bytes);
		ompp_text_str(t, " bytes ");
		ompp_say_ratio(t, sums.values[OMPP_TRAFFIC_BYTES], sums.values[sums.level]);
		ompp_text_str(t, " are used before it is evicted.");
		parts.weight = ompp_share(ompp_count(one->n), sums.all_misses);
		parts.gain_ns = ompp_fewer_misses_ns(a, one->region, most_saved(gain));
		break;
	}
	return parts;
}

/* Returns the largest power of two up to MOST_ALIGNMENT that divides both. */
static uint64_t alignment_of(uint64_t offset, uint64_t n_bytes)
{
	uint64_t both = offset | n_bytes | MOST_ALIGNMENT;

	return both & -both;
}

/* Returns how many bytes a structure is smaller at least with its members in the order of their sizes.  What its
 * alignment is nothing tells: at most what fits the places and sizes of all members, and more than the bytes behind the
 * last one.  Structures inside stay as they are, with their padding. */
static uint64_t spared_by_order(const struct ompp_profile *p, uint32_t object, uint64_t bytes)
{
	uint64_t sum = 0, alignment = 1, behind = 0;

	for (size_t i = 0; i < p->n_members; i++) {
		const struct ompp_member *m = &p->members[i];
		uint64_t own = alignment_of(m->offset, m->n_bytes);

		if (m->object != object || !m->n_bytes)
			continue;
		if (!strcmp(m->name, "(padding)")) {
			behind = m->offset + m->n_bytes == bytes ? m->n_bytes : behind;
			continue;
		}
		sum += m->n_bytes * m->n_places;
		if (!strcmp(m->kind, "padding"))
			continue;
		if (!strcmp(m->kind, "bits")) /* their bytes do not tell that of their type */
			own = BITS_ALIGNMENT;
		alignment = own > alignment ? own : alignment;
	}
	if (alignment > alignment_of(0, bytes))
		alignment = alignment_of(0, bytes);
	while (alignment <= behind && alignment < bytes)
		alignment *= 2;
	sum = (sum + alignment - 1) / alignment * alignment;
	return sum < bytes ? bytes - sum : 0;
}

/* Says how much of a structure is padding, where that is an eighth of it or more.  Returns 1 when another order of the
 * members spares so much. */
static int say_padding(struct ompp_text *t, const struct ompp_profile *p, uint32_t object)
{
	uint64_t bytes = 0, padding = 0;

	for (size_t i = 0; i < p->n_structures; i++)
		bytes = p->structures[i].object == object ? p->structures[i].n_bytes : bytes;
	for (size_t i = 0; i < p->n_members; i++)
		if (p->members[i].object == object && !strcmp(p->members[i].kind, "padding"))
			padding += p->members[i].n_bytes * p->members[i].n_places;
	if (!padding || padding < bytes / 8)
		return 0;
	ompp_text_char(t, ' ');
	ompp_text_grouped(t, ompp_count(padding));
	ompp_text_str(t, " of the ");
	ompp_text_grouped(t, ompp_count(bytes));
	ompp_text_str(t, " bytes of a structure are padding.");
	padding = spared_by_order(p, object, bytes);
	return padding && padding >= bytes / 8;
}

/* Returns what to do about a layout of structures. */
static const char *advise_layout(int is_split, int helps_order)
{
	if (helps_order)
		return is_split
		             ? "Make an array of each group of members that are used together, so that a line has "
		               "nothing else; or order the members by their sizes, the largest first, which leaves "
		               "less padding between them."
		             : "Order the members by their sizes, the largest first, which leaves less padding between "
		               "them; or make an array of each member, which has none, and nothing else than what the "
		               "loop uses.";
	return is_split ? "Make an array of each group of members that are used together, so that a line has nothing "
	                  "else."
	                : "Make an array of each member, so that a line has nothing else than what the loop uses.";
}

static void layouts_judge(struct ompp_finder *finder, const struct ompp_relayout_gain *gain)
{
	const struct ompp_analysis *a = finder->analysis;
	int is_padded = !strcmp(gain->of->kind, "padded"), is_split = !strcmp(gain->of->kind, "split");
	const char *name = ompp_clean_copy(a->profile->objects[gain->of->object].name, 0, a->arena);
	struct layouts_parts parts = { 0 };
	int64_t weight = ompp_fewer_misses_weight(a->profile, gain);
	int helps_order = 0;
	struct ompp_text t;

	ompp_say_start_long(&t, a->arena);
	ompp_text_str(&t, name ? name : "");
	ompp_text_str(&t, is_padded  ? " with padded rows would miss "
	                  : is_split ? " in arrays of "
	                             : " as a structure of arrays would miss ");
	if (is_split) {
		const char *groups = ompp_clean_copy(gain->of->groups, 0, a->arena);

		ompp_text_char(&t, '(');
		ompp_text_str(&t, groups ? groups : "");
		ompp_text_str(&t, ") would miss ");
	}
	ompp_say_fewer_misses(&t, gain);
	ompp_text_char(&t, '.');
	if (!is_padded) {
		parts = say_parts(&t, a, gain);
		helps_order = say_padding(&t, a->profile, gain->of->object);
	}
	ompp_say_faster(&t, gain);
	ompp_find_counted(
		finder,
		&(struct ompp_finding){
			.name = is_padded ? "PaddingFetchesLess" : "OtherLayoutFetchesLess",
			.region = gain->of->region,
			.object = ompp_finding_object(a, gain->of->object),
			.weight = weight > parts.weight ? weight : parts.weight,
			.gain_ns = parts.gain_ns,
			.evidence = t.data,
			.advice = is_padded ? "Make rows longer by an odd number of cache lines, about one for each 4 "
	                                      "KiB, or begin arrays a line apart: lines that are used together then "
	                                      "have different sets."
	                                    : advise_layout(is_split, helps_order) });
}

void ompp_find_layouts(struct ompp_finder *finder)
{
	const struct ompp_relayout_gains *gains = ompp_fewer_misses(finder);

	for (size_t i = 0; gains && i < gains->n; i++)
		if (is_said(gains, &gains->list[i]))
			layouts_judge(finder, &gains->list[i]);
}
