/*
 * Smalls: see smalls.h.
 */
#include "reports/findings/smalls.h"

#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/profile/number.h"
#include "runtime/base/clean.h"
#include "runtime/terms/served.h"

enum { NAME_BYTES = 200, MOST_SAID = 4, PERCENT = 10000000 };

static void put_name(struct ompp_text *t, const struct ompp_analysis *a, const char *name)
{
	const char *clean = ompp_clean_copy(name, 0, a->arena);

	if (clean)
		ompp_text_strn(t, clean, strnlen(clean, NAME_BYTES));
}

static int ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), n_end = strlen(end);

	return n >= n_end && !strcmp(text + n - n_end, end);
}

static int is_rest(const struct ompp_object *object)
{
	return object->origin == OMPP_ORIGIN_FILE &&
	       (ends_with(object->name, ": bss") || ends_with(object->name, ": data"));
}

void ompp_say_object(struct ompp_text *t, const struct ompp_analysis *a, uint32_t object)
{
	ompp_text_str(t, is_rest(&a->profile->objects[object]) ? "variables in " : "");
	put_name(t, a, a->profile->objects[object].name);
}

/* ---- which they are ---- */

/* Adds a sum to that of a name, or to `others` if the list is full. */
static void smalls_add(struct ompp_smalls *s, const char *name, const struct ompp_sampled_sum *sum)
{
	size_t i = 0;

	ompp_sampled_add(&s->all, sum);
	while (i < s->n && strcmp(s->list[i].name, name))
		i++;
	if (!name[0] || !s->list || i == OMPP_MOST_SMALL) {
		ompp_sampled_add(&s->others, sum);
		return;
	}
	if (i == s->n)
		s->list[s->n++] = (struct ompp_small_sum){ .name = name };
	ompp_sampled_add(&s->list[i].sum, sum);
}

/* Sorts the sums, and adds those that are too small to report to `others`. */
static void smalls_rank(struct ompp_smalls *s)
{
	s->nameless = s->others;
	for (; s->n_said < s->n && s->n_said < MOST_SAID; s->n_said++) {
		struct ompp_small_sum *first = &s->list[s->n_said], most;
		size_t at = s->n_said;

		for (size_t i = at + 1; i < s->n; i++)
			at = s->list[i].sum.estimate > s->list[at].sum.estimate ? i : at;
		if (ompp_share(s->list[at].sum.estimate, s->all.estimate) < PERCENT)
			break;
		most = s->list[at];
		s->list[at] = *first;
		*first = most;
	}
	for (size_t i = s->n_said; i < s->n; i++)
		ompp_sampled_add(&s->others, &s->list[i].sum);
}

static void smalls_start(struct ompp_smalls *s, const struct ompp_analysis *a, uint32_t object)
{
	*s = (struct ompp_smalls){ .analysis = a, .object = object };
	s->is_rest = is_rest(&a->profile->objects[object]);
	s->list = s->is_rest ? ompp_arena_alloc(a->arena, OMPP_MOST_SMALL * sizeof(*s->list)) : NULL;
}

void ompp_smalls_find(struct ompp_smalls *s, const struct ompp_places *places, uint32_t object, uint32_t region,
                      int only_far)
{
	const struct ompp_profile *p = places->analysis->profile;

	smalls_start(s, places->analysis, object);
	for (size_t i = 0; s->is_rest && i < p->n_uses; i++) {
		const struct ompp_use *use = &p->uses[i];
		uint32_t from, home, where = use->node ? p->nodes[use->node].region : OMPP_NONE;

		if (use->object != object || !ompp_may_be_of_memory(use->sum.level))
			continue;
		from = ompp_place_from(places, use);
		home = ompp_place_home(places, use);
		if (from != OMPP_NONE && home != OMPP_NONE && (only_far ? from != home : where == region))
			smalls_add(s, use->small ? use->small : "", &use->sum);
	}
	smalls_rank(s);
}

void ompp_smalls_find_all(struct ompp_smalls *s, const struct ompp_analysis *a, uint32_t object)
{
	const struct ompp_profile *p = a->profile;

	smalls_start(s, a, object);
	for (size_t i = 0; s->is_rest && i < p->n_uses; i++)
		if (p->uses[i].object == object)
			smalls_add(s, p->uses[i].small ? p->uses[i].small : "", &p->uses[i].sum);
	smalls_rank(s);
}

int64_t ompp_smalls_error(const struct ompp_smalls *s, const struct ompp_sampled_sum *sum)
{
	return ompp_sample_stats_cost_error(sum->estimate, (unsigned __int128)sum->variance, s->all.estimate,
	                                    (unsigned __int128)s->all.variance);
}

/* ---- words ---- */

void ompp_smalls_say(struct ompp_text *t, const struct ompp_smalls *s)
{
	size_t n = s->n_said + (s->others.n > 0);

	if (!s->n_said) {
		ompp_say_object(t, s->analysis, s->object);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		ompp_text_str(t, !i ? "" : i == n - 1 ? " and " : ", ");
		put_name(t, s->analysis, i < s->n_said ? s->list[i].name : "others");
	}
	ompp_text_str(t, " in ");
	put_name(t, s->analysis, s->analysis->profile->objects[s->object].name);
}

/* "98.4 +- 0.3 % are to cnt" */
static void put_share(struct ompp_text *t, const struct ompp_smalls *s, size_t i)
{
	const struct ompp_sampled_sum *sum = i < s->n_said ? &s->list[i].sum : &s->others;
	int64_t error = ompp_smalls_error(s, sum);

	ompp_text_str(t, i ? ", " : " ");
	ompp_text_fixed(t, ompp_share(sum->estimate, s->all.estimate), 7, 1);
	ompp_text_str(t, " +- ");
	ompp_text_fixed(t, error < PERCENT / 10 ? PERCENT / 10 : error, 7, 1);
	ompp_text_str(t, i ? " % to " : " % are to ");
	put_name(t, s->analysis, i < s->n_said ? s->list[i].name : "others");
}

void ompp_smalls_say_shares(struct ompp_text *t, const struct ompp_smalls *s, const char *what)
{
	size_t n = s->n_said + (s->others.n > 0);

	if (!s->is_rest || (s->n_said && n < 2))
		return;
	if (!s->n_said) {
		ompp_text_str(t, " Which variables these are is not known.");
		return;
	}
	ompp_text_str(t, " Of its ");
	ompp_text_str(t, what);
	for (size_t i = 0; i < n; i++)
		put_share(t, s, i);
	ompp_text_char(t, '.');
}

/* Returns the next variable of the object, in descending order of the parts in which it lies; NULL after the last.
 * before: the previous one; NULL for the first */
static const struct ompp_page_variable *next_variable(const struct ompp_smalls *s,
                                                      const struct ompp_page_variable *before)
{
	const struct ompp_profile *p = s->analysis->profile;
	const struct ompp_page_variable *next = NULL;

	for (const struct ompp_page_variable *v = p->page_variables; v < p->page_variables + p->n_page_variables; v++)
		if (v->object == s->object &&
		    (!before || v->n_parts < before->n_parts || (v->n_parts == before->n_parts && v > before)) &&
		    (!next || v->n_parts > next->n_parts))
			next = v;
	return next;
}

/* Says which variables lie there, which does not mean that they were used. */
static void say_page_variables(struct ompp_text *t, const struct ompp_smalls *s)
{
	const struct ompp_page_variable *v = next_variable(s, NULL), *next;

	if (!v)
		return;
	ompp_text_str(t, " Those 64ths of its pages that were used hold ");
	for (int i = 0; v; v = next, i++) {
		next = next_variable(s, v);
		ompp_text_str(t, !i ? "" : next && i < MOST_SAID ? ", " : " and ");
		put_name(t, s->analysis, i < MOST_SAID || !next ? v->small : "others");
		if (i == MOST_SAID)
			break;
	}
	ompp_text_char(t, '.');
}

void ompp_smalls_say_all(struct ompp_text *t, const struct ompp_smalls *s)
{
	size_t n = s->n_said + (s->others.n > 0);

	put_name(t, s->analysis, s->analysis->profile->objects[s->object].name);
	if (!s->n_said) {
		ompp_text_str(t, ": which variables these are is not known");
		ompp_text_str(t, s->all.n ? "." : "; samples would tell (OMPP_SAMPLE).");
	} else {
		ompp_text_str(t, ": of its sampled accesses");
		for (size_t i = 0; i < n; i++)
			put_share(t, s, i);
		ompp_text_char(t, '.');
	}
	say_page_variables(t, s);
}
