/*
 * Shared end: see shared_end.h.
 */
#include "opari/read/shared_end.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/read/cycles.h"
#include "opari/read/extent_fortran.h"
#include "runtime/base/array.h"

enum { LABELS = 100000 };

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns 1 when the number at p is this label; *end is behind its digits. */
static int is_label_at(const char *p, unsigned long label, const char **end)
{
	char *behind;

	if (!is_digit(*p))
		return 0;
	*end = p + strspn(p, "0123456789");
	return strtoul(p, &behind, 10) == label;
}

/*
 * Returns 1 when a statement may jump to the label.  The number alone may be a constant, so it searches for words that
 * jump.
 */
static int may_jump(const char *text, unsigned long label)
{
	static const char *const words[] = { "go", "assign", "err", "end", "eor" };
	const char *behind, *p = kinst_eat(text, "if");
	int found = 0, jumps = 0;

	for (const char *q = text; *q; q++)
		if ((q == text || !is_digit(q[-1])) && is_label_at(q, label, &behind)) {
			found = 1;
			jumps |= q > text && q[-1] == '*'; /* it may be call s(*10), and also a product */
		}
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++)
		jumps |= strcasestr(text, words[i]) != NULL;
	p = p ? kinst_eat_parentheses(p) : NULL;
	return found && (jumps || (p && is_digit(*kinst_fortran_blanks(p))));
}

/*
 * Returns the loop of the directive at statement i if it shares its end with an outer loop; 0 when the directive has no
 * loop, or the loop has an end of its own.
 */
static size_t shared_loop(const struct kinst_statements *all, size_t i, unsigned long *label)
{
	struct kinst_fortran_extent extent = { .first = i };
	size_t loop;
	int is;

	if (!kinst_fortran_read(all, i, &extent.d))
		return 0;
	is = !extent.d.is_end && kinst_directive_is_loop(&extent.d) && extent.d.leaves[0] != KINST_OMP_SIMD &&
	     kinst_fortran_shares_end(all, &extent);
	kinst_directive_free(&extent.d);
	if (!is)
		return 0;
	for (loop = kinst_fortran_next(all, i); loop < all->n && all->items[loop].directive;)
		loop = kinst_fortran_next(all, loop);
	return loop < all->n && kinst_fortran_is_do(&all->items[loop], label) && *label ? loop : 0;
}

/* Returns 1 when the loops from `first` on, which end with statement `last`, can get another label. */
static int can_part(const struct kinst_statements *all, size_t first, size_t last, unsigned long label)
{
	struct kinst_span line = all->lines[all->items[last].first];
	unsigned long other;

	if (last == KINST_NOWHERE || (all->fixed && (line.n < 6 || memchr(line.p, '\t', 6))))
		return 0;
	for (size_t i = first; i <= last; i++)
		if (!kinst_fortran_is_do(&all->items[i], &other) && may_jump(all->items[i].text, label))
			return 0;
	return 1;
}

/* Writes the line of a DO with the new label in place of the old one.  Returns 0 when it does not fit there. */
static int put_do(const struct kinst_statements *all, struct kinst_span line, unsigned long label,
                  unsigned int new_label, struct kinst_text *out)
{
	size_t length = out->length, columns = all->fixed ? kinst_fortran_columns(all->fixed) : INT_MAX;
	const char *end = line.p + line.n, *behind = NULL;

	/* The statement's own label is passed over. */
	for (const char *p = line.p + (all->fixed ? 5 : strspn(line.p, " \t0123456789")); p < end; p++)
		if (p > line.p && memchr(" \toO", p[-1], 4) && is_label_at(p, label, &behind)) {
			kinst_text_add(out, line.p, (size_t)(p - line.p));
			kinst_text_number(out, new_label);
			kinst_text_add(out, behind, (size_t)(end - behind));
			return out->length - length <= columns;
		}
	return 0;
}

/* Writes the last statement with the new label, and behind it a CONTINUE with the old one. */
static void put_last(const struct kinst_statements *all, size_t last, unsigned long label, unsigned int new_label,
                     struct kinst_text *out)
{
	const struct kinst_statement *s = all->items + last;
	struct kinst_span line = all->lines[s->first];
	size_t own = strspn(line.p, " \t");
	unsigned long end = s->line + (s->last - s->first);

	own += strspn(line.p + own, "0123456789");
	if (all->fixed)
		own = 5;
	kinst_text_printf(out, "%5u%.*s\n", new_label, (int)(line.n - own), line.p + own);
	for (size_t i = s->first + 1; i <= s->last; i++)
		kinst_text_printf(out, "%.*s\n", (int)all->lines[i].n, all->lines[i].p);
	kinst_text_printf(out, "# %lu \"%.*s\"\n%5lu continue\n# %lu \"%.*s\"\n", end, (int)s->file.n, s->file.p, label,
	                  end + 1, (int)s->file.n, s->file.p);
}

/*
 * Returns the whole text with the loops from `first` to `last` separated from the outer ones; NULL when a line has no
 * room.
 */
static char *shared_end_part(const struct kinst_statements *all, size_t first, size_t last, unsigned long label)
{
	unsigned int new_label = kinst_cycles_label(all, LABELS);
	struct kinst_text out = { 0 };
	unsigned long other;
	int fits = 1;

	for (size_t i = 0; i < all->n; i++) {
		const struct kinst_statement *s = all->items + i;
		size_t from = s->first;

		if (i == last) {
			put_last(all, last, label, new_label, &out);
			continue;
		}
		if (i >= first && i < last && kinst_fortran_is_do(s, &other) && other == label) {
			fits &= put_do(all, all->lines[from++], label, new_label, &out);
			kinst_text_puts(&out, "\n");
		}
		for (; from <= s->last; from++) {
			kinst_text_add(&out, all->lines[from].p, all->lines[from].n);
			kinst_text_puts(&out, "\n");
		}
	}
	if (fits)
		return out.data;
	kinst_text_free(&out);
	return NULL;
}

char *kinst_shared_end_part(const struct kinst_statements *all)
{
	unsigned long label;

	for (size_t i = 0; i < all->n; i++) {
		size_t loop = all->items[i].directive ? shared_loop(all, i, &label) : 0;
		size_t last = loop ? kinst_fortran_do_end(all, loop) : KINST_NOWHERE;
		char *text = last != KINST_NOWHERE && can_part(all, loop, last, label)
		                   ? shared_end_part(all, loop, last, label)
		                   : NULL;

		if (text)
			return text;
	}
	return NULL;
}
