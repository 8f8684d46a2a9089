/*
 * Emitter: see emitter.h.
 */
#include "opari/emit/emitter.h"

#include <stdlib.h>

#include "opari/base/kinst_text.h"
#include "opari/emit/construct_location.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/patch.h"
#include "opari/read/directive.h"
#include "opari/read/extent.h"
#include "opari/read/pragma.h"

const char *kinst_emitter_silence(struct kinst_emitter *e, const char *why)
{
	const char *before = e->silent;

	if (!before)
		e->silent = why;
	return before;
}

struct kinst_location kinst_emitter_location(const struct kinst_emitter *e, uint32_t token)
{
	const struct kinst_token *t = e->patch.tokens.tokens + token;
	const struct kinst_marker *m = e->patch.tokens.markers + t->marker;

	return (struct kinst_location){ KINST_TOKENS(e)->text + m->file_at, m->file_length, t->line,
		                        kinst_token_last_line(KINST_TOKENS(e), token) };
}

/* Adds the pragma of a directive with all its clauses, and with `more` behind them. */
static void put_directive(struct kinst_text *line, const struct kinst_directive *d, const char *more)
{
	kinst_text_puts(line, "#pragma omp ");
	kinst_text_add(line, d->name, d->n_name);
	if (d->arg.text)
		kinst_text_printf(line, "%.*s", (int)d->arg.n_text, d->arg.text);
	for (size_t i = 0; i < d->n_clauses; i++)
		kinst_text_printf(line, " %.*s", (int)d->clauses[i].n_text, d->clauses[i].text);
	kinst_text_puts(line, more);
	kinst_text_puts(line, "\n");
}

size_t kinst_emitter_region(struct kinst_emitter *e, const struct kinst_extent *s, const char *type,
                            const char *attribute)
{
	char *own = kinst_format("%s%s", e->options->cxx ? KINST_PER_HANDLE : "", attribute);
	char *attributes = kinst_region_attributes(&s->d, 0, own);
	struct kinst_bounds bounds = kinst_construct_bounds(KINST_TOKENS(e), s->pragma, s->last);
	size_t region = kinst_region_new(&e->regions, type, bounds.first, bounds.last, attributes);

	free(own);
	free(attributes);
	return region;
}

/* The teams is the next construct of the text, as nothing may stand before it. */
int kinst_emitter_teams(struct kinst_emitter *e, const struct kinst_extent *target, struct kinst_extent *teams)
{
	size_t construct = e->emitted->n_constructs;
	uint32_t i = target->first;

	while (i < target->last && kinst_is_sign(KINST_TOKENS(e), i, '{'))
		i++;
	*teams = (struct kinst_extent){ .pragma = i };
	if (target->d.n_leaves > 1 || target->last == target->pragma ||
	    !kinst_pragma_read(KINST_TOKENS(e), i, &teams->d))
		return 0;
	if (teams->d.leaves[0] == KINST_OMP_TEAMS && !kinst_emit_is_given_up(e->options, construct) &&
	    !kinst_emit_is_disabled(e->options, &teams->d) && kinst_extent_find(KINST_TOKENS(e), teams))
		return 1;
	kinst_directive_free(&teams->d);
	return 0;
}

void kinst_emitter_put(struct kinst_emitter *e, uint32_t token, int behind, const char *code, size_t region)
{
	struct kinst_text lines = { 0 };

	kinst_region_code(&e->regions, region, code, &lines);
	if (behind)
		kinst_patch_behind(&e->patch, token, lines.data);
	else
		kinst_patch_before(&e->patch, token, lines.data);
	kinst_text_free(&lines);
}

void kinst_emitter_pragma(struct kinst_emitter *e, const struct kinst_extent *s, const char *more)
{
	struct kinst_text line = { 0 };

	put_directive(&line, &s->d, more);
	kinst_patch_replace(&e->patch, s->pragma, line.data);
	kinst_text_free(&line);
}

void kinst_emitter_barrier(struct kinst_emitter *e, uint32_t token, size_t region)
{
	kinst_emitter_put(e, token, 1,
	                  "{ POMP2_Task_handle __kinst_b = 0; POMP2_Implicit_barrier_enter(&H, &__kinst_b);", region);
	kinst_emitter_put(e, token, 1,
	                  e->options->clang && e->detaches ? "if (ompp_has_others()) {\n#pragma omp barrier\n}"
	                                                   : "#pragma omp barrier",
	                  region);
	kinst_emitter_put(e, token, 1, "POMP2_Implicit_barrier_exit(&H, __kinst_b); }", region);
}
