/*
 * Steps, in Fortran: see steps_fortran.h.  One walk over the statements, as in emit_fortran.c.
 */
#include "opari/opari2/steps_fortran.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/emit/construct_location.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/user_call.h"
#include "opari/opari2/known_sites.h"
#include "opari/read/lock_sites.h"

struct finder {
	const struct kinst_statements *s;
	const struct kinst_emit_options *options;
	struct kinst_emitted *emitted;
	struct kinst_steps *steps;
	struct kinst_regions regions; /* the user regions, so that each end finds its begin */
	size_t *user_sites;           /* the site of each of these that is called */
	size_t next;                  /* the statements before this one are in steps */
	const char *silent;           /* why nothing is shown here; NULL when it may be shown */
	int cancelled;                /* 1 in a parallel region with `cancel parallel` */
	int uninstrumented;           /* 1 between `pomp noinstrument` and `instrument` */
};

#define NO_CALLS "nothing can be called inside of a simd loop, an atomic, a workshare or code for a device"

static void steps_fortran_walk(struct finder *f, size_t from, size_t to);

static struct kinst_location place_of(const struct finder *f, size_t i)
{
	const struct kinst_statement *s = &f->s->items[i];

	return (struct kinst_location){ s->file.p, s->file.n, (uint32_t)s->line,
		                        (uint32_t)(s->line + s->last - s->first) };
}

/* ---- lists ---- */

static size_t add_site(struct finder *f, const struct kinst_fortran_extent *s, size_t construct, const char *user)
{
	struct kinst_steps *all = f->steps;

	if (all->n_sites == all->site_room) {
		all->site_room = all->site_room * 2 + 32;
		all->sites = kinst_realloc(all->sites, all->site_room * sizeof(*all->sites));
	}
	all->sites[all->n_sites] = (struct kinst_fortran_site){ .s = *s,
		                                                .construct = construct,
		                                                .user = user ? kinst_strdup(user) : NULL };
	return all->n_sites++;
}

static void add_step(struct finder *f, enum kinst_step_kind kind, size_t site, size_t statement)
{
	struct kinst_steps *all = f->steps;

	if (all->n_steps == all->step_room) {
		all->step_room = all->step_room * 2 + 64;
		all->steps = kinst_realloc(all->steps, all->step_room * sizeof(*all->steps));
	}
	all->steps[all->n_steps++] = (struct kinst_step){ kind, site, statement, KINST_POMP_NONE };
}

static void add_aside(struct finder *f, size_t statement, char *lock)
{
	struct kinst_steps *all = f->steps;

	if (all->n_asides == all->aside_room) {
		all->aside_room = all->aside_room * 2 + 32;
		all->asides = kinst_realloc(all->asides, all->aside_room * sizeof(*all->asides));
	}
	all->asides[all->n_asides++] = (struct kinst_aside){ statement, lock };
}

/* Adds a word for the statements up to this one, if there are any. */
static void add_word(struct finder *f, size_t statement)
{
	for (size_t i = f->next; i < statement; i++)
		if (*f->s->items[i].text || f->s->items[i].directive) {
			add_step(f, KINST_STEP_WORD, KINST_NO_CONSTRUCT, statement);
			break;
		}
	if (f->next < statement)
		f->next = statement;
}

/* Adds a step for a directive of the text. */
static void add_directive(struct finder *f, enum kinst_step_kind kind, size_t site, size_t statement)
{
	add_word(f, statement);
	add_step(f, kind, site, statement);
	f->next = statement + 1;
}

/* ---- constructs ---- */

int kinst_steps_has_copy(const struct kinst_statements *statements, const struct kinst_fortran_extent *s)
{
	return kinst_directive_clause(&s->d, "copyprivate") || kinst_fortran_end_has(statements, s, "copyprivate");
}

/* Returns 1 when the construct must keep its own barrier.  opari2 would make it NOWAIT and put another barrier
 * behind it. */
static int keeps_barrier(const struct finder *f, const struct kinst_fortran_extent *s)
{
	enum kinst_leaf work = s->d.leaves[s->d.n_leaves > 1 && s->d.leaves[0] == KINST_OMP_PARALLEL];
	const char *cancel = work == KINST_OMP_FOR ? "do" : work == KINST_OMP_SECTIONS ? "sections" : "";

	if ((work != KINST_OMP_FOR && work != KINST_OMP_SECTIONS && work != KINST_OMP_SINGLE &&
	     work != KINST_OMP_WORKSHARE) ||
	    kinst_directive_clause(&s->d, "nowait") || kinst_fortran_end_has(f->s, s, "nowait"))
		return 0;
	if (kinst_steps_has_copy(f->s, s))
		return 0; /* opari2 lets it keep its barrier */
	return f->cancelled || kinst_directive_reduces_tasks(&s->d) || kinst_fortran_is_cancelled(f->s, s, cancel);
}

/* Returns why opari2 is not shown a construct; NULL when it is.
 * inside: becomes the reason why nothing inside of it is shown either, or NULL */
static const char *why_not(const struct finder *f, const struct kinst_fortran_extent *s, size_t construct,
                           const char **inside)
{
	*inside = kinst_emit_why_not_inside(&s->d, KINST_NO_TEAM);
	if (f->silent)
		return *inside = f->silent;
	if (kinst_emit_is_disabled(f->options, &s->d)) {
		*inside = kinst_emit_why_not_inside(&s->d, "--disable");
		return "--disable";
	}
	if (kinst_emit_is_given_up(f->options, construct))
		return "it does not compile with opari2's calls in it";
	if (kinst_directive_is_loop(&s->d) && s->end == KINST_NOWHERE && kinst_fortran_shares_end(f->s, s))
		return "its loop ends at the same statement as a loop around it";
	if (!kinst_opari2_knows(&s->d) || (s->d.leaves[0] == KINST_OMP_ORDERED && s->last == s->first))
		return KINST_OPARI2_UNKNOWN;
	return keeps_barrier(f, s) ? KINST_OPARI2_BARRIER : NULL;
}

static const char *why_silent(const struct finder *f, const struct kinst_directive *d)
{
	if (d->leaves[0] == KINST_OMP_ATOMIC || kinst_directive_has(d, KINST_OMP_SIMD) ||
	    kinst_directive_has(d, KINST_OMP_WORKSHARE) || (d->leaves[0] == KINST_OMP_TARGET && f->options->device))
		return NO_CALLS;
	return NULL;
}

static void walk_silently(struct finder *f, size_t from, size_t to, const char *why)
{
	const char *before = f->silent;

	f->silent = before ? before : why;
	steps_fortran_walk(f, from, to);
	f->silent = before;
}

/* Returns 1 when nothing but empty sections follows from section i on.  See emit_fortran.c. */
static int has_only_sections(const struct finder *f, size_t i, size_t end)
{
	for (; i < end; i = kinst_fortran_next(f->s, i))
		if (kinst_fortran_section(f->s, i, end) != i)
			return 0;
	return 1;
}

static void show_sections(struct finder *f, const struct kinst_fortran_extent *s, size_t site)
{
	size_t i = kinst_fortran_next(f->s, s->first), next, end = kinst_fortran_block_end(f->s, i);

	if (end != KINST_NOWHERE && (s->end == KINST_NOWHERE || kinst_fortran_next(f->s, end) == s->end)) {
		f->next = kinst_fortran_next(f->s, i); /* the sections stand in a BLOCK */
		i = f->next;
	} else {
		end = s->end;
	}
	next = kinst_fortran_section(f->s, i, end);
	if (next > i) { /* the first section has no directive */
		f->next = i;
		add_step(f, KINST_STEP_SECTION, site, KINST_NOWHERE);
		steps_fortran_walk(f, i, next);
	}
	for (i = next; i < end; i = next) {
		next = kinst_fortran_section(f->s, i + 1, end);
		if (s->d.n_leaves > 1 && has_only_sections(f, i, end)) {
			add_word(f, i);
			add_aside(f, i, NULL);
			f->next = i + 1;
			continue;
		}
		add_directive(f, KINST_STEP_SECTION, site, i);
		steps_fortran_walk(f, i + 1, next);
		add_word(f, next);
	}
	if (end != s->end) /* this is END BLOCK */
		f->next = end + 1;
}

static void steps_fortran_show(struct finder *f, const struct kinst_fortran_extent *s, size_t construct)
{
	size_t site = add_site(f, s, construct, NULL);
	int cancelled = f->cancelled;

	add_directive(f, KINST_STEP_BEGIN, site, s->first);
	if (s->last == s->first)
		return;
	if (s->d.leaves[0] == KINST_OMP_PARALLEL)
		f->cancelled = kinst_fortran_is_cancelled(f->s, s, "parallel");
	if (kinst_directive_has(&s->d, KINST_OMP_SECTIONS))
		show_sections(f, s, site);
	else
		walk_silently(f, s->first + 1, s->end != KINST_NOWHERE ? s->end : s->last + 1, why_silent(f, &s->d));
	f->cancelled = cancelled;
	if (s->d.leaves[0] == KINST_OMP_ATOMIC) { /* opari2 does not know the end directive of an atomic */
		add_word(f, s->last + 1);
	} else if (s->end != KINST_NOWHERE) {
		add_directive(f, KINST_STEP_END, site, s->end);
	} else {
		add_word(f, s->last + 1);
		add_step(f, KINST_STEP_END, site, KINST_NOWHERE);
	}
}

/* Passes over a directive that is no construct, or whose end is not known.  Returns the statement behind it. */
static size_t pass_over(struct finder *f, const struct kinst_fortran_extent *s, int is_found)
{
	if (kinst_emit_is_construct(f->options, &s->d)) {
		kinst_emitted_give_up(f->emitted,
		                      kinst_emitted_add(f->emitted, &s->d, place_of(f, s->first),
		                                        kinst_construct_bounds_fortran(f->s, s->first, s->first)),
		                      "where it ends is not known");
	} else if (s->d.leaves[0] == KINST_OMP_SIMD && is_found) {
		walk_silently(f, s->first + 1, s->last + 1, NO_CALLS);
		return s->last + 1;
	}
	return s->first + 1;
}

/* Reads what begins at a directive of OpenMP.  Returns the statement behind it. */
static size_t steps_fortran_visit(struct finder *f, size_t i)
{
	struct kinst_fortran_extent s = { .first = i };
	const char *why, *inside;
	size_t construct;
	int is_found;

	if (!kinst_fortran_read(f->s, i, &s.d))
		return i + 1;
	if (s.d.is_end) {
		kinst_directive_free(&s.d);
		return i + 1;
	}
	is_found = kinst_fortran_find(f->s, &s);
	if (!is_found || !kinst_emit_is_construct(f->options, &s.d)) {
		i = pass_over(f, &s, is_found);
		kinst_directive_free(&s.d);
		return i;
	}
	construct = kinst_emitted_add(f->emitted, &s.d, place_of(f, i),
	                              kinst_construct_bounds_fortran(f->s, i, s.last));
	why = why_not(f, &s, construct, &inside);
	if (!why) {
		steps_fortran_show(f, &s, construct); /* the directive is the site's from now on */
		return s.last + 1;
	}
	kinst_emitted_give_up(f->emitted, construct, why);
	walk_silently(f, i + 1, s.last + 1, why_silent(f, &s.d) ? why_silent(f, &s.d) : inside);
	kinst_directive_free(&s.d);
	return s.last + 1;
}

/* ---- the user's own directives, and locks ---- */

/* Returns the site of the user region that a directive opens or closes. */
static size_t user_site(struct finder *f, size_t i, const struct kinst_pomp *pomp, size_t region)
{
	struct kinst_fortran_extent extent = { .first = i };
	char *name;

	if (pomp->verb == KINST_POMP_BEGIN) {
		extent.last = kinst_user_end_fortran(f->s, i, pomp);
		f->user_sites = kinst_realloc(f->user_sites, f->regions.n * sizeof(*f->user_sites));
		name = kinst_strndup(pomp->name, pomp->n_name);
		f->user_sites[region] = add_site(f, &extent, KINST_NO_CONSTRUCT, name);
		free(name);
	}
	return f->user_sites[region];
}

/* Reads a directive of the user's.  Returns 0 when statement i is none. */
static int visit_pomp(struct finder *f, size_t i)
{
	struct kinst_location place = place_of(f, i);
	size_t site = KINST_NO_CONSTRUCT, region;
	enum kinst_pomp_verb verb;
	struct kinst_pomp pomp;

	if (!kinst_user_read_fortran(f->s, i, &pomp))
		return 0;
	verb = kinst_user_call(&f->regions, f->options, f->emitted, &pomp, place, NULL, &region);
	if (verb == KINST_POMP_INSTRUMENT || verb == KINST_POMP_NOINSTRUMENT) {
		f->uninstrumented = verb == KINST_POMP_NOINSTRUMENT;
		verb = KINST_POMP_NONE;
	}
	if (verb != KINST_POMP_NONE) {
		if (!kinst_user_call_name(verb))
			site = user_site(f, i, &pomp, region);
		add_directive(f, KINST_STEP_POMP, site, i);
		f->steps->steps[f->steps->n_steps - 1].verb = verb;
	} else if (!f->s->items[i].is_pomp) { /* gfortran rejects !$omp inst */
		add_aside(f, i, NULL);
	}
	return 1;
}

/* Notes a call that makes or sets a lock. */
static void visit_lock(struct finder *f, size_t i)
{
	struct kinst_span argument = kinst_lock_fortran(f->s->items[i].text);
	struct kinst_text site = { 0 };

	if (!argument.n || !f->options->locks || f->uninstrumented || f->silent)
		return;
	kinst_region_site(&f->regions, place_of(f, i), argument.p, argument.n, &site);
	add_aside(f, i, site.data);
}

static void steps_fortran_walk(struct finder *f, size_t from, size_t to)
{
	for (size_t i = from; i < to;) {
		if (!f->s->items[i].directive)
			visit_lock(f, i++);
		else if (visit_pomp(f, i))
			i++;
		else if (f->options->openmp && !f->uninstrumented)
			i = steps_fortran_visit(f, i);
		else
			i++;
	}
}

void kinst_steps_find(const struct kinst_statements *statements, const struct kinst_emit_options *options,
                      struct kinst_emitted *emitted, struct kinst_steps *steps)
{
	struct finder f = { .s = statements,
		            .options = options,
		            .emitted = emitted,
		            .steps = steps,
		            .regions.directory = options->directory };

	*steps = (struct kinst_steps){ 0 };
	steps_fortran_walk(&f, 0, statements->n);
	add_word(&f, statements->n);
	kinst_pomp_complain_unended(&f.regions, &emitted->messages);
	kinst_regions_free(&f.regions);
	free(f.user_sites);
}

void kinst_steps_free(struct kinst_steps *steps)
{
	for (size_t i = 0; i < steps->n_sites; i++) {
		kinst_directive_free(&steps->sites[i].s.d);
		free(steps->sites[i].user);
	}
	for (size_t i = 0; i < steps->n_asides; i++)
		free(steps->asides[i].lock);
	free(steps->sites);
	free(steps->steps);
	free(steps->asides);
	*steps = (struct kinst_steps){ 0 };
}
