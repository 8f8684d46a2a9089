/*
 * Write, in Fortran: see write_fortran.h.
 */
#include "opari/emit/write_fortran.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "opari/read/directive_split.h"
#include "opari/read/map_clause_fortran.h"

enum { FREE_COLUMNS = 100 };

void kinst_write_copy(struct kinst_writer *w, size_t line)
{
	const struct kinst_span *first, *last;

	if (w->at >= line)
		return;
	first = w->s->lines + w->at; /* lines follow each other in the text */
	last = w->s->lines + line - 1;
	kinst_text_add(w->out, first->p, (size_t)(last->p + last->n - first->p));
	kinst_text_puts(w->out, "\n");
	w->at = line;
}

void kinst_write_marker(struct kinst_writer *w, unsigned long line, struct kinst_span file)
{
	kinst_text_puts(w->out, "# ");
	kinst_text_number(w->out, line);
	kinst_text_puts(w->out, " \"");
	kinst_text_add(w->out, file.p, file.n);
	kinst_text_puts(w->out, "\"\n");
	w->marker_line = line;
	w->marker_file = file;
	w->is_marked = 1;
}

/* Begins a line of ours.  All of them are at the place of the last marker, as gfortran reports a statement at the
 * line in which it ends. */
static void begin_line(struct kinst_writer *w, const char *head)
{
	if (!w->is_marked)
		kinst_write_marker(w, w->marker_line, w->marker_file);
	w->is_marked = 0;
	kinst_text_puts(w->out, head);
}

/* Returns the columns for text in a line of fixed form.  They must all be filled, as a literal that goes on in the
 * next line goes on behind the last column. */
static size_t fixed_columns(int fixed)
{
	return kinst_fortran_columns(fixed == INT_MAX ? 1 : fixed) - strlen("     &");
}

void kinst_write_long(struct kinst_writer *w, const char *head, const char *more, const char *text)
{
	int fixed = w->s->fixed;
	size_t columns = fixed ? fixed_columns(fixed) : FREE_COLUMNS, n = strlen(text);

	begin_line(w, head);
	while (n > columns) {
		kinst_text_add(w->out, text, columns);
		text += columns;
		n -= columns;
		kinst_text_puts(w->out, fixed ? "\n" : "&\n");
		w->is_marked = w->is_whole;
		begin_line(w, more);
	}
	kinst_text_puts(w->out, text);
	kinst_text_puts(w->out, "\n");
}

void kinst_write_directive(struct kinst_writer *w, const char *text)
{
	kinst_write_long(w, "!$omp ", "!$omp&", text);
}

/* Writes a call behind another beginning of its statement. */
static void write_call(struct kinst_writer *w, const char *begin, const char *name, const char *string,
                       const char *more)
{
	struct kinst_text text = { 0 };
	const char *p, *end;

	kinst_text_puts(&text, begin);
	kinst_text_puts(&text, "call ompp_f_");
	kinst_text_puts(&text, name);
	kinst_text_puts(&text, "('");
	for (p = string; *(end = strchrnul(p, '\'')); p = end + 1) {
		kinst_text_add(&text, p, (size_t)(end + 1 - p));
		kinst_text_puts(&text, "'");
	}
	kinst_text_puts(&text, p);
	kinst_text_puts(&text, "'");
	kinst_text_puts(&text, more);
	kinst_text_puts(&text, ")");
	kinst_write_long(w, "      ", w->s->fixed ? "     &" : "      &", text.data);
	kinst_text_free(&text);
	w->n_calls++;
}

void kinst_write_call(struct kinst_writer *w, const char *name, const char *string, const char *more)
{
	write_call(w, "", name, string, more);
}

void kinst_write_maps(struct kinst_writer *w, size_t i, const struct kinst_directive *d, const char *string,
                      int has_storage_size)
{
	if (!kinst_map_clause_is(d))
		return;
	if (!w->reads_maps)
		w->reads_maps = has_storage_size && kinst_map_clause_is_readable(w->s) ? 1 : -1;
	kinst_write_before(w, i);
	kinst_write_call(w, "target_maps", string, ",0_8,0_8");
	for (size_t k = 0; k < d->n_clauses; k++) {
		struct kinst_map_list list = kinst_map_clause_read(d, &d->clauses[k]);

		list.is_known &= w->reads_maps > 0;
		for (const char *p = list.p; list.ways && p < list.end;) {
			struct kinst_map_item item = kinst_map_clause_fortran(w->s, i, &list, &p);
			char *begin = item.allocated ? kinst_format("if (allocated(%s)) ", item.allocated)
			                             : kinst_strdup("");
			char *more = kinst_format(",%s,%s", item.ways & KINST_MAPS_TO ? item.bytes : "0_8",
			                          item.ways & KINST_MAPS_FROM ? item.bytes : "0_8");

			write_call(w, begin, "target_maps", string, more);
			free(begin);
			free(more);
			free(item.bytes);
			free(item.allocated);
		}
	}
	kinst_write_resume(w, i, 0);
}

void kinst_write_before(struct kinst_writer *w, size_t i)
{
	kinst_write_copy(w, w->s->items[i].first);
	kinst_write_marker(w, w->s->items[i].line, w->s->items[i].file);
}

void kinst_write_behind(struct kinst_writer *w, size_t i)
{
	const struct kinst_statement *s = &w->s->items[i];

	kinst_write_copy(w, s->last + 1);
	kinst_write_marker(w, s->line + (s->last - s->first), s->file);
}

void kinst_write_resume(struct kinst_writer *w, size_t i, int behind)
{
	const struct kinst_statement *s = &w->s->items[i];

	kinst_write_marker(w, s->line + (behind ? s->last - s->first + 1 : 0), s->file);
}

void kinst_write_drop(struct kinst_writer *w, size_t i)
{
	kinst_write_copy(w, w->s->items[i].first);
	w->at = w->s->items[i].last + 1;
}

/* ---- directives that begin with PARALLEL ---- */

char *kinst_write_threads(const struct kinst_directive *d)
{
	const struct kinst_clause *c = kinst_directive_clause(d, "num_threads");

	if (!c || !c->args)
		return kinst_strdup("");
	/* A call in num_threads would be evaluated twice. */
	for (size_t i = 0; i < c->n_args; i++)
		if (!isdigit((unsigned char)c->args[i]) && !isblank((unsigned char)c->args[i]))
			return kinst_strdup(", 0");
	return kinst_format(", %.*s", (int)c->n_args, c->args);
}

/* Lets PARALLEL share the variables of the loops in the remaining directive. */
static void share_counters(const struct kinst_statements *all, const struct kinst_fortran_extent *s,
                           const struct kinst_text *inner, struct kinst_text *outer)
{
	size_t n = kinst_directive_n_loops(&s->d), i = kinst_fortran_next(all, s->first);
	unsigned long label;

	for (; n-- && i < all->n && kinst_fortran_is_do(&all->items[i], &label); i = kinst_fortran_next(all, i)) {
		const char *p = kinst_fortran_blanks(kinst_fortran_unnamed(all->items[i].text) + 2), *end;

		p = kinst_fortran_blanks(p + strspn(p, "0123456789"));
		p = kinst_fortran_blanks(*p == ',' ? p + 1 : p);
		for (end = p; isalnum((unsigned char)*end) || *end == '_'; end++)
			;
		if (*kinst_fortran_blanks(end) == '=')
			kinst_directive_share_counter(&s->d, p, (size_t)(end - p), inner, outer);
	}
}

/* Returns the directive's name behind PARALLEL. */
static const char *rest_of_name(const struct kinst_directive *d)
{
	const char *rest = d->name;

	while (isalpha((unsigned char)*rest))
		rest++;
	if ((size_t)(rest - d->name) > 8) /* paralleldo */
		rest = d->name + 8;
	return kinst_fortran_blanks(rest);
}

void kinst_write_split(const struct kinst_statements *all, const struct kinst_fortran_extent *s,
                       struct kinst_text *outer, struct kinst_text *inner)
{
	const struct kinst_clause *threads = kinst_directive_clause(&s->d, "num_threads");
	struct kinst_text clauses = { 0 }, rest = { 0 };
	const char *name = rest_of_name(&s->d);

	kinst_directive_split(&s->d, &clauses, &rest);
	share_counters(all, s, &rest, &clauses);
	kinst_text_printf(outer, "parallel%s", clauses.data ? clauses.data : "");
	if (threads)
		kinst_text_printf(outer, " %.*s", (int)threads->n_text, threads->text);
	if (s->d.n_leaves > 1)
		kinst_text_printf(inner, "%.*s%s", (int)(s->d.name + s->d.n_name - name), name,
		                  rest.data ? rest.data : "");
	kinst_text_free(&clauses);
	kinst_text_free(&rest);
}

void kinst_write_exchange(struct kinst_writer *w, size_t i, const char *text)
{
	kinst_write_drop(w, i);
	kinst_write_marker(w, w->s->items[i].line, w->s->items[i].file);
	kinst_write_long(w, "      ", w->s->fixed ? "     &" : "      &", text);
	kinst_write_resume(w, i, 1);
}
