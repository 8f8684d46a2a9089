/*
 * Emit, in Fortran: see emit_fortran.h.
 *
 * One walk over the statements.  All lines before e->at are copied; a construct is emitted as a whole, with the walk
 * going on inside, and then the walk continues behind it.
 */
#include "opari/emit/emit_fortran.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/emit/emit_region.h"
#include "opari/emit/pomp.h"
#include "opari/read/cycles.h"
#include "opari/read/extent_fortran.h"
#include "opari/read/lock_calls.h"
#include "opari/read/operand_fortran.h"
#include "opari/read/shared_end.h"
#include "opari/read/statements.h"

enum { FREE_COLUMNS = 100, LABELS = 100000 };

struct emitter {
	const struct kinst_emit_options *options;
	struct kinst_statements s;
	struct kinst_emitted *emitted;
	struct kinst_text *out;
	struct kinst_regions regions;
	size_t at;                      /* lines before are copied */
	/* the place of the last marker; is the next line its? */
	unsigned long marker_line;
	struct kinst_span marker_file;
	int is_marked;
	size_t depth;
	const char *silent;             /* inside something in which nothing may be called: why; else NULL */
	int cancelled, uninstrumented;
	/* the CYCLE statements of the taskloop that is emitted, their label, and the lowest label in use */
	struct kinst_cycles cycles;
	unsigned int label, lowest_label;
};

#define NO_CALLS "nothing can be called inside of a simd loop, an atomic, a workshare or code for a device"

static void walk(struct emitter *e, size_t from, size_t to);

/* A walk in which nothing is called when there is a reason why not. */
static void walk_silently(struct emitter *e, size_t from, size_t to, const char *why_not)
{
	const char *before = e->silent;

	if (!before)
		e->silent = why_not;
	walk(e, from, to);
	e->silent = before;
}

static const char *no_calls_if(int is)
{
	return is ? NO_CALLS : NULL;
}

/* ---- writing ---- */

/* Lines follow each other in the text. */
static void copy_to(struct emitter *e, size_t line)
{
	const struct kinst_span *first, *last;

	if (e->at >= line)
		return;
	first = e->s.lines + e->at;
	last = e->s.lines + line - 1;
	kinst_text_add(e->out, first->p, (size_t)(last->p + last->n - first->p));
	kinst_text_puts(e->out, "\n");
	e->at = line;
}

static void put_marker(struct emitter *e, unsigned long line, struct kinst_span file)
{
	kinst_text_puts(e->out, "# ");
	kinst_text_number(e->out, line);
	kinst_text_puts(e->out, " \"");
	kinst_text_add(e->out, file.p, file.n);
	kinst_text_puts(e->out, "\"\n");
	e->marker_line = line;
	e->marker_file = file;
	e->is_marked = 1;
}

/* A line of ours begins: all of them are at the place of the last marker, as gfortran takes the line that a statement
 * ends in for its place. */
static void begin_line(struct emitter *e, const char *head)
{
	if (!e->is_marked)
		put_marker(e, e->marker_line, e->marker_file);
	e->is_marked = 0;
	kinst_text_puts(e->out, head);
}

/* Columns for text in a line of fixed form.  They must be filled: a literal that goes on does so behind the last one. */
static size_t fixed_columns(int fixed)
{
	return kinst_fortran_columns(fixed == INT_MAX ? 1 : fixed) - strlen("     &");
}

/* A statement or directive in lines that are not too long.  `head`, `more`: what a first and a further line begin
 * with. */
static void put_long(struct emitter *e, const char *head, const char *more, const char *text)
{
	size_t columns = e->s.fixed ? fixed_columns(e->s.fixed) : FREE_COLUMNS, n = strlen(text);

	begin_line(e, head);
	while (n > columns) {
		kinst_text_add(e->out, text, columns);
		text += columns;
		n -= columns;
		kinst_text_puts(e->out, e->s.fixed ? "\n" : "&\n");
		begin_line(e, more);
	}
	kinst_text_puts(e->out, text);
	kinst_text_puts(e->out, "\n");
}

static void put_directive(struct emitter *e, const char *text)
{
	put_long(e, "!$omp ", "!$omp&", text);
}

/* call ompp_f_NAME('string'[, more]) */
static void put_call_with(struct emitter *e, const char *name, const char *string, const char *more)
{
	struct kinst_text text = { 0 };
	const char *p, *end;

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
	put_long(e, "      ", e->s.fixed ? "     &" : "      &", text.data);
	kinst_text_free(&text);
	e->emitted->n_calls++;
}

/* With a region's context string. */
static void put_call(struct emitter *e, const char *name, size_t region, const char *more)
{
	put_call_with(e, name, e->regions.items[region].ctc, more);
}

/* From here on lines of ours stand before statement i, or behind it, until resume(). */
static void open_before(struct emitter *e, size_t i)
{
	copy_to(e, e->s.items[i].first);
	put_marker(e, e->s.items[i].line, e->s.items[i].file);
}

static void open_behind(struct emitter *e, size_t i)
{
	const struct kinst_statement *s = &e->s.items[i];

	copy_to(e, s->last + 1);
	put_marker(e, s->line + (s->last - s->first), s->file);
}

static void resume(struct emitter *e, size_t i, int behind)
{
	const struct kinst_statement *s = &e->s.items[i];

	put_marker(e, s->line + (behind ? s->last - s->first + 1 : 0), s->file);
}

/* Leave a statement out. */
static void drop(struct emitter *e, size_t i)
{
	copy_to(e, e->s.items[i].first);
	e->at = e->s.items[i].last + 1;
}

static void call_before(struct emitter *e, size_t i, const char *name, size_t region, const char *more)
{
	open_before(e, i);
	put_call(e, name, region, more);
	resume(e, i, 0);
}

static void call_behind(struct emitter *e, size_t i, const char *name, size_t region)
{
	open_behind(e, i);
	put_call(e, name, region, "");
	resume(e, i, 1);
}

/* ---- constructs ---- */

static struct kinst_place place_of(const struct emitter *e, size_t i)
{
	const struct kinst_statement *s = &e->s.items[i];

	return (struct kinst_place){ s->file.p, s->file.n, (uint32_t)s->line,
				     (uint32_t)(s->line + s->last - s->first) };
}

static size_t region_of(struct emitter *e, const struct kinst_fortran_extent *s, const char *type,
			const char *attribute)
{
	char *attributes = kinst_region_attributes(&s->d, kinst_fortran_end_has(&e->s, s, "nowait"), attribute);
	struct kinst_place last = place_of(e, s->last);
	size_t region;

	last.first_line = last.last_line;
	region = kinst_region_new(&e->regions, type, place_of(e, s->first), last, attributes);
	free(attributes);
	return region;
}

/* Where the body ends: before the end directive, or behind the last statement. */
static void put_end_calls(struct emitter *e, const struct kinst_fortran_extent *s, const char *name, size_t region)
{
	if (s->end != KINST_NOWHERE)
		call_before(e, s->end, name, region, "");
	else
		call_behind(e, s->last, name, region);
}

static void walk_body(struct emitter *e, const struct kinst_fortran_extent *s, const char *why_not)
{
	walk_silently(e, s->first + 1, s->end != KINST_NOWHERE ? s->end : s->last + 1, why_not);
}

/* How a worksharing construct ends: see emit.c. */
enum ending { NOWAIT, OUR_BARRIER, OWN_BARRIER };

static enum ending ending_of(const struct emitter *e, const struct kinst_fortran_extent *s, const char *cancel)
{
	if (kinst_directive_clause(&s->d, "nowait") || kinst_fortran_end_has(&e->s, s, "nowait"))
		return NOWAIT;
	if (e->cancelled || kinst_directive_clause(&s->d, "copyprivate") || kinst_directive_reduces_tasks(&s->d) ||
	    kinst_fortran_end_has(&e->s, s, "copyprivate") || kinst_fortran_is_cancelled(&e->s, s, cancel))
		return OWN_BARRIER;
	return OUR_BARRIER;
}

/* The region of a worksharing construct, or of its PARALLEL. */
static size_t work_region(struct emitter *e, const struct kinst_fortran_extent *s, const char *type, const char *cancel)
{
	return region_of(e, s, type, ending_of(e, s, cancel) == OWN_BARRIER ? "ownBarrier=1*" : "");
}

/* The end of a worksharing construct: its own barrier goes, and ours comes. */
static void close_work(struct emitter *e, const struct kinst_fortran_extent *s, const char *name, size_t region,
		       int combined, const char *exit, const char *cancel)
{
	int replace = ending_of(e, s, cancel) == OUR_BARRIER;
	char *end;

	if (s->end != KINST_NOWHERE && (replace || combined))
		drop(e, s->end);
	open_behind(e, s->last);
	if (replace || combined) {
		end = kinst_format("end %s%s", name, replace ? " nowait" : "");
		put_directive(e, end);
		free(end);
	}
	if (replace && !combined) {
		put_call(e, "wait", region, "");
		put_directive(e, "barrier");
		put_call(e, "waited", region, "");
	}
	put_call(e, exit, region, "");
	resume(e, s->last, 1);
}

static char *name_of(const struct kinst_directive *d)
{
	return kinst_strndup(d->name, d->n_name);
}

/* do, do simd; combined: the number of the PARALLEL's region + 1, whose directive has been written. */
static void emit_do(struct emitter *e, struct kinst_fortran_extent *s, size_t combined)
{
	size_t region = combined ? combined - 1 : work_region(e, s, "do", "do");
	char *name = name_of(&s->d);

	if (!combined)
		call_before(e, s->first, "for_enter", region, "");
	walk_body(e, s, no_calls_if(kinst_directive_has(&s->d, KINST_OMP_SIMD)));
	close_work(e, s, name, region, combined > 0, "for_exit", "do");
	free(name);
}

/* Is there nothing from section i on?  Of `parallel sections` gfortran leaves such sections out, and lastprivate comes from the
 * one before them; of `sections` it does not. */
static int has_only_sections(const struct emitter *e, size_t i, size_t end)
{
	for (; i < end; i = kinst_fortran_next(&e->s, i))
		if (kinst_fortran_section(&e->s, i, end) != i)
			return 0;
	return 1;
}

static void emit_sections(struct emitter *e, struct kinst_fortran_extent *s, size_t combined)
{
	size_t region = combined ? combined - 1 : work_region(e, s, "sections", "sections");
	size_t i = kinst_fortran_next(&e->s, s->first), next, end = kinst_fortran_block_end(&e->s, i);
	char *name = name_of(&s->d);

	if (!combined)
		call_before(e, s->first, "sections_enter", region, "");
	if (end != KINST_NOWHERE && (s->end == KINST_NOWHERE || kinst_fortran_next(&e->s, end) == s->end))
		i = kinst_fortran_next(&e->s, i);       /* the sections stand in a BLOCK */
	else
		end = s->end;
	next = kinst_fortran_section(&e->s, i, end);
	if (next > i) {
		open_before(e, i);
		put_directive(e, "section");
		put_call(e, "section_begin", region, "");
		resume(e, i, 0);
		walk(e, i, next);
		call_before(e, next, "section_end", region, "");
	}
	for (i = next; i < end; i = next) {
		next = kinst_fortran_section(&e->s, i + 1, end);
		if (combined && has_only_sections(e, i, end)) {
			drop(e, i);
			continue;
		}
		call_behind(e, i, "section_begin", region);
		walk(e, i + 1, next);
		call_before(e, next, "section_end", region, "");
	}
	close_work(e, s, name, region, combined > 0, "sections_exit", "sections");
	free(name);
}

static void emit_single(struct emitter *e, struct kinst_fortran_extent *s)
{
	size_t region = work_region(e, s, "single", "");

	call_before(e, s->first, "single_enter", region, "");
	call_behind(e, s->first, "single_begin", region);
	walk_body(e, s, NULL);
	put_end_calls(e, s, "single_end", region);
	close_work(e, s, "single", region, 0, "single_exit", "");
}

/* workshare, scope. */
static void emit_work(struct emitter *e, struct kinst_fortran_extent *s, const char *type, size_t combined)
{
	size_t region = combined ? combined - 1 : work_region(e, s, type, "");

	if (!combined)
		call_before(e, s->first, "for_enter", region, "");
	walk_body(e, s, no_calls_if(s->d.leaves[0] == KINST_OMP_WORKSHARE));
	close_work(e, s, type, region, combined > 0, "for_exit", "");
}

/* Calls at the begin and end of a body, and perhaps around the whole. */
static void emit_body(struct emitter *e, struct kinst_fortran_extent *s, size_t region, const char *enter,
		      const char *begin, const char *end, const char *exit)
{
	if (enter)
		call_before(e, s->first, enter, region, "");
	call_behind(e, s->first, begin, region);
	walk_body(e, s, NULL);
	put_end_calls(e, s, end, region);
	if (exit)
		call_behind(e, s->last, exit, region);
}

static void emit_critical(struct emitter *e, struct kinst_fortran_extent *s)
{
	char *name = s->d.arg.args ? kinst_format("criticalName=%.*s*", (int)s->d.arg.n_args, s->d.arg.args) : NULL;
	size_t region = region_of(e, s, "critical", name ? name : "");

	free(name);
	emit_body(e, s, region, "critical_enter", "critical_begin", "critical_end", "critical_exit");
}

/* A region around the whole. */
static void emit_around(struct emitter *e, struct kinst_fortran_extent *s, const char *type, const char *enter,
			const char *exit, int silent)
{
	size_t region = region_of(e, s, type, "");

	call_before(e, s->first, enter, region, "");
	if (s->last != s->first)
		walk_body(e, s, no_calls_if(silent));
	call_behind(e, s->last, exit, region);
}

/* Another text in the place of statement i. */
static void exchange(struct emitter *e, size_t i, const char *text)
{
	drop(e, i);
	put_marker(e, e->s.items[i].line, e->s.items[i].file);
	put_long(e, "      ", e->s.fixed ? "     &" : "      &", text);
	resume(e, i, 1);
}

/* An atomic's operand that calls something is evaluated before: an associate name is evaluated once, and has its type. */
static void emit_atomic(struct emitter *e, struct kinst_fortran_extent *s)
{
	int is_write = kinst_directive_clause(&s->d, "write") != NULL, may_move = e->options->associate;
	size_t i = s->first, region;
	struct kinst_span operand = { NULL, 0 };
	struct kinst_text line = { 0 };

	may_move &= !kinst_directive_clause(&s->d, "read") && !kinst_directive_clause(&s->d, "compare");
	for (int k = 0; may_move && !operand.n && k < 1 + (kinst_directive_clause(&s->d, "capture") != NULL); k++) {
		i = kinst_fortran_next(&e->s, i);
		operand = kinst_operand_fortran(&e->s, i, is_write);
	}
	if (!operand.n) {
		emit_around(e, s, "atomic", "atomic_enter", "atomic_exit", 1);
		return;
	}
	e->emitted->is_quieter = 1;             /* gfortran quotes what it warns of */
	region = region_of(e, s, "atomic", "");
	open_before(e, s->first);
	kinst_text_printf(&line, "associate (ompp_operand => %.*s)", (int)operand.n, operand.p);
	put_long(e, "      ", e->s.fixed ? "     &" : "      &", line.data);
	put_call(e, "atomic_enter", region, "");
	resume(e, s->first, 0);
	kinst_text_free(&line);
	kinst_text_printf(&line, "%.*s ompp_operand %s", (int)(operand.p - e->s.items[i].text), e->s.items[i].text,
			  operand.p + operand.n);
	exchange(e, i, line.data);
	kinst_text_free(&line);
	open_behind(e, s->last);
	put_call(e, "atomic_exit", region, "");
	put_long(e, "      ", "", "end associate");
	resume(e, s->last, 1);
}

/* The innermost of the construct's loops, whose iterations are its tasks' work; 0: it is not known how they end. */
static int find_iterations(const struct emitter *e, const struct kinst_fortran_extent *s, size_t *first, size_t *last,
			   struct kinst_cycles *cycles)
{
	size_t n = kinst_directive_n_loops(&s->d);
	unsigned long label;

	*first = s->first;
	while (n--) {
		*first = kinst_fortran_next(&e->s, *first);
		if (*first >= e->s.n || !kinst_fortran_is_do(&e->s.items[*first], &label))
			return 0;
	}
	*last = kinst_fortran_do_end(&e->s, *first);
	return *last != KINST_NOWHERE && kinst_cycles_find(&e->s, *first, *last, cycles);
}

/* CYCLE of a taskloop, as a jump to the call at the end of its iteration. */
static void emit_cycle(struct emitter *e, size_t i)
{
	char *text = kinst_cycles_goto(&e->s.items[i], e->label);

	exchange(e, i, text);
	free(text);
}

static int is_cycle(const struct emitter *e, size_t i)
{
	for (size_t k = 0; k < e->cycles.n; k++)
		if (e->cycles.items[k] == i)
			return 1;
	return 0;
}

/* taskloop: the construct, and each iteration as a task's execution. */
static void emit_taskloop(struct emitter *e, struct kinst_fortran_extent *s)
{
	const char *attribute = kinst_directive_clause(&s->d, "untied") ? "hasUntied=1*" : "";
	size_t region = region_of(e, s, "taskloop", attribute), first, last;
	struct kinst_cycles outer = e->cycles, cycles;
	unsigned int outer_label = e->label;

	call_before(e, s->first, "task_create", region, "");
	if (kinst_directive_has(&s->d, KINST_OMP_SIMD) || !find_iterations(e, s, &first, &last, &cycles)) {
		walk_body(e, s, no_calls_if(kinst_directive_has(&s->d, KINST_OMP_SIMD)));
		call_behind(e, s->last, "task_created", region);
		return;
	}
	e->cycles = cycles;
	e->label = e->lowest_label = kinst_cycles_label(&e->s, e->lowest_label);
	call_behind(e, first, "task_begin", region);
	walk(e, first + 1, last);
	open_before(e, last);
	if (cycles.n)
		kinst_text_printf(e->out, "%u continue\n", e->label);
	put_call(e, "task_end", region, "");
	resume(e, last, 0);
	call_behind(e, s->last, "task_created", region);
	kinst_cycles_free(&e->cycles);
	e->cycles = outer;
	e->label = outer_label;
}

static void emit_construct(struct emitter *e, struct kinst_fortran_extent *s);

/* num_threads without a call in it can be evaluated twice; 0: not known. */
static char *threads_of(const struct kinst_directive *d)
{
	const struct kinst_clause *c = kinst_directive_clause(d, "num_threads");

	if (!c || !c->args)
		return kinst_strdup("");
	for (size_t i = 0; i < c->n_args; i++)
		if (!isdigit((unsigned char)c->args[i]) && !isblank((unsigned char)c->args[i]))
			return kinst_strdup(", 0");
	return kinst_format(", %.*s", (int)c->n_args, c->args);
}

/* The variables of the loops that the site is about. */
static void share_counters(const struct emitter *e, const struct kinst_fortran_extent *s,
			   const struct kinst_text *inner, struct kinst_text *outer)
{
	size_t n = kinst_directive_n_loops(&s->d), i = kinst_fortran_next(&e->s, s->first);
	unsigned long label;

	for (; n-- && i < e->s.n && kinst_fortran_is_do(&e->s.items[i], &label); i = kinst_fortran_next(&e->s, i)) {
		const char *p = kinst_fortran_blanks(kinst_fortran_unnamed(e->s.items[i].text) + 2), *end;

		p = kinst_fortran_blanks(p + strspn(p, "0123456789"));
		p = kinst_fortran_blanks(*p == ',' ? p + 1 : p);
		for (end = p; isalnum((unsigned char)*end) || *end == '_'; end++)
			;
		if (*kinst_fortran_blanks(end) == '=')
			kinst_directive_share_counter(&s->d, p, (size_t)(end - p), inner, outer);
	}
}

static void emit_parallel(struct emitter *e, struct kinst_fortran_extent *s)
{
	enum kinst_leaf second = s->d.n_leaves > 1 ? s->d.leaves[1] : KINST_OMP_OTHER;
	const char *type = second == KINST_OMP_FOR ? "paralleldo" : second == KINST_OMP_SECTIONS ? "parallelsections" :
			   second == KINST_OMP_WORKSHARE ? "parallelworkshare" : "parallel";
	struct kinst_text outer = { 0 }, inner = { 0 }, line = { 0 };
	const struct kinst_clause *threads = kinst_directive_clause(&s->d, "num_threads");
	char *n_threads = threads_of(&s->d);
	struct kinst_fortran_extent half = *s;
	int cancelled = e->cancelled;
	size_t region;

	e->cancelled = kinst_fortran_is_cancelled(&e->s, s, "parallel");
	region = type[8] ? work_region(e, s, type, type + 8) : region_of(e, s, type, "");
	call_before(e, s->first, *n_threads ? "fork_n" : "fork", region, n_threads);
	kinst_directive_split(&s->d, &outer, &inner);
	share_counters(e, s, &inner, &outer);
	kinst_text_printf(&line, "parallel%s", outer.data ? outer.data : "");
	if (threads)
		kinst_text_printf(&line, " %.*s", (int)threads->n_text, threads->text);
	if (s->d.n_leaves == 1) {
		call_behind(e, s->first, "run", region);
		walk_body(e, s, NULL);
	} else {
		const char *rest = s->d.name;
		char *name;

		while (isalpha((unsigned char)*rest))
			rest++;
		if ((size_t)(rest - s->d.name) > 8)     /* paralleldo */
			rest = s->d.name + 8;
		rest = kinst_fortran_blanks(rest);
		name = kinst_strndup(rest, (size_t)(s->d.name + s->d.n_name - rest));
		drop(e, s->first);
		open_before(e, s->first);
		put_directive(e, line.data);
		put_call(e, "run", region, "");
		line.length = 0;
		kinst_text_printf(&line, "%s%s", name, inner.data ? inner.data : "");
		kinst_directive_read(&half.d, line.data, line.length, 1);
		if (second == KINST_OMP_FOR || second == KINST_OMP_WORKSHARE)
			put_call(e, "for_enter", region, "");
		else if (second == KINST_OMP_SECTIONS)
			put_call(e, "sections_enter", region, "");
		put_directive(e, line.data);
		resume(e, s->first, 1);
		if (second == KINST_OMP_FOR)
			emit_do(e, &half, region + 1);
		else if (second == KINST_OMP_SECTIONS)
			emit_sections(e, &half, region + 1);
		else if (second == KINST_OMP_WORKSHARE)
			emit_work(e, &half, "workshare", region + 1);
		else {                          /* master, loop …: a part of the region's body */
			walk_body(e, &half, no_calls_if(kinst_directive_has(&half.d, KINST_OMP_SIMD)));
			if (half.end != KINST_NOWHERE)
				drop(e, half.end);
			open_behind(e, half.last);
			kinst_text_free(&line);
			kinst_text_printf(&line, "end %s", name);
			put_directive(e, line.data);
		}
		free(name);
		kinst_directive_free(&half.d);
	}
	if (s->d.n_leaves == 1 && s->end != KINST_NOWHERE)
		drop(e, s->end);
	open_behind(e, s->last);
	put_call(e, "wait", region, "");
	put_directive(e, "barrier");
	put_call(e, "waited", region, "");
	put_call(e, "ran", region, "");
	put_directive(e, "end parallel");
	put_call(e, "join", region, "");
	resume(e, s->last, 1);
	e->cancelled = cancelled;
	free(n_threads);
	kinst_text_free(&outer);
	kinst_text_free(&inner);
	kinst_text_free(&line);
}

static void emit_construct(struct emitter *e, struct kinst_fortran_extent *s)
{
	int untied = kinst_directive_clause(&s->d, "untied") != NULL;
	int has_simd = kinst_directive_has(&s->d, KINST_OMP_SIMD);
	size_t region;

	switch (s->d.leaves[0]) {
	case KINST_OMP_PARALLEL:
		emit_parallel(e, s);
		break;
	case KINST_OMP_FOR:
		emit_do(e, s, 0);
		break;
	case KINST_OMP_SECTIONS:
		emit_sections(e, s, 0);
		break;
	case KINST_OMP_SINGLE:
		emit_single(e, s);
		break;
	case KINST_OMP_WORKSHARE:
		emit_work(e, s, "workshare", 0);
		break;
	case KINST_OMP_SCOPE:
		emit_work(e, s, "scope", 0);
		break;
	case KINST_OMP_MASTER:
	case KINST_OMP_MASKED:
		if (s->d.n_leaves > 1) {
			emit_around(e, s, "taskloop", "around", "around_end", has_simd);
			break;
		}
		region = region_of(e, s, s->d.leaves[0] == KINST_OMP_MASTER ? "master" : "masked", "");
		emit_body(e, s, region, NULL, "master_begin", "master_end", NULL);
		break;
	case KINST_OMP_CRITICAL:
		emit_critical(e, s);
		break;
	case KINST_OMP_ORDERED:
		if (s->last == s->first)
			emit_around(e, s, "ordered", "around", "around_end", 0);
		else
			emit_body(e, s, region_of(e, s, "ordered", ""), "ordered_enter", "ordered_begin", "ordered_end",
				  "ordered_exit");
		break;
	case KINST_OMP_ATOMIC:
		emit_atomic(e, s);
		break;
	case KINST_OMP_FLUSH:
		emit_around(e, s, "flush", "flush_enter", "flush_exit", 0);
		break;
	case KINST_OMP_BARRIER:
		emit_around(e, s, "barrier", "barrier_enter", "barrier_exit", 0);
		break;
	case KINST_OMP_TASK:
		region = region_of(e, s, "task", untied ? "hasUntied=1*" : "");
		if (untied)
			emit_body(e, s, region, "untied_create", "untied_begin", "untied_end", "untied_created");
		else
			emit_body(e, s, region, "task_create", "task_begin", "task_end", "task_created");
		break;
	case KINST_OMP_CANCEL:
	case KINST_OMP_CANCELLATION_POINT:
		region = region_of(e, s, s->d.leaves[0] == KINST_OMP_CANCEL ? "cancel" : "cancellationpoint", "");
		open_before(e, s->first);
		put_call(e, "flush_enter", region, "");
		put_call(e, "flush_exit", region, "");
		resume(e, s->first, 0);
		break;
	case KINST_OMP_TASKLOOP:
		emit_taskloop(e, s);
		break;
	case KINST_OMP_TARGET:
		emit_around(e, s, "target", "around", "around_end", e->options->device);
		break;
	default:
		emit_around(e, s, kinst_region_type(&s->d), "around", "around_end", has_simd);
		break;
	}
}

static int is_construct(const struct emitter *e, const struct kinst_directive *d)
{
	if (d->is_end || d->leaves[0] == KINST_OMP_OTHER || d->leaves[0] == KINST_OMP_SECTION)
		return 0;
	if (d->leaves[0] == KINST_OMP_SIMD)
		return e->options->simd;
	return d->leaves[0] != KINST_OMP_ORDERED || !kinst_directive_clause(d, "simd");
}

#define NO_TEAM "the parallel region around it is not measured"

/* A construct that gets no calls; inside of it they are put in all the same, unless it is a team. */
static void leave_alone(struct emitter *e, const struct kinst_fortran_extent *s, size_t construct, const char *why,
			const char *inside)
{
	kinst_emitted_give_up(e->emitted, construct, why);
	walk_silently(e, s->first + 1, s->last + 1, s->d.leaves[0] == KINST_OMP_PARALLEL ? inside : NULL);
}

/* A directive that gets no calls; the statement behind what was emitted. */
static size_t pass_over(struct emitter *e, const struct kinst_fortran_extent *s, int is_found)
{
	if (is_construct(e, &s->d)) {
		struct kinst_place place = place_of(e, s->first);

		kinst_emitted_give_up(e->emitted, kinst_emitted_add(e->emitted, &s->d, place, place.last_line),
				      "where it ends is not known");
	} else if (s->d.leaves[0] == KINST_OMP_SIMD && is_found) {
		walk_silently(e, s->first + 1, s->last + 1, NO_CALLS);
		return s->last + 1;
	}
	return s->first + 1;
}

/* Emit what begins at a directive; the statement behind it. */
static size_t emit_directive(struct emitter *e, size_t i)
{
	struct kinst_fortran_extent s = { .first = i };
	size_t construct;
	int known;

	if (!kinst_fortran_read(&e->s, i, &s.d))
		return i + 1;
	if (s.d.is_end) {
		kinst_directive_free(&s.d);
		return i + 1;
	}
	known = kinst_fortran_find(&e->s, &s);
	if (!is_construct(e, &s.d) || !known) {
		i = pass_over(e, &s, known);
		kinst_directive_free(&s.d);
		return i;
	}
	construct = kinst_emitted_add(e->emitted, &s.d, place_of(e, s.first), place_of(e, s.last).last_line);
	if (e->silent) {
		kinst_emitted_give_up(e->emitted, construct, e->silent);
		walk(e, i + 1, s.last + 1);
	} else if (kinst_emit_is_disabled(e->options, &s.d)) {
		leave_alone(e, &s, construct, "--disable", "--disable");
	} else if (kinst_emit_is_given_up(e->options, construct)) {
		leave_alone(e, &s, construct, "it does not compile with calls in it", NO_TEAM);
	} else if (kinst_directive_is_loop(&s.d) && s.end == KINST_NOWHERE && kinst_fortran_shares_end(&e->s, &s)) {
		leave_alone(e, &s, construct, "its loop ends with that of a loop around it", NO_TEAM);
	} else {
		e->depth++;
		emit_construct(e, &s);
		e->depth--;
	}
	i = s.last;
	kinst_directive_free(&s.d);
	return i + 1;
}

/* The user's own directive that statement i is; 0: it is none. */
static int read_pomp(const struct emitter *e, size_t i, struct kinst_pomp *pomp)
{
	const struct kinst_statement *s = &e->s.items[i];

	return s->directive && kinst_pomp_read(pomp, s->directive, strlen(s->directive), s->is_pomp);
}

/* The directive `inst end(name)` behind statement i, or i: there is none. */
static size_t find_user_end(const struct emitter *e, size_t i, const struct kinst_pomp *begin)
{
	struct kinst_pomp end;

	for (size_t k = i + 1; k < e->s.n; k++)
		if (read_pomp(e, k, &end) && end.verb == KINST_POMP_END && end.n_name == begin->n_name &&
		    !strncasecmp(end.name, begin->name, end.n_name))
			return k;
	return i;
}

/* inst begin(x), inst end(x). */
static void user_region(struct emitter *e, size_t i, const struct kinst_pomp *pomp, int is_wanted)
{
	struct kinst_place place = place_of(e, i), last;
	size_t region;

	if (pomp->verb == KINST_POMP_BEGIN) {
		last = place_of(e, find_user_end(e, i, pomp));
		last.first_line = last.last_line;
		region = kinst_region_begin(&e->regions, pomp->name, pomp->n_name, place, last);
		e->regions.items[region].is_called = is_wanted;
		if (is_wanted)
			call_before(e, i, "begin", region, "");
		return;
	}
	region = kinst_region_begun(&e->regions, pomp->name, pomp->n_name, 1);
	if (region == e->regions.n) {
		kinst_pomp_complain_unbegun(&e->regions, pomp, &place, &e->emitted->messages);
		return;
	}
	e->regions.items[region].is_ended = 1;
	if (is_wanted && e->regions.items[region].is_called)
		call_before(e, i, "end", region, "");
}

static void call_pomp(struct emitter *e, size_t i, const char *name, int is_wanted)
{
	if (!is_wanted)
		return;
	open_before(e, i);
	kinst_text_printf(e->out, "      call pomp2_%s()\n", name);
	resume(e, i, 0);
	e->emitted->n_calls++;
}

/* Returns 0 when statement i is none of the user's directives about measuring. */
static int emit_pomp(struct emitter *e, size_t i)
{
	struct kinst_place place = place_of(e, i);
	struct kinst_pomp pomp;
	int is_wanted;

	if (!read_pomp(e, i, &pomp))
		return 0;
	is_wanted = kinst_pomp_meet(e->options->pomp, &pomp, &place);
	if (*pomp.problem)
		kinst_pomp_complain(&e->emitted->messages, &place, pomp.problem);
	switch (e->options->no_pomp ? KINST_POMP_NONE : pomp.verb) {
	case KINST_POMP_INSTRUMENT:
	case KINST_POMP_NOINSTRUMENT:
		e->uninstrumented = pomp.verb == KINST_POMP_NOINSTRUMENT;
		break;
	case KINST_POMP_INIT:
		call_pomp(e, i, "init", is_wanted);
		break;
	case KINST_POMP_FINALIZE:
		call_pomp(e, i, "finalize", is_wanted);
		break;
	case KINST_POMP_ON:
		call_pomp(e, i, "on", is_wanted);
		break;
	case KINST_POMP_OFF:
		call_pomp(e, i, "off", is_wanted);
		break;
	case KINST_POMP_BEGIN:
	case KINST_POMP_END:
	case KINST_POMP_ALTEND:
		user_region(e, i, &pomp, is_wanted);
		break;
	default:                                /* data is rewritten before (data_fortran.h) */
		break;
	}
	if (!e->s.items[i].is_pomp) {           /* gfortran rejects !$omp inst */
		drop(e, i);
		resume(e, i, 1);
	}
	return 1;
}

/* Before a call that makes or sets a lock: where it is, and of which lock. */
static void emit_lock(struct emitter *e, size_t i)
{
	struct kinst_span argument = kinst_lock_fortran(e->s.items[i].text);
	struct kinst_text site = { 0 };

	if (!argument.n || !e->options->locks || e->uninstrumented || e->silent)
		return;
	kinst_region_site(&e->regions, place_of(e, i), argument.p, argument.n, &site);
	open_before(e, i);
	put_call_with(e, "lock", site.data, "");
	resume(e, i, 0);
	kinst_text_free(&site);
}

static void walk(struct emitter *e, size_t from, size_t to)
{
	for (size_t i = from; i < to;) {
		if (e->cycles.n && is_cycle(e, i)) {
			emit_cycle(e, i++);
		} else if (!e->s.items[i].directive) {
			emit_lock(e, i++);
		} else if (emit_pomp(e, i)) {
			i++;
		} else if (e->options->openmp && !e->uninstrumented) {
			i = emit_directive(e, i);
		} else {
			i++;
		}
	}
}

/* IMPLICIT NONE (EXTERNAL) would want each call of ours to be declared: it says nothing that a compiler needs. */
static void allow_external(char *text)
{
	for (char *p = text; *p; p = *p ? p + 1 : p) {
		char *line = p, *end, *word;
		const char *q;

		p = strchrnul(p, '\n');
		q = kinst_eat(line, "implicit");
		q = q ? kinst_eat(q, "none") : NULL;
		if (!q || *kinst_fortran_blanks(q) != '(')
			continue;
		end = memchr(line, ')', (size_t)(p - line));
		word = strcasestr(line, "external");
		if (!end || !word || word > end)
			continue;
		if (strcasestr(line, "type") && strcasestr(line, "type") < end)
			memset(strchr(line, '('), ' ', (size_t)(end + 1 - strchr(line, '(')));
		else
			memset(line, ' ', (size_t)(end + 1 - line));
	}
}

/* With OpenMP a line whose sentinel is !$ alone is a line of the program. */
static void uncover(char *text, int fixed)
{
	for (char *p = text; *p; p = *p ? p + 1 : p) {
		char *line = p, *q = p;

		p = strchrnul(p, '\n');
		if (!fixed)
			while (isblank((unsigned char)*q))
				q++;
		if (!(*q == '!' || (fixed && q == line && *q && strchr("cC*", *q))) || q[1] != '$')
			continue;
		if (fixed ? strspn(q + 2, " 0123456789") >= 3 || q[2] == '\t' : isblank((unsigned char)q[2]))
			q[0] = q[1] = ' ';
	}
}

int kinst_emit_fortran(const char *text, size_t length, int fixed, const char *file,
		       const struct kinst_emit_options *options, struct kinst_emitted *emitted)
{
	struct emitter e = { .options = options, .emitted = emitted, .regions.directory = options->directory,
			     .lowest_label = LABELS };
	char *copy = kinst_strndup(text, length), *parted;

	*emitted = (struct kinst_emitted){ 0 };
	e.out = &emitted->text;
	if (options->openmp)
		uncover(copy, fixed);
	allow_external(copy);
	if (*copy != '#')
		kinst_text_printf(e.out, "# 1 \"%s\"\n", file);
	for (;;) {
		kinst_statements_read(&e.s, copy, strlen(copy), fixed, file);
		kinst_fortran_mark_loops(&e.s);
		parted = options->openmp ? kinst_shared_end_part(&e.s) : NULL;
		if (!parted)
			break;
		emitted->is_quieter = 1;        /* gfortran warns of shared labels */
		kinst_statements_free(&e.s);
		free(copy);
		copy = parted;
	}
	walk(&e, 0, e.s.n);
	copy_to(&e, e.s.n_lines);
	kinst_pomp_complain_unended(&e.regions, &emitted->messages);
	kinst_regions_free(&e.regions);
	kinst_statements_free(&e.s);
	free(copy);
	return 0;
}
