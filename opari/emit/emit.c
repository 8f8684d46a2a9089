/*
 * Emit: see emit.h.
 *
 * The text is emitted in one walk over its tokens.  When the walk comes to a pragma, all text before it has been
 * copied.  The construct is emitted as a whole, with a recursive walk inside its statement, and then the walk continues
 * after it.
 */
#include "opari/emit/emit.h"

#include <ctype.h>
#include <string.h>

#include "opari/base/kinst_text.h"
#include "opari/data/data_calls.h"
#include "opari/data/prologue.h"
#include "opari/emit/construct_location.h"
#include "opari/emit/emit_construct.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/emitter.h"
#include "opari/emit/patch.h"
#include "opari/emit/pomp.h"
#include "opari/emit/user_call.h"
#include "opari/read/attributes.h"
#include "opari/read/braces.h"
#include "opari/read/directive.h"
#include "opari/read/doubt.h"
#include "opari/read/doubt_place.h"
#include "opari/read/extent.h"
#include "opari/read/lock_sites.h"
#include "opari/read/pragma.h"

enum { DEEPEST = 200, MOST_LOST = 200 };

/* Writes the place and the argument of a lock call, as a C string. */
static void put_site(void *context, uint32_t token, struct kinst_text *out)
{
	struct kinst_emitter *e = context;
	struct kinst_text argument = { 0 }, site = { 0 };

	kinst_text_puts(&argument, "");
	kinst_lock_argument(KINST_TOKENS(e), token + 1, &argument);
	kinst_region_site(&e->regions, kinst_emitter_location(e, token), argument.data, argument.length, &site);
	kinst_text_puts(out, "\"");
	for (const char *p = site.data; *p; p++) {
		if (*p == '"' || *p == '\\')
			kinst_text_puts(out, "\\");
		kinst_text_add(out, p, 1);
	}
	kinst_text_puts(out, "\"");
	kinst_text_free(&argument);
	kinst_text_free(&site);
}

static void emit_walk(struct kinst_emitter *e, uint32_t from, uint32_t to);

/* Leaves a construct as it is.  The constructs inside it still get calls, unless there is a reason against that. */
static void leave_alone(struct kinst_emitter *e, const struct kinst_extent *s, const char *why_not)
{
	const char *silent = kinst_emitter_silence(e, why_not);

	e->depth++;
	if (s->last != s->pragma)
		emit_walk(e, s->first, s->last + 1);
	e->depth--;
	e->silent = silent;
}

/* Returns 1 for `parallel masked`, `parallel loop`, and what begins so. */
static int is_newly_combined(const struct kinst_directive *d)
{
	return d->n_leaves > 1 && d->leaves[0] == KINST_OMP_PARALLEL &&
	       (d->leaves[1] == KINST_OMP_MASKED || d->leaves[1] == KINST_OMP_GENERIC_LOOP);
}

/* Returns 1 for directives that must stay whole for clang.  clang 14 computes a scan rightly only in a combined
 * loop, and in `parallel master taskloop` it takes shared variables for firstprivate. */
static int is_whole_for_clang(const struct kinst_directive *d, enum kinst_combined combined)
{
	return d->leaves[0] == KINST_OMP_PARALLEL && d->n_leaves > 1 &&
	       (kinst_directive_scans(d) || kinst_directive_has(d, KINST_OMP_TASKLOOP) ||
	        (combined == KINST_COMBINED_OTHER && is_newly_combined(d)));
}

/* Passes over a directive that gets no calls.  Returns the token behind what was emitted. */
static uint32_t pass_over(struct kinst_emitter *e, struct kinst_extent *s, int is_found)
{
	if (kinst_emit_is_construct(e->options, &s->d))
		kinst_emitted_give_up(e->emitted,
		                      kinst_emitted_add(e->emitted, &s->d, kinst_emitter_location(e, s->pragma),
		                                        kinst_construct_bounds(KINST_TOKENS(e), s->pragma, s->pragma)),
		                      "where it ends is not known");
	else if (s->d.leaves[0] == KINST_OMP_SIMD && is_found)
		leave_alone(e, s, KINST_NO_CALLS);
	else
		s->last = s->pragma;
	return s->last + 1;
}

/* Reads a directive as clang does: clang warns about unknown words after `parallel` and `masked`, and ignores the rest
 * of the line.  Returns 1 when there are such words. */
static int as_clang_reads(struct kinst_directive *d, enum kinst_combined combined)
{
	int masked = d->leaves[0] == KINST_OMP_MASKED;
	int unknown = combined == KINST_COMBINED_UNKNOWN && d->n_leaves > 1 && (masked || is_newly_combined(d));

	if (unknown) {
		d->n_leaves = 1;
		d->n_name = strlen(masked ? "masked" : "parallel");
	}
	if (unknown || d->has_comma)
		d->n_clauses = 0;
	return unknown;
}

/* Emits what begins at a pragma.  Returns the token behind it. */
static uint32_t emit_pragma(struct kinst_emitter *e, uint32_t i)
{
	struct kinst_extent s = { .pragma = i };
	enum kinst_leaf around = e->around;
	size_t construct;
	int is_found;

	if (!e->options->openmp || e->uninstrumented || !kinst_pragma_read(KINST_TOKENS(e), i, &s.d))
		return i + 1;
	e->emitted->is_quieter |= kinst_doubt_directive(&s.d);
	if (e->options->clang)
		e->emitted->is_quieter |= as_clang_reads(&s.d, e->options->combined);
	is_found = e->n_lost < MOST_LOST && kinst_extent_find(KINST_TOKENS(e), &s);
	e->n_lost += !is_found;
	e->emitted->is_quieter |= !is_found || kinst_doubt_place(KINST_TOKENS(e), &s, i < e->outermost_end);
	if (!is_found || !kinst_emit_is_construct(e->options, &s.d)) {
		s.last = is_found ? s.last : i;
		i = pass_over(e, &s, is_found);
		kinst_directive_free(&s.d);
		return i;
	}
	construct = kinst_emitted_add(e->emitted, &s.d, kinst_emitter_location(e, s.pragma),
	                              kinst_construct_bounds(KINST_TOKENS(e), s.pragma, s.last));
	e->around = s.d.leaves[s.d.n_leaves - 1];
	if (s.d.leaves[0] == KINST_OMP_OTHER) {
		kinst_emitted_give_up(e->emitted, construct, "only the compiler knows which directive it becomes");
		leave_alone(e, &s,
		            kinst_emit_why_not_inside(&s.d, "what the metadirective around it becomes is not known"));
	} else if (e->depth >= DEEPEST) {
		kinst_emitted_give_up(e->emitted, construct,
		                      "too many constructs around it; nothing inside is measured");
	} else if (e->silent) {
		kinst_emitted_give_up(e->emitted, construct, e->silent);
		leave_alone(e, &s, NULL);
	} else if (kinst_emit_is_disabled(e->options, &s.d)) {
		kinst_emitted_give_up(e->emitted, construct, "--disable");
		leave_alone(e, &s, kinst_emit_why_not_inside(&s.d, "--disable"));
	} else if (kinst_emit_is_given_up(e->options, construct)) {
		kinst_emitted_give_up(e->emitted, construct, "it does not compile with calls in it");
		leave_alone(e, &s, kinst_emit_why_not_inside(&s.d, KINST_NO_TEAM));
	} else if (e->options->clang && s.d.leaves[0] == KINST_OMP_TEAMS && around == KINST_OMP_TARGET) {
		if (i != e->teams)
			kinst_emitted_give_up(e->emitted, construct, "clang allows nothing between it and its target");
		leave_alone(e, &s, NULL);
	} else if (e->options->clang && is_whole_for_clang(&s.d, e->options->combined)) {
		kinst_emitted_give_up(e->emitted, construct, "clang would compute another result if it were split");
		leave_alone(e, &s, kinst_emit_why_not_inside(&s.d, KINST_NO_TEAM));
	} else {
		e->depth++;
		kinst_emit_construct(e, &s);
		e->depth--;
	}
	e->around = around;
	i = s.last;
	kinst_directive_free(&s.d);
	return i + 1;
}

/* Reads the user's own directive at token i.  Returns 0 when it is none. */
static int read_pomp(struct kinst_emitter *e, uint32_t i, struct kinst_pomp *pomp)
{
	const struct kinst_token *t = KINST_TOKENS(e)->tokens + i;

	return t->kind == KINST_PRAGMA && kinst_pomp_read_pragma(pomp, KINST_TOKENS(e)->text + t->at, t->length);
}

/* Returns the pragma `inst end(name)` behind token i, or i when there is none. */
static uint32_t find_user_end(struct kinst_emitter *e, uint32_t i, const struct kinst_pomp *begin)
{
	struct kinst_pomp end;

	for (uint32_t k = i + 1; e->n_lost < MOST_LOST && k < e->patch.tokens.n_tokens; k++)
		if (read_pomp(e, k, &end) && end.verb == KINST_POMP_END && end.n_name == begin->n_name &&
		    !memcmp(end.name, begin->name, end.n_name))
			return k;
	e->n_lost++;
	return i;
}

/* Adds the calls for one of the user's own directives. */
static void pomp_calls(struct kinst_emitter *e, uint32_t i, const struct kinst_pomp *pomp, struct kinst_text *lines)
{
	int begins = pomp->verb == KINST_POMP_BEGIN && !e->options->no_pomp;
	struct kinst_bounds bounds = kinst_construct_bounds(KINST_TOKENS(e), i, begins ? find_user_end(e, i, pomp) : i);
	enum kinst_pomp_verb verb;
	const char *name;
	size_t region;

	verb = kinst_user_call(&e->regions, e->options, e->emitted, pomp, kinst_emitter_location(e, i), &bounds,
	                       &region);
	name = kinst_user_call_name(verb);
	if (verb == KINST_POMP_INSTRUMENT || verb == KINST_POMP_NOINSTRUMENT)
		e->uninstrumented = verb == KINST_POMP_NOINSTRUMENT;
	else if (name)
		kinst_text_printf(lines, "POMP2_%c%s();", toupper((unsigned char)*name), name + 1);
	else if (verb != KINST_POMP_NONE)
		kinst_region_code(&e->regions, region,
		                  verb == KINST_POMP_BEGIN ? "POMP2_Begin(&H, C);" : "POMP2_End(&H);", lines);
}

/* Emits one of the user's own pragmas.  Returns the token behind it, or the pragma itself when it is none. */
static uint32_t emit_pomp(struct kinst_emitter *e, uint32_t i)
{
	struct kinst_text lines = { 0 };
	struct kinst_pomp pomp;
	uint32_t last = KINST_NONE;

	if (!read_pomp(e, i, &pomp))
		return i;
	pomp_calls(e, i, &pomp, &lines);
	if (!lines.length) {
		kinst_patch_replace(&e->patch, i, NULL);
		return i + 1;
	}
	/* Where the pragma is the statement of an if, what follows belongs to the if as well. */
	if (i && e->depth < DEEPEST && kinst_braces_is_head(KINST_TOKENS(e), i - 1))
		last = kinst_braces_statement(KINST_TOKENS(e), i + 1);
	if (last != KINST_NONE)
		kinst_patch_before(&e->patch, i, "{");
	kinst_patch_before(&e->patch, i, lines.data);
	kinst_text_free(&lines);
	kinst_patch_replace(&e->patch, i, NULL);
	if (last == KINST_NONE)
		return i + 1;
	e->depth++;
	emit_walk(e, i + 1, last + 1);
	e->depth--;
	kinst_patch_behind(&e->patch, last, "}");
	return last + 1;
}

static void emit_walk(struct kinst_emitter *e, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to;) {
		if (e->patch.tokens.tokens[i].kind == KINST_PRAGMA) {
			uint32_t next = emit_pomp(e, i);

			i = next != i ? next : emit_pragma(e, i);
		} else {
			if (i >= e->outermost_end && kinst_is_sign(KINST_TOKENS(e), i, '{') &&
			    e->patch.tokens.tokens[i].match != KINST_NONE)
				e->outermost_end = e->patch.tokens.tokens[i].match;
			i++;
		}
	}
}

/* Writes the head of the text, our declarations as if they stood in a system header, and then the rest of the text. */
static void emit_assemble(struct kinst_emitter *e, size_t n_head, int has_data)
{
	struct kinst_text *out = &e->emitted->text;
	uint32_t main_marker = e->patch.tokens.n_markers > 1 && n_head ? 1 : 0;

	kinst_text_add(out, e->patch.tokens.text, n_head);
	kinst_lexer_put_marker(KINST_TOKENS(e), main_marker, 1, 1, out);
	kinst_prologue(out, e->options->cxx);
	if (has_data)
		kinst_prologue_data(out, e->options->cxx);
	if (e->options->extra)
		kinst_text_puts(out, e->options->extra);
	for (size_t i = 0; i < e->regions.n; i++)
		if (e->regions.items[i].user)
			kinst_region_code(&e->regions, i, "D\n", out);
	kinst_lexer_put_marker(KINST_TOKENS(e), main_marker, 1, 0, out);
	kinst_text_add(out, e->patch.out.data ? e->patch.out.data : "", e->patch.out.length);
}

int kinst_emit(const char *text, size_t length, const struct kinst_emit_options *options, struct kinst_emitted *emitted)
{
	struct kinst_text called = { 0 }, pragmas = { 0 };
	struct kinst_emitter e = { .options = options,
		                   .emitted = emitted,
		                   .regions.directory = options->directory,
		                   .regions.cxx = options->cxx,
		                   .patch.locks = options->locks };
	size_t n_head, n_data;
	int rc;

	e.walk = emit_walk;
	e.patch.put_site = put_site;
	e.patch.context = &e;
	*emitted = (struct kinst_emitted){ 0 };
	n_data = kinst_data_rewrite(text, length, options->cxx, options->data, &called, &emitted->messages);
	if (n_data) {
		text = called.data;
		length = called.length;
	}
	e.detaches = memmem(text, length, "detach", 6) != NULL;
	rc = kinst_lexer_read(KINST_TOKENS(&e), text, length);
	if (!rc && options->openmp && kinst_attributes_rewrite(KINST_TOKENS(&e), &pragmas)) {
		kinst_lexer_free(KINST_TOKENS(&e));
		text = pragmas.data;
		length = pragmas.length;
		rc = kinst_lexer_read(KINST_TOKENS(&e), text, length);
		emitted->is_quieter = 1; /* the compiler has its own opinion of attributes */
	}
	if (!rc) {
		n_head = kinst_lexer_head(text, length);
		kinst_patch_skip(&e.patch, n_head);
		emit_walk(&e, e.patch.next, KINST_TOKENS(&e)->n_tokens);
		kinst_patch_copy(&e.patch, length);
		emitted->n_calls = e.patch.n_calls + (n_data > 0);
		emit_assemble(&e, n_head, n_data > 0);
		kinst_pomp_complain_unended(&e.regions, &emitted->messages);
	}
	kinst_regions_free(&e.regions);
	kinst_lexer_free(KINST_TOKENS(&e));
	kinst_text_free(&called);
	kinst_text_free(&e.patch.out);
	kinst_text_free(&pragmas);
	return rc;
}
