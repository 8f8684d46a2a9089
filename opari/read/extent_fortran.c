/*
 * Extent, in Fortran: see extent_fortran.h.
 */
#include "opari/read/extent_fortran.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 100 };

const char *kinst_fortran_unnamed(const char *text)
{
	const char *p = text;

	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	p = kinst_fortran_blanks(p);
	return p > text && *p == ':' && p[1] != ':' ? kinst_fortran_blanks(p + 1) : text;
}

/* Returns 1 for the head of a counting loop, x = a, b: with a comma outside of brackets behind the equals sign. */
static int extent_fortran_counts(const char *p)
{
	int depth = 0, assigned = 0;

	for (; *p; p++) {
		if (*p == '\'' || *p == '"') {
			char quote = *p;

			for (p++; *p && *p != quote; p++)
				;
			if (!*p)
				return 0;
		}
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		assigned |= *p == '=' && !depth;
		if (*p == ',' && assigned && !depth)
			return 1;
	}
	return 0;
}

int kinst_fortran_is_do(const struct kinst_statement *s, unsigned long *label)
{
	const char *p = kinst_fortran_unnamed(s->text);
	char *after;

	*label = 0;
	if (strncasecmp(p, "do", 2))
		return 0;
	p += 2;
	if (*p && !isblank((unsigned char)*p) && !isdigit((unsigned char)*p) && !extent_fortran_counts(p))
		return 0;
	p = kinst_fortran_blanks(p);
	if (!*p)
		return 1;
	if (isdigit((unsigned char)*p)) {
		*label = strtoul(p, &after, 10);
		p = kinst_fortran_blanks(after);
	}
	p = kinst_fortran_blanks(*p == ',' ? p + 1 : p);
	return !*p || kinst_eat(p, "while") || kinst_eat(p, "concurrent") ||
	       (isalpha((unsigned char)*p) && extent_fortran_counts(p));
}

static int is_end_do(const struct kinst_statement *s)
{
	const char *end = kinst_eat(s->text, "end");

	return kinst_eat(s->text, "enddo") || (end && kinst_eat(end, "do"));
}

static unsigned long label_of(const struct kinst_statements *all, size_t i)
{
	const char *p = all->lines[all->items[i].first].p;

	return all->items[i].n_label ? strtoul(kinst_fortran_blanks(p), NULL, 10) : 0;
}

/*
 * Returns 1 when statement k ends the unit in which statement i stands.  Interface bodies in it are units of their
 * own.
 */
static int ends_unit(const struct kinst_statements *all, size_t i, size_t k)
{
	return kinst_ends_unit(all->items[k].text) && all->items[k].unit == all->items[i].unit;
}

size_t kinst_fortran_do_end(const struct kinst_statements *all, size_t i)
{
	unsigned long label, inner;
	size_t depth = 0;

	kinst_fortran_is_do(&all->items[i], &label);
	for (size_t k = i + 1; k < all->n && !ends_unit(all, i, k); k++) {
		if (label && label_of(all, k) == label)
			return k;
		if (label)
			continue;
		if (kinst_fortran_is_do(&all->items[k], &inner)) {
			if (inner) {
				k = kinst_fortran_do_end(all, k);
				if (k == KINST_NOWHERE)
					return k;
			} else {
				depth++;
			}
		} else if (is_end_do(&all->items[k]) && !depth--) {
			return k;
		}
	}
	return KINST_NOWHERE;
}

size_t kinst_fortran_next(const struct kinst_statements *all, size_t i)
{
	for (i++; i < all->n && !*all->items[i].text && !all->items[i].directive; i++)
		;
	return i;
}

void kinst_fortran_mark_loops(struct kinst_statements *all)
{
	unsigned long open[DEEPEST], label; /* the last labels of the loops around */
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct kinst_statement *s = all->items + i;

		if (!*s->text)
			continue;
		if (kinst_ends_unit(s->text)) {
			n = 0;
		} else if (kinst_fortran_is_do(s, &label) && label) {
			s->shares_end = n && open[n - 1] == label;
			if (n < DEEPEST)
				open[n++] = label;
		}
		if (s->n_label)
			for (label = label_of(all, i); n && open[n - 1] == label;)
				n--;
	}
}

int kinst_fortran_shares_end(const struct kinst_statements *all, const struct kinst_fortran_extent *extent)
{
	size_t i = kinst_fortran_next(all, extent->first);

	while (i < all->n && all->items[i].directive)
		i = kinst_fortran_next(all, i);
	return i < all->n && all->items[i].shares_end;
}

int kinst_fortran_read(const struct kinst_statements *all, size_t i, struct kinst_directive *d)
{
	const struct kinst_statement *s = &all->items[i];

	return s->directive && !s->is_pomp && !kinst_directive_read(d, s->directive, strlen(s->directive), 1);
}

static int same_name(const struct kinst_directive *a, const struct kinst_directive *b)
{
	if (a->n_leaves != b->n_leaves || a->leaves[0] == KINST_OMP_OTHER)
		return 0;
	return !memcmp(a->leaves, b->leaves, a->n_leaves * sizeof(*a->leaves));
}

/* Returns 1 when statement i is the end directive of d. */
static int extent_fortran_ends(const struct kinst_statements *all, size_t i, const struct kinst_directive *d)
{
	struct kinst_directive found;
	int is;

	if (i >= all->n || !kinst_fortran_read(all, i, &found))
		return 0;
	is = found.is_end && same_name(&found, d);
	kinst_directive_free(&found);
	return is;
}

static int extent_fortran_find(const struct kinst_statements *all, struct kinst_fortran_extent *extent, size_t depth);

/* Returns the end directive of d behind statement i, with the constructs between them passed over. */
static size_t find_end(const struct kinst_statements *all, size_t i, const struct kinst_directive *d, size_t depth)
{
	for (size_t from = i; i < all->n && !ends_unit(all, from, i); i++) {
		struct kinst_fortran_extent inner = { .first = i };
		int bad;

		if (!kinst_fortran_read(all, i, &inner.d))
			continue;
		if (inner.d.is_end) {
			bad = !same_name(&inner.d, d);
			kinst_directive_free(&inner.d);
			return bad ? KINST_NOWHERE : i;
		}
		bad = inner.d.leaves[0] != KINST_OMP_SECTION && !extent_fortran_find(all, &inner, depth + 1);
		if (!bad && inner.d.leaves[0] != KINST_OMP_SECTION)
			i = inner.last;
		kinst_directive_free(&inner.d);
		if (bad)
			return KINST_NOWHERE;
	}
	return KINST_NOWHERE;
}

static int is_block(const char *text)
{
	const char *behind = kinst_eat(kinst_fortran_unnamed(text), "block");

	return behind && !*kinst_fortran_blanks(behind);
}

size_t kinst_fortran_block_end(const struct kinst_statements *all, size_t i)
{
	size_t depth = 0;

	if (i >= all->n || !is_block(all->items[i].text))
		return KINST_NOWHERE;
	for (size_t k = i + 1; k < all->n && !ends_unit(all, i, k); k++) {
		const char *text = all->items[k].text, *end = kinst_eat(text, "end");

		if (is_block(text))
			depth++;
		else if ((kinst_eat(text, "endblock") || (end && kinst_eat(end, "block"))) && !depth--)
			return k;
	}
	return KINST_NOWHERE;
}

/* Sets the end of the extent to this statement, or to the end directive after it. */
static int ends_with(const struct kinst_statements *all, struct kinst_fortran_extent *extent, size_t last)
{
	size_t after;

	if (last == KINST_NOWHERE)
		return 0;
	after = kinst_fortran_next(all, last);
	extent->last = last;
	if (extent_fortran_ends(all, after, &extent->d))
		extent->last = extent->end = after;
	return 1;
}

static int find_loop(const struct kinst_statements *all, struct kinst_fortran_extent *extent, size_t next)
{
	unsigned long label;

	while (next < all->n && all->items[next].directive) /* such as tile, unroll */
		next = kinst_fortran_next(all, next);
	if (next >= all->n || !kinst_fortran_is_do(&all->items[next], &label))
		return 0;
	return ends_with(all, extent, kinst_fortran_do_end(all, next));
}

static int is_if_then(const char *text)
{
	const char *p = kinst_eat(kinst_fortran_unnamed(text), "if");

	p = p ? kinst_eat_parentheses(p) : NULL;
	return p && kinst_eat(p, "then");
}

/*
 * Returns the last line of the statement at i, or NOWHERE.  It may be an IF construct; *has_else tells whether that
 * has an ELSE.
 */
static size_t statement_end(const struct kinst_statements *all, size_t i, int *has_else)
{
	size_t depth = 0;

	if (i >= all->n || !is_if_then(all->items[i].text))
		return i < all->n ? i : KINST_NOWHERE;
	for (size_t k = i + 1; k < all->n && !ends_unit(all, i, k); k++) {
		const char *text = all->items[k].text, *end = kinst_eat(text, "end");

		if (is_if_then(text))
			depth++;
		else if (kinst_eat(text, "else"))
			*has_else |= !depth;
		else if ((kinst_eat(text, "endif") || (end && kinst_eat(end, "if"))) && !depth--)
			return k;
	}
	return KINST_NOWHERE;
}

/*
 * Finds the end of an atomic: one statement, or two with `capture`, but not if the capture is in an ELSE.
 */
static int find_atomic(const struct kinst_statements *all, struct kinst_fortran_extent *extent, size_t next)
{
	int has_else = 0;
	size_t last = statement_end(all, next, &has_else);

	if (last != KINST_NOWHERE && !has_else && kinst_directive_clause(&extent->d, "capture"))
		last = statement_end(all, kinst_fortran_next(all, last), &has_else);
	return ends_with(all, extent, last);
}

static int extent_fortran_find(const struct kinst_statements *all, struct kinst_fortran_extent *extent, size_t depth)
{
	const struct kinst_directive *d = &extent->d;
	size_t next = kinst_fortran_next(all, extent->first), after;

	extent->last = extent->first;
	extent->end = KINST_NOWHERE;
	if (depth > DEEPEST)
		return 0;
	if (kinst_directive_is_alone(d))
		return 1;
	if (next >= all->n)
		return 0;
	if (kinst_directive_is_loop(d))
		return find_loop(all, extent, next);
	if (d->leaves[0] == KINST_OMP_ATOMIC)
		return find_atomic(all, extent, next);
	if (is_block(all->items[next].text)) {
		if (!ends_with(all, extent, kinst_fortran_block_end(all, next)))
			return 0;
		if (extent->end != KINST_NOWHERE)
			return 1;
		after = find_end(all, next, d, depth);
		if (after != KINST_NOWHERE)
			extent->last = extent->end = after;
		return 1;
	}
	extent->last = extent->end = find_end(all, next, d, depth);
	return extent->end != KINST_NOWHERE;
}

int kinst_fortran_find(const struct kinst_statements *all, struct kinst_fortran_extent *extent)
{
	return extent_fortran_find(all, extent, 0);
}

/* Returns 1 when statement i is a directive with this construct, and this clause unless it is NULL. */
static int is_directive_of(const struct kinst_statements *all, size_t i, enum kinst_leaf leaf, const char *clause)
{
	struct kinst_directive d;
	int is;

	if (!kinst_fortran_read(all, i, &d))
		return 0;
	is = d.leaves[0] == leaf && (!clause || kinst_directive_clause(&d, clause));
	kinst_directive_free(&d);
	return is;
}

int kinst_fortran_is_cancelled(const struct kinst_statements *all, const struct kinst_fortran_extent *extent,
                               const char *construct)
{
	for (size_t i = extent->first; all->has_cancel && i <= extent->last; i++)
		if (is_directive_of(all, i, KINST_OMP_CANCEL, construct))
			return 1;
	return 0;
}

int kinst_fortran_end_has(const struct kinst_statements *all, const struct kinst_fortran_extent *extent,
                          const char *clause)
{
	struct kinst_directive d;
	int found;

	if (extent->end == KINST_NOWHERE || !kinst_fortran_read(all, extent->end, &d))
		return 0;
	found = kinst_directive_clause(&d, clause) != NULL;
	kinst_directive_free(&d);
	return found;
}

size_t kinst_fortran_section(const struct kinst_statements *all, size_t i, size_t end)
{
	for (; i < end; i++) {
		struct kinst_fortran_extent inner = { .first = i };

		if (is_directive_of(all, i, KINST_OMP_SECTION, NULL))
			return i;
		if (!kinst_fortran_read(all, i, &inner.d))
			continue;
		if (kinst_fortran_find(all, &inner))
			i = inner.last;
		kinst_directive_free(&inner.d);
	}
	return end;
}
