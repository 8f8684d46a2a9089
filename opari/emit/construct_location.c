/*
 * Construct location: see construct_location.h.
 */
#include "opari/emit/construct_location.h"

#include <string.h>

#include "opari/read/extent_fortran.h"
#include "opari/read/inclusion.h"

/* A part of a construct: where it stands, and in which inclusion. */
struct part {
	struct kinst_location location;
	uint32_t inclusion;
};

static int is_same_file(const struct kinst_location *a, const struct kinst_location *b)
{
	return a->n_file == b->n_file && !memcmp(a->file, b->file, a->n_file);
}

/* Returns where a part stands as seen from an inclusion around it. */
static struct kinst_location location_in(const struct kinst_inclusions *all, uint32_t outer, const struct part *part)
{
	const struct kinst_inclusion *below = part->inclusion == outer
	                                            ? NULL
	                                            : kinst_inclusions_below(all, outer, part->inclusion);

	if (!below)
		return part->location;
	return (struct kinst_location){ below->file.p, below->file.n, below->line, below->line };
}

/* Returns the bounds of a construct.  Also a #line may give its end another name of the file than its begin. */
static struct kinst_bounds bounds_of(const struct kinst_inclusions *all, const struct part *directive,
                                     const struct part *statement, const struct part *last)
{
	uint32_t outer = kinst_inclusions_common(all, directive->inclusion, last->inclusion);
	struct kinst_bounds bounds = { .last = location_in(all, outer, last) };

	bounds.first = location_in(all, outer, directive->inclusion == outer ? directive : statement);
	if (!is_same_file(&bounds.first, &bounds.last))
		bounds.first = location_in(all, outer, statement);
	if (!is_same_file(&bounds.first, &bounds.last))
		bounds.last = bounds.first;
	bounds.last.first_line = bounds.last.last_line;
	return bounds;
}

static struct part part_of(const struct kinst_tokens *tokens, uint32_t i)
{
	const struct kinst_token *t = tokens->tokens + i;
	const struct kinst_marker *m = tokens->markers + t->marker;

	return (struct part){ { tokens->text + m->file_at, m->file_length, t->line, kinst_token_last_line(tokens, i) },
		              m->inclusion };
}

struct kinst_bounds kinst_construct_bounds(const struct kinst_tokens *tokens, uint32_t pragma, uint32_t last)
{
	struct part directive = part_of(tokens, pragma), end = part_of(tokens, last),
		    statement = part_of(tokens, last > pragma ? pragma + 1 : pragma);

	return bounds_of(&tokens->inclusions, &directive, &statement, &end);
}

static struct part part_of_fortran(const struct kinst_statements *all, size_t i)
{
	const struct kinst_statement *s = all->items + i;

	return (struct part){ { s->file.p, s->file.n, (uint32_t)s->line, (uint32_t)(s->line + s->last - s->first) },
		              s->inclusion };
}

struct kinst_bounds kinst_construct_bounds_fortran(const struct kinst_statements *all, size_t directive, size_t last)
{
	size_t next = last > directive ? kinst_fortran_next(all, directive) : directive;
	struct part begin = part_of_fortran(all, directive), end = part_of_fortran(all, last),
		    statement = part_of_fortran(all, next > last ? last : next);

	return bounds_of(&all->inclusions, &begin, &statement, &end);
}
