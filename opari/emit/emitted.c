/*
 * Emitted: the list of constructs that emit.c and emit_fortran.c fill while they meet them.  See emit.h.
 */
#include <stdlib.h>
#include <string.h>

#include "opari/emit/emit.h"

size_t kinst_emitted_add(struct kinst_emitted *emitted, const struct kinst_directive *d, struct kinst_location at,
                         struct kinst_bounds bounds)
{
	if (emitted->n_constructs == emitted->room) {
		emitted->room = emitted->room * 2 + 32;
		emitted->constructs = kinst_realloc(emitted->constructs, emitted->room * sizeof(*emitted->constructs));
	}
	emitted->constructs[emitted->n_constructs] = (struct kinst_construct){
		.name = kinst_strndup(d->name, d->n_name),
		.file = kinst_strndup(bounds.first.file, bounds.first.n_file),
		.first_line = bounds.first.first_line,
		.last_line = bounds.last.last_line,
		.directive_file = kinst_strndup(at.file, at.n_file),
		.directive_line = at.first_line,
		.is_measured = 1
	};
	return emitted->n_constructs++;
}

void kinst_emitted_give_up(struct kinst_emitted *emitted, size_t construct, const char *why)
{
	emitted->constructs[construct].is_measured = 0;
	emitted->constructs[construct].why = why;
}

void kinst_emitted_free(struct kinst_emitted *emitted)
{
	for (size_t i = 0; i < emitted->n_constructs; i++) {
		free(emitted->constructs[i].name);
		free(emitted->constructs[i].file);
		free(emitted->constructs[i].directive_file);
	}
	free(emitted->constructs);
	kinst_text_free(&emitted->text);
	kinst_text_free(&emitted->messages);
	free(emitted->failure);
	*emitted = (struct kinst_emitted){ 0 };
}

int kinst_emit_is_construct(const struct kinst_emit_options *options, const struct kinst_directive *d)
{
	if (d->is_end || d->leaves[0] == KINST_OMP_SECTION)
		return 0;
	if (d->leaves[0] == KINST_OMP_OTHER)
		return !d->is_fortran && options->variants &&
		       (kinst_begins(d->name, "metadirective") || kinst_begins(d->name, "dispatch"));
	if (d->leaves[0] == KINST_OMP_SIMD)
		return options->simd;
	return d->leaves[0] != KINST_OMP_ORDERED || !kinst_directive_clause(d, "simd");
}

const char *kinst_emit_why_not_inside(const struct kinst_directive *d, const char *why)
{
	if (d->leaves[0] == KINST_OMP_OTHER) /* a metadirective may become a construct */
		return memmem(d->text, strlen(d->text), "parallel", 8) ? why : NULL;
	return d->leaves[0] == KINST_OMP_PARALLEL ? why : NULL;
}

int kinst_emit_is_given_up(const struct kinst_emit_options *options, size_t construct)
{
	for (size_t i = 0; i < options->n_given_up; i++)
		if (options->given_up[i] == construct)
			return 1;
	return 0;
}

int kinst_emit_is_disabled(const struct kinst_emit_options *options, const struct kinst_directive *d)
{
	return options->disable && kinst_disable_has(options->disable, d->name, strcspn(d->name, " \t("));
}
