/*
 * Cycles: see cycles.h.
 */
#include "opari/read/cycles.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/base/kinst_text.h"
#include "opari/read/extent_fortran.h"

/*
 * Returns the word CYCLE in `cycle [name]` or `if (…) cycle [name]`, and the name; NULL when the statement is none of
 * these.
 */
static const char *find_cycle(const char *text, const char **name, size_t *n_name)
{
	const char *p = kinst_eat(text, "if"), *behind;

	p = p ? kinst_eat_parentheses(p) : text;
	if (!p)
		return NULL;
	p = kinst_fortran_blanks(p);
	behind = kinst_eat(p, "cycle");
	if (!behind)
		return NULL;
	*name = kinst_fortran_blanks(behind);
	for (*n_name = 0; isalnum((unsigned char)(*name)[*n_name]) || (*name)[*n_name] == '_'; ++*n_name)
		;
	return *kinst_fortran_blanks(*name + *n_name) ? NULL : p;
}

/* Returns 1 for a statement that could contain a CYCLE, or jump beyond the last statement. */
static int is_unclear(const struct kinst_statement *s)
{
	return strchr(s->text, ';') || (strcasestr(s->text, "cycle") && s->n_label);
}

/* Returns 1 when the name stands for this DO.  Without a name the innermost one is meant. */
static int cycles_means(const struct kinst_statement *loop, const char *name, size_t n_name, int innermost)
{
	const char *unnamed = kinst_fortran_unnamed(loop->text);
	size_t n = strspn(loop->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	if (!n_name)
		return innermost;
	return unnamed != loop->text && n == n_name && !strncasecmp(loop->text, name, n);
}

static void cycles_add(struct kinst_cycles *cycles, size_t i)
{
	cycles->items = kinst_realloc(cycles->items, (cycles->n + 1) * sizeof(*cycles->items));
	cycles->items[cycles->n++] = i;
}

int kinst_cycles_find(const struct kinst_statements *all, size_t first, size_t last, struct kinst_cycles *cycles)
{
	const struct kinst_statement *loop = &all->items[first];
	size_t inner_last = 0; /* the last statement of the outermost DO inside, while in one */
	unsigned long label;

	*cycles = (struct kinst_cycles){ 0 };
	if (!kinst_fortran_is_do(loop, &label) || label || strchr(loop->text, ';') || is_unclear(&all->items[last]) ||
	    all->items[last].n_label)
		return 0;
	for (size_t i = first + 1; i < last; i++) {
		const struct kinst_statement *s = &all->items[i];
		const char *name;
		size_t n_name;

		if (is_unclear(s)) {
			kinst_cycles_free(cycles);
			return 0;
		}
		if (i > inner_last && kinst_fortran_is_do(s, &label)) {
			inner_last = kinst_fortran_do_end(all, i);
			if (inner_last == KINST_NOWHERE || inner_last >= last) {
				kinst_cycles_free(cycles);
				return 0;
			}
		} else if (find_cycle(s->text, &name, &n_name) && cycles_means(loop, name, n_name, i > inner_last)) {
			cycles_add(cycles, i);
		}
	}
	return 1;
}

void kinst_cycles_free(struct kinst_cycles *cycles)
{
	free(cycles->items);
	*cycles = (struct kinst_cycles){ 0 };
}

char *kinst_cycles_goto(const struct kinst_statement *statement, unsigned int label)
{
	const char *name, *word;
	size_t n_name;

	word = find_cycle(statement->text, &name, &n_name);
	return kinst_format("%.*sgoto %u", (int)(word ? word - statement->text : 0), statement->text, label);
}

static int is_label(const struct kinst_statements *all, unsigned int label)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct kinst_statement *s = &all->items[i];

		if (s->n_label && strtoul(kinst_fortran_blanks(all->lines[s->first].p), NULL, 10) == label)
			return 1;
	}
	return 0;
}

unsigned int kinst_cycles_label(const struct kinst_statements *all, unsigned int below)
{
	for (below--; below && is_label(all, below); below--)
		;
	return below;
}

int kinst_cycles_has(const struct kinst_cycles *cycles, size_t i)
{
	for (size_t k = 0; k < cycles->n; k++)
		if (cycles->items[k] == i)
			return 1;
	return 0;
}
