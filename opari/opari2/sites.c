/*
 * Sites: see sites.h.  One walk over the tokens, as in emit.c.
 */
#include "opari/opari2/sites.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "opari/emit/construct_location.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/user_call.h"
#include "opari/opari2/known_sites.h"
#include "opari/read/braces.h"
#include "opari/read/extent.h"
#include "opari/read/pragma.h"

enum { DEEPEST = 200, MOST_LOST = 200 };

struct finder {
	const struct kinst_tokens *tokens;
	const struct kinst_emit_options *options;
	struct kinst_emitted *emitted;
	struct kinst_sites *sites;
	struct kinst_regions regions; /* the user regions, so that each end finds its begin */
	size_t depth, n_lost;
	const char *silent; /* why nothing is shown here; NULL when it may be shown */
	int cancelled;      /* 1 in a parallel region with `cancel parallel` */
	int uninstrumented; /* 1 between `pomp noinstrument` and `instrument` */
};

static void sites_walk(struct finder *f, uint32_t from, uint32_t to);

static struct kinst_location place_of(const struct finder *f, uint32_t token)
{
	const struct kinst_token *t = f->tokens->tokens + token;
	const struct kinst_marker *m = f->tokens->markers + t->marker;

	return (struct kinst_location){ f->tokens->text + m->file_at, m->file_length, t->line,
		                        kinst_token_last_line(f->tokens, token) };
}

static struct kinst_site *sites_add(struct finder *f, enum kinst_site_kind kind, uint32_t pragma)
{
	struct kinst_sites *all = f->sites;

	if (all->n_sites == all->room) {
		all->room = all->room * 2 + 32;
		all->sites = kinst_realloc(all->sites, all->room * sizeof(*all->sites));
	}
	all->sites[all->n_sites] = (struct kinst_site){ .kind = kind,
		                                        .pragma = pragma,
		                                        .first = pragma,
		                                        .last = pragma,
		                                        .wrap_last = KINST_NONE,
		                                        .construct = KINST_NO_CONSTRUCT };
	return &all->sites[all->n_sites++];
}

static void set_block(const struct finder *f, struct kinst_site *site, uint32_t first, uint32_t last)
{
	site->first = first;
	site->last = last;
	site->braced = kinst_is_sign(f->tokens, first, '{') && f->tokens->tokens[first].match == last;
}

/* ---- constructs ---- */

/* Returns the body of the loops that begin at token i and follow each other without braces. */
static uint32_t loop_body(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t inside;

	while (i < tokens->n_tokens && tokens->tokens[i].kind == KINST_PRAGMA)
		i++;
	while ((inside = kinst_extent_inside(tokens, i, 0)) != KINST_NONE)
		i = inside;
	return i;
}

static enum kinst_site_kind kind_of(const struct kinst_extent *s)
{
	if (s->last == s->pragma)
		return KINST_ALONE;
	if (s->d.leaves[0] == KINST_OMP_ATOMIC)
		return KINST_STATEMENT;
	return kinst_directive_is_loop(&s->d) ? KINST_LOOP : KINST_BLOCK;
}

/* Adds the sections of a construct, each up to the next one, and walks through them. */
static void add_sections(struct finder *f, const struct kinst_extent *s)
{
	uint32_t i = s->first + 1, end = s->last, next = kinst_extent_section(f->tokens, i, end);

	if (next > i) { /* the first section has no pragma */
		set_block(f, sites_add(f, KINST_BLOCK, KINST_NONE), i, next - 1);
		sites_walk(f, i, next);
	}
	for (i = next; i < end; i = next) {
		next = kinst_extent_section(f->tokens, i + 1, end);
		if (next == i + 1)
			continue;
		set_block(f, sites_add(f, KINST_BLOCK, i), i + 1, next - 1);
		sites_walk(f, i + 1, next);
	}
}

/* Returns 1 when the construct must keep its own barrier.  opari2 would make it `nowait` and put another barrier
 * behind it. */
static int keeps_barrier(const struct finder *f, const struct kinst_extent *s)
{
	enum kinst_leaf work = s->d.leaves[s->d.n_leaves > 1 && s->d.leaves[0] == KINST_OMP_PARALLEL];
	const char *cancel = work == KINST_OMP_FOR ? "for" : work == KINST_OMP_SECTIONS ? "sections" : "";

	if ((work != KINST_OMP_FOR && work != KINST_OMP_SECTIONS && work != KINST_OMP_SINGLE) ||
	    kinst_directive_clause(&s->d, "nowait"))
		return 0;
	if (kinst_directive_clause(&s->d, "copyprivate"))
		return 0; /* opari2 lets it keep its barrier */
	return f->cancelled || kinst_directive_reduces_tasks(&s->d) || kinst_extent_is_cancelled(f->tokens, s, cancel);
}

/* Returns the directive's name with one blank between words. */
static char *name_of(const struct kinst_directive *d)
{
	struct kinst_text name = { 0 };

	for (const char *p = d->name, *end = p + d->n_name; p < end; p++) {
		if (!isspace((unsigned char)*p))
			kinst_text_add(&name, p, 1);
		else if (name.data[name.length - 1] != ' ')
			kinst_text_puts(&name, " ");
	}
	if (d->leaves[0] == KINST_OMP_CRITICAL && d->arg.args)
		kinst_text_printf(&name, " (%.*s)", (int)d->arg.n_args, d->arg.args);
	return name.data;
}

static char *copy_of(struct kinst_text *text)
{
	char *copy = kinst_strdup(text->data ? text->data : "");

	kinst_text_free(text);
	return copy;
}

/* Adds the clauses of a directive that is not divided, except those that are shown; flush has its list. */
static void add_clauses(const struct kinst_directive *d, struct kinst_text *out)
{
	if (d->arg.text && d->leaves[0] != KINST_OMP_CRITICAL)
		kinst_text_printf(out, " %.*s", (int)d->arg.n_text, d->arg.text);
	for (size_t i = 0; i < d->n_clauses; i++)
		if (&d->clauses[i] != kinst_directive_clause(d, "nowait") &&
		    &d->clauses[i] != kinst_directive_clause(d, "untied"))
			kinst_text_printf(out, " %.*s", (int)d->clauses[i].n_text, d->clauses[i].text);
}

/* Fills in what the site has to tell about a construct's directive. */
static void sites_describe(const struct finder *f, const struct kinst_extent *s, struct kinst_site *site)
{
	const struct kinst_clause *threads = kinst_directive_clause(&s->d, "num_threads");
	struct kinst_text outer = { 0 }, inner = { 0 };

	site->name = name_of(&s->d);
	site->has_copy = kinst_directive_clause(&s->d, "copyprivate") != NULL;
	site->attributes = kinst_region_attributes(&s->d, 0, site->has_copy ? "ownBarrier=1*" : "");
	site->shown = kinst_directive_clause(&s->d, "nowait") ? " nowait"
	            : kinst_directive_clause(&s->d, "untied") ? " untied"
	                                                      : "";
	if (s->d.leaves[0] == KINST_OMP_PARALLEL) {
		kinst_extent_split(f->tokens, s, &outer, &inner);
		site->threads = threads && threads->args ? kinst_strndup(threads->args, threads->n_args) : NULL;
	} else {
		add_clauses(&s->d, &outer);
	}
	site->outer = copy_of(&outer);
	site->inner = copy_of(&inner);
}

/* Returns why opari2 is not shown a construct; NULL when it is.
 * inside: becomes the reason why nothing inside of it is shown either, or NULL */
static const char *why_not(const struct finder *f, const struct kinst_extent *s, size_t construct, const char **inside)
{
	*inside = kinst_emit_why_not_inside(&s->d, KINST_NO_TEAM);
	if (s->d.leaves[0] == KINST_OMP_OTHER) {
		*inside = kinst_emit_why_not_inside(&s->d, "what the metadirective around it becomes is not known");
		return "only the compiler knows which directive it becomes";
	}
	if (f->depth >= DEEPEST)
		return *inside = "too many constructs around it; nothing inside is measured";
	if (f->silent)
		return *inside = f->silent;
	if (kinst_emit_is_disabled(f->options, &s->d)) {
		*inside = kinst_emit_why_not_inside(&s->d, "--disable");
		return "--disable";
	}
	if (kinst_emit_is_given_up(f->options, construct))
		return "it does not compile with opari2's calls in it";
	if (!kinst_opari2_knows(&s->d) || (s->d.leaves[0] == KINST_OMP_ORDERED && s->last == s->pragma))
		return KINST_OPARI2_UNKNOWN;
	return keeps_barrier(f, s) ? KINST_OPARI2_BARRIER : NULL;
}

/* Walks through the statement of a construct. */
static void walk_statement(struct finder *f, const struct kinst_extent *s, const char *silent)
{
	const char *before = f->silent;

	if (s->last == s->pragma)
		return;
	f->silent = before ? before : silent;
	f->depth++;
	sites_walk(f, s->first, s->last + 1);
	f->depth--;
	f->silent = before;
}

static void sites_show(struct finder *f, const struct kinst_extent *s, size_t construct)
{
	struct kinst_site *site = sites_add(f, kind_of(s), s->pragma);
	int cancelled = f->cancelled;

	site->construct = construct;
	sites_describe(f, s, site);
	if (site->kind == KINST_LOOP)
		set_block(f, site, loop_body(f->tokens, s->first), s->last);
	else
		set_block(f, site, s->first, s->last);
	if (s->d.leaves[0] == KINST_OMP_PARALLEL)
		f->cancelled = kinst_extent_is_cancelled(f->tokens, s, "parallel");
	if (kinst_directive_has(&s->d, KINST_OMP_SECTIONS)) {
		f->depth++;
		add_sections(f, s);
		f->depth--;
	} else {
		walk_statement(f, s,
		               s->d.leaves[0] == KINST_OMP_ATOMIC || kinst_directive_has(&s->d, KINST_OMP_SIMD)
		                       ? KINST_NO_CALLS
		                       : NULL);
	}
	f->cancelled = cancelled;
}

/* Passes over a directive that is no construct, or whose end is not known.  Returns the token behind it. */
static uint32_t pass_over(struct finder *f, const struct kinst_extent *s, int is_found)
{
	if (kinst_emit_is_construct(f->options, &s->d)) {
		kinst_emitted_give_up(f->emitted,
		                      kinst_emitted_add(f->emitted, &s->d, place_of(f, s->pragma),
		                                        kinst_construct_bounds(f->tokens, s->pragma, s->pragma)),
		                      "where it ends is not known");
		return s->pragma + 1;
	}
	if (s->d.leaves[0] != KINST_OMP_SIMD || !is_found)
		return s->pragma + 1;
	walk_statement(f, s, KINST_NO_CALLS);
	return s->last + 1;
}

/* Reads what begins at a pragma of OpenMP.  Returns the token behind it. */
static uint32_t sites_visit(struct finder *f, uint32_t i)
{
	struct kinst_extent s = { .pragma = i };
	const char *why, *inside;
	size_t construct;
	int is_found;

	if (!f->options->openmp || f->uninstrumented || !kinst_pragma_read(f->tokens, i, &s.d))
		return i + 1;
	is_found = f->n_lost < MOST_LOST && kinst_extent_find(f->tokens, &s);
	f->n_lost += !is_found;
	if (!is_found || !kinst_emit_is_construct(f->options, &s.d)) {
		i = pass_over(f, &s, is_found);
		kinst_directive_free(&s.d);
		return i;
	}
	construct = kinst_emitted_add(f->emitted, &s.d, place_of(f, i), kinst_construct_bounds(f->tokens, i, s.last));
	why = why_not(f, &s, construct, &inside);
	if (why) {
		kinst_emitted_give_up(f->emitted, construct, why);
		if (s.d.leaves[0] == KINST_OMP_ATOMIC || kinst_directive_has(&s.d, KINST_OMP_SIMD) ||
		    (s.d.leaves[0] == KINST_OMP_TARGET && f->options->device))
			inside = KINST_NO_CALLS;
		walk_statement(f, &s, inside);
	} else {
		sites_show(f, &s, construct);
	}
	i = s.last;
	kinst_directive_free(&s.d);
	return i + 1;
}

/* ---- the user's own pragmas ---- */

/* Returns 1 when opari2 makes a call of the pragma.  An end must have its begin. */
static int is_called(struct finder *f, uint32_t i, const struct kinst_pomp *pomp)
{
	struct kinst_location place = place_of(f, i);
	size_t region;
	enum kinst_pomp_verb verb = kinst_user_call(&f->regions, f->options, f->emitted, pomp, place, NULL, &region);

	if (verb != KINST_POMP_INSTRUMENT && verb != KINST_POMP_NOINSTRUMENT)
		return verb != KINST_POMP_NONE;
	f->uninstrumented = verb == KINST_POMP_NOINSTRUMENT;
	return 0;
}

/* Reads one of the user's own pragmas.  Returns the token behind it, or i when it is none. */
static uint32_t visit_pomp(struct finder *f, uint32_t i)
{
	const struct kinst_token *t = f->tokens->tokens + i;
	struct kinst_pomp pomp;
	uint32_t last = KINST_NONE;

	if (!kinst_pomp_read_pragma(&pomp, f->tokens->text + t->at, t->length))
		return i;
	if (!is_called(f, i, &pomp)) {
		sites_add(f, KINST_LEFT_OUT, i);
		return i + 1;
	}
	if (i && f->depth < DEEPEST && kinst_braces_is_head(f->tokens, i - 1))
		last = kinst_braces_statement(f->tokens, i + 1);
	sites_add(f, KINST_ALONE, i)->wrap_last = last;
	return i + 1;
}

static void sites_walk(struct finder *f, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to;) {
		if (f->tokens->tokens[i].kind == KINST_PRAGMA) {
			uint32_t next = visit_pomp(f, i);

			i = next != i ? next : sites_visit(f, i);
		} else {
			i++;
		}
	}
}

void kinst_sites_find(const struct kinst_tokens *tokens, const struct kinst_emit_options *options,
                      struct kinst_emitted *emitted, struct kinst_sites *sites)
{
	struct finder f = { .tokens = tokens,
		            .options = options,
		            .emitted = emitted,
		            .sites = sites,
		            .regions.directory = options->directory,
		            .regions.cxx = options->cxx };

	*sites = (struct kinst_sites){ 0 };
	sites_walk(&f, 0, tokens->n_tokens);
	kinst_pomp_complain_unended(&f.regions, &emitted->messages);
	kinst_regions_free(&f.regions);
}

void kinst_sites_free(struct kinst_sites *sites)
{
	for (size_t i = 0; i < sites->n_sites; i++) {
		free(sites->sites[i].name);
		free(sites->sites[i].outer);
		free(sites->sites[i].inner);
		free(sites->sites[i].threads);
		free(sites->sites[i].attributes);
	}
	free(sites->sites);
	*sites = (struct kinst_sites){ 0 };
}
