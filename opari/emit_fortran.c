/*
 * Emit, in Fortran: see emit_fortran.h.
 *
 * One walk over the statements.  All lines before e->at are copied; a construct is emitted as a whole, with the walk
 * going on inside, and then the walk continues behind it.
 */
#include "opari/emit_fortran.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/directive.h"
#include "opari/emit_region.h"
#include "opari/statements.h"

enum { FIXED_COLUMNS = 66, FREE_COLUMNS = 100, DEEPEST = 100 };

#define NOWHERE SIZE_MAX

struct emitter {
	const struct kinst_emit_options *options;
	struct kinst_statements s;
	struct kinst_emitted *emitted;
	struct kinst_text *out;
	struct kinst_regions regions;
	size_t at;                      /* lines before are copied */
	size_t depth;
	int silent, cancelled, uninstrumented;
};

/* A construct: statements first (its directive) to last; body: between; end: its end directive, or NOWHERE. */
struct site {
	struct kinst_directive d;
	size_t first, last, end;
	size_t construct;
};

static void walk(struct emitter *e, size_t from, size_t to);

/* ---- writing ---- */

static void copy_to(struct emitter *e, size_t line)
{
	for (; e->at < line; e->at++) {
		kinst_text_add(e->out, e->s.lines[e->at].p, e->s.lines[e->at].n);
		kinst_text_puts(e->out, "\n");
	}
}

static void put_marker(struct emitter *e, unsigned long line, struct kinst_span file)
{
	kinst_text_printf(e->out, "# %lu \"%.*s\"\n", line, (int)file.n, file.p);
}

/* A statement or directive in lines that are not too long.  `head`, `more`: what a first and a further line begin with. */
static void put_long(struct emitter *e, const char *head, const char *more, const char *text)
{
	size_t columns = e->s.fixed ? FIXED_COLUMNS : FREE_COLUMNS, n = strlen(text);

	kinst_text_puts(e->out, head);
	while (n > columns) {
		kinst_text_add(e->out, text, columns);
		text += columns;
		n -= columns;
		kinst_text_puts(e->out, e->s.fixed ? "\n" : "&\n");
		kinst_text_puts(e->out, more);
	}
	kinst_text_puts(e->out, text);
	kinst_text_puts(e->out, "\n");
}

static void put_directive(struct emitter *e, const char *text)
{
	put_long(e, "!$omp ", "!$omp&", text);
}

/* call ompp_f_NAME('context'[, more]) */
static void put_call(struct emitter *e, const char *name, size_t region, const char *more)
{
	struct kinst_text text = { 0 };

	kinst_text_printf(&text, "call ompp_f_%s('", name);
	for (const char *p = e->regions.items[region].ctc; *p; p++)
		kinst_text_add(&text, *p == '\'' ? "''" : p, *p == '\'' ? 2 : 1);
	kinst_text_printf(&text, "'%s)", more);
	put_long(e, "      ", e->s.fixed ? "     &" : "      &", text.data);
	kinst_text_free(&text);
	e->emitted->n_calls++;
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

/* ---- loops ---- */

static const char *skip_blanks(const char *p)
{
	while (isblank((unsigned char)*p))
		p++;
	return p;
}

static const char *behind_name(const char *text)
{
	const char *p = text;

	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	p = skip_blanks(p);
	return p > text && *p == ':' && p[1] != ':' ? skip_blanks(p + 1) : text;
}

/* x = a, b: with a comma outside of brackets behind an equals sign. */
static int counts(const char *p)
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

/* Is the statement a DO?  *label: of its last statement, or 0. */
static int is_do(const struct kinst_statement *s, unsigned long *label)
{
	const char *p = behind_name(s->text);
	char *after;

	*label = 0;
	if (strncasecmp(p, "do", 2))
		return 0;
	p += 2;
	if (*p && !isblank((unsigned char)*p) && !isdigit((unsigned char)*p) && !counts(p))
		return 0;
	p = skip_blanks(p);
	if (!*p)
		return 1;
	if (isdigit((unsigned char)*p)) {
		*label = strtoul(p, &after, 10);
		p = skip_blanks(after);
	}
	p = skip_blanks(*p == ',' ? p + 1 : p);
	return !*p || kinst_eat(p, "while") || kinst_eat(p, "concurrent") || (isalpha((unsigned char)*p) && counts(p));
}

static int is_end_do(const struct kinst_statement *s)
{
	const char *end = kinst_eat(s->text, "end");

	return kinst_eat(s->text, "enddo") || (end && kinst_eat(end, "do"));
}

static unsigned long label_of(const struct emitter *e, size_t i)
{
	const char *p = e->s.lines[e->s.items[i].first].p;

	return e->s.items[i].n_label ? strtoul(skip_blanks(p), NULL, 10) : 0;
}

/* The last statement of the DO at i; NOWHERE: not found. */
static size_t do_end(const struct emitter *e, size_t i)
{
	unsigned long label, inner;
	size_t depth = 0;

	is_do(&e->s.items[i], &label);
	for (size_t k = i + 1; k < e->s.n && !kinst_ends_unit(e->s.items[k].text); k++) {
		if (label && label_of(e, k) == label)
			return k;
		if (label)
			continue;
		if (is_do(&e->s.items[k], &inner)) {
			if (inner) {
				k = do_end(e, k);
				if (k == NOWHERE)
					return k;
			} else {
				depth++;
			}
		} else if (is_end_do(&e->s.items[k]) && !depth--) {
			return k;
		}
	}
	return NOWHERE;
}

/* The next statement that is none of comments, blank lines and markers; e->s.n: there is none. */
static size_t next_statement(const struct emitter *e, size_t i)
{
	for (i++; i < e->s.n && !*e->s.items[i].text && !e->s.items[i].directive; i++)
		;
	return i;
}

/* Does a DO around the one at `first` end with the same statement? */
static int shares_end(const struct emitter *e, size_t first, size_t last)
{
	unsigned long label;

	for (size_t i = first; i-- > 0 && e->s.items[i].unit == e->s.items[first].unit;)
		if (is_do(&e->s.items[i], &label) && label && do_end(e, i) == last)
			return 1;
	return 0;
}

/* ---- extents ---- */

static int read_directive(const struct emitter *e, size_t i, struct kinst_directive *d)
{
	const struct kinst_statement *s = &e->s.items[i];

	return s->directive && !s->is_pomp && !kinst_directive_read(d, s->directive, strlen(s->directive), 1);
}

static int same_name(const struct kinst_directive *a, const struct kinst_directive *b)
{
	if (a->n_leaves != b->n_leaves || a->leaves[0] == KINST_OMP_OTHER)
		return 0;
	return !memcmp(a->leaves, b->leaves, a->n_leaves * sizeof(*a->leaves));
}

/* Is statement i the end directive of d? */
static int ends(const struct emitter *e, size_t i, const struct kinst_directive *d)
{
	struct kinst_directive found;
	int is;

	if (i >= e->s.n || !read_directive(e, i, &found))
		return 0;
	is = found.is_end && same_name(&found, d);
	kinst_directive_free(&found);
	return is;
}

static int find_extent(const struct emitter *e, size_t i, const struct kinst_directive *d, struct site *site, size_t depth);

/* The end directive of d behind statement i, constructs between passed over. */
static size_t find_end(const struct emitter *e, size_t i, const struct kinst_directive *d, size_t depth)
{
	for (; i < e->s.n && !kinst_ends_unit(e->s.items[i].text); i++) {
		struct kinst_directive inner;
		struct site site;
		int bad;

		if (!read_directive(e, i, &inner))
			continue;
		if (inner.is_end) {
			bad = !same_name(&inner, d);
			kinst_directive_free(&inner);
			return bad ? NOWHERE : i;
		}
		bad = inner.leaves[0] != KINST_OMP_SECTION && find_extent(e, i, &inner, &site, depth + 1);
		if (!bad && inner.leaves[0] != KINST_OMP_SECTION)
			i = site.last;
		kinst_directive_free(&inner);
		if (bad)
			return NOWHERE;
	}
	return NOWHERE;
}

static int is_capture(const struct kinst_directive *d)
{
	return kinst_directive_clause(d, "capture") || kinst_directive_clause(d, "compare");
}

/* `block` … `end block`: its end, when the directive has no other. */
static size_t block_end(const struct emitter *e, size_t i)
{
	size_t depth = 0;

	for (size_t k = i + 1; k < e->s.n && !kinst_ends_unit(e->s.items[k].text); k++) {
		const char *text = behind_name(e->s.items[k].text), *end = kinst_eat(text, "end");

		if (kinst_eat(text, "block") && !*skip_blanks(kinst_eat(text, "block")))
			depth++;
		else if ((kinst_eat(text, "endblock") || (end && kinst_eat(end, "block"))) && !depth--)
			return k;
	}
	return NOWHERE;
}

static int find_extent(const struct emitter *e, size_t i, const struct kinst_directive *d, struct site *site, size_t depth)
{
	size_t next = next_statement(e, i), after;
	unsigned long label;
	const char *text;

	site->first = site->last = i;
	site->end = NOWHERE;
	if (depth > DEEPEST)
		return -1;
	if (kinst_directive_is_alone(d))
		return 0;
	if (next >= e->s.n)
		return -1;
	if (kinst_directive_is_loop(d)) {
		while (next < e->s.n && e->s.items[next].directive)     /* tile, unroll */
			next = next_statement(e, next);
		if (next >= e->s.n || !is_do(&e->s.items[next], &label))
			return -1;
		site->last = do_end(e, next);
		if (site->last == NOWHERE)
			return -1;
		after = next_statement(e, site->last);
		if (ends(e, after, d))
			site->last = site->end = after;
		return 0;
	}
	if (d->leaves[0] == KINST_OMP_ATOMIC && !is_capture(d)) {
		site->last = next;
		after = next_statement(e, next);
		if (ends(e, after, d))
			site->last = site->end = after;
		return 0;
	}
	text = behind_name(e->s.items[next].text);
	if (kinst_eat(text, "block") && !*skip_blanks(kinst_eat(text, "block"))) {
		site->last = block_end(e, next);
		if (site->last == NOWHERE)
			return -1;
		after = next_statement(e, site->last);
		if (ends(e, after, d)) {
			site->last = site->end = after;
			return 0;
		}
		after = find_end(e, next, d, depth);
		if (after != NOWHERE)
			site->last = site->end = after;
		return 0;
	}
	site->last = site->end = find_end(e, next, d, depth);
	return site->end == NOWHERE ? -1 : 0;
}

/* ---- constructs ---- */

static struct kinst_place place_of(const struct emitter *e, size_t i)
{
	const struct kinst_statement *s = &e->s.items[i];

	return (struct kinst_place){ s->file.p, s->file.n, (uint32_t)s->line, (uint32_t)(s->line + s->last - s->first) };
}

static size_t region_of(struct emitter *e, const struct site *s, const char *type, const char *attribute)
{
	struct kinst_place last = place_of(e, s->last);

	last.first_line = last.last_line;
	return kinst_region_new(&e->regions, type, place_of(e, s->first), last, attribute);
}

/* Where the body ends: before the end directive, or behind the last statement. */
static void put_end_calls(struct emitter *e, const struct site *s, const char *name, size_t region)
{
	if (s->end != NOWHERE)
		call_before(e, s->end, name, region, "");
	else
		call_behind(e, s->last, name, region);
}

static void walk_body(struct emitter *e, const struct site *s)
{
	walk(e, s->first + 1, s->end != NOWHERE ? s->end : s->last + 1);
}

static int is_cancelled(const struct emitter *e, const struct site *s, const char *word)
{
	for (size_t i = s->first; i <= s->last; i++) {
		struct kinst_directive d;
		int found;

		if (!read_directive(e, i, &d))
			continue;
		found = d.leaves[0] == KINST_OMP_CANCEL && kinst_directive_clause(&d, word);
		kinst_directive_free(&d);
		if (found)
			return 1;
	}
	return 0;
}

static int end_has(const struct emitter *e, const struct site *s, const char *clause)
{
	struct kinst_directive d;
	int found;

	if (s->end == NOWHERE || !read_directive(e, s->end, &d))
		return 0;
	found = kinst_directive_clause(&d, clause) != NULL;
	kinst_directive_free(&d);
	return found;
}

static int keeps_barrier(const struct emitter *e, const struct site *s, const char *cancel)
{
	return e->cancelled || kinst_directive_clause(&s->d, "copyprivate") || end_has(e, s, "copyprivate") ||
	       is_cancelled(e, s, cancel) || kinst_directive_reduces_tasks(&s->d);
}

/* The end of a worksharing construct: its own barrier goes, and ours comes. */
static void close_work(struct emitter *e, const struct site *s, const char *name, size_t region, int combined,
		       const char *exit, const char *cancel)
{
	int nowait = kinst_directive_clause(&s->d, "nowait") || end_has(e, s, "nowait");
	int replace = !nowait && !keeps_barrier(e, s, cancel) && !kinst_directive_clause(&s->d, "nowait");
	char *end;

	if (s->end != NOWHERE && (replace || combined))
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
static void emit_do(struct emitter *e, struct site *s, size_t combined)
{
	size_t region = combined ? combined - 1 : region_of(e, s, "do", "");
	char *name = name_of(&s->d);

	if (!combined)
		call_before(e, s->first, "for_enter", region, "");
	e->silent += kinst_directive_has(&s->d, KINST_OMP_SIMD);
	walk_body(e, s);
	e->silent -= kinst_directive_has(&s->d, KINST_OMP_SIMD);
	close_work(e, s, name, region, combined > 0, "for_exit", "do");
	free(name);
}

static size_t next_section(const struct emitter *e, size_t i, size_t end)
{
	for (; i < end; i++) {
		struct kinst_directive d;
		struct site inner;
		enum kinst_leaf leaf;
		int found;

		if (!read_directive(e, i, &d))
			continue;
		leaf = d.leaves[0];
		found = leaf != KINST_OMP_SECTION && !find_extent(e, i, &d, &inner, 0);
		kinst_directive_free(&d);
		if (leaf == KINST_OMP_SECTION)
			return i;
		if (found)
			i = inner.last;
	}
	return end;
}

static void emit_sections(struct emitter *e, struct site *s, size_t combined)
{
	size_t region = combined ? combined - 1 : region_of(e, s, "sections", "");
	size_t i = next_statement(e, s->first), next;
	char *name = name_of(&s->d);

	if (!combined)
		call_before(e, s->first, "sections_enter", region, "");
	next = next_section(e, i, s->end);
	if (next > i) {
		open_before(e, i);
		put_directive(e, "section");
		put_call(e, "section_begin", region, "");
		resume(e, i, 0);
		walk(e, i, next);
		call_before(e, next, "section_end", region, "");
	}
	for (i = next; i < s->end; i = next) {
		next = next_section(e, i + 1, s->end);
		call_behind(e, i, "section_begin", region);
		walk(e, i + 1, next);
		call_before(e, next, "section_end", region, "");
	}
	close_work(e, s, name, region, combined > 0, "sections_exit", "sections");
	free(name);
}

static void emit_single(struct emitter *e, struct site *s)
{
	size_t region = region_of(e, s, "single", "");

	call_before(e, s->first, "single_enter", region, "");
	call_behind(e, s->first, "single_begin", region);
	walk_body(e, s);
	put_end_calls(e, s, "single_end", region);
	close_work(e, s, "single", region, 0, "single_exit", "");
}

/* workshare, scope. */
static void emit_work(struct emitter *e, struct site *s, const char *type, size_t combined)
{
	size_t region = combined ? combined - 1 : region_of(e, s, type, "");

	if (!combined)
		call_before(e, s->first, "for_enter", region, "");
	e->silent += s->d.leaves[0] == KINST_OMP_WORKSHARE;
	walk_body(e, s);
	e->silent -= s->d.leaves[0] == KINST_OMP_WORKSHARE;
	close_work(e, s, type, region, combined > 0, "for_exit", "");
}

/* Calls at the begin and end of a body, and perhaps around the whole. */
static void emit_body(struct emitter *e, struct site *s, size_t region, const char *enter, const char *begin,
		      const char *end, const char *exit)
{
	if (enter)
		call_before(e, s->first, enter, region, "");
	call_behind(e, s->first, begin, region);
	walk_body(e, s);
	put_end_calls(e, s, end, region);
	if (exit)
		call_behind(e, s->last, exit, region);
}

static void emit_critical(struct emitter *e, struct site *s)
{
	char *attribute = s->d.arg.args ? kinst_format("criticalName=%.*s*", (int)s->d.arg.n_args, s->d.arg.args) : NULL;
	size_t region = region_of(e, s, "critical", attribute ? attribute : "");

	free(attribute);
	emit_body(e, s, region, "critical_enter", "critical_begin", "critical_end", "critical_exit");
}

/* A region around the whole. */
static void emit_around(struct emitter *e, struct site *s, const char *type, const char *enter, const char *exit, int silent)
{
	size_t region = region_of(e, s, type, "");

	call_before(e, s->first, enter, region, "");
	e->silent += silent;
	if (s->last != s->first)
		walk_body(e, s);
	e->silent -= silent;
	call_behind(e, s->last, exit, region);
}

static void emit_construct(struct emitter *e, struct site *s);

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
static void share_counters(const struct emitter *e, const struct site *s, const struct kinst_text *inner,
			   struct kinst_text *outer)
{
	size_t n = kinst_directive_n_loops(&s->d), i = next_statement(e, s->first);
	unsigned long label;

	for (; n-- && i < e->s.n && is_do(&e->s.items[i], &label); i = next_statement(e, i)) {
		const char *p = skip_blanks(behind_name(e->s.items[i].text) + 2), *end;

		p = skip_blanks(p + strspn(p, "0123456789"));
		p = skip_blanks(*p == ',' ? p + 1 : p);
		for (end = p; isalnum((unsigned char)*end) || *end == '_'; end++)
			;
		if (*skip_blanks(end) == '=')
			kinst_directive_share_counter(&s->d, p, (size_t)(end - p), inner, outer);
	}
}

static void emit_parallel(struct emitter *e, struct site *s)
{
	enum kinst_leaf second = s->d.n_leaves > 1 ? s->d.leaves[1] : KINST_OMP_OTHER;
	const char *type = second == KINST_OMP_FOR ? "paralleldo" : second == KINST_OMP_SECTIONS ? "parallelsections" :
			   second == KINST_OMP_WORKSHARE ? "parallelworkshare" : "parallel";
	struct kinst_text outer = { 0 }, inner = { 0 }, line = { 0 };
	const struct kinst_clause *threads = kinst_directive_clause(&s->d, "num_threads");
	size_t region = region_of(e, s, type, "");
	char *n_threads = threads_of(&s->d);
	struct site half = *s;
	int cancelled = e->cancelled;

	e->cancelled = is_cancelled(e, s, "parallel");
	call_before(e, s->first, *n_threads ? "fork_n" : "fork", region, n_threads);
	kinst_directive_split(&s->d, &outer, &inner);
	share_counters(e, s, &inner, &outer);
	kinst_text_printf(&line, "parallel%s", outer.data ? outer.data : "");
	if (threads)
		kinst_text_printf(&line, " %.*s", (int)threads->n_text, threads->text);
	if (s->d.n_leaves == 1) {
		call_behind(e, s->first, "run", region);
		walk_body(e, s);
	} else {
		const char *rest = s->d.name;
		char *name;

		while (isalpha((unsigned char)*rest))
			rest++;
		if ((size_t)(rest - s->d.name) > 8)     /* paralleldo */
			rest = s->d.name + 8;
		rest = skip_blanks(rest);
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
			e->silent += kinst_directive_has(&half.d, KINST_OMP_SIMD);
			walk_body(e, &half);
			e->silent -= kinst_directive_has(&half.d, KINST_OMP_SIMD);
			if (half.end != NOWHERE)
				drop(e, half.end);
			open_behind(e, half.last);
			kinst_text_free(&line);
			kinst_text_printf(&line, "end %s", name);
			put_directive(e, line.data);
		}
		free(name);
		kinst_directive_free(&half.d);
	}
	if (s->d.n_leaves == 1 && s->end != NOWHERE)
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

static void emit_construct(struct emitter *e, struct site *s)
{
	int untied = kinst_directive_clause(&s->d, "untied") != NULL;
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
			emit_around(e, s, "taskloop", "around", "around_end", kinst_directive_has(&s->d, KINST_OMP_SIMD));
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
		emit_around(e, s, "atomic", "atomic_enter", "atomic_exit", 1);
		break;
	case KINST_OMP_FLUSH:
		emit_around(e, s, "flush", "flush_enter", "flush_exit", 0);
		break;
	case KINST_OMP_BARRIER:
		emit_around(e, s, "barrier", "barrier_enter", "barrier_exit", 0);
		break;
	case KINST_OMP_TASK:
		region = region_of(e, s, "task", untied ? "hasUntied=1*" : "");
		emit_body(e, s, region, untied ? "untied_create" : "task_create", untied ? "untied_begin" : "task_begin",
			  untied ? "untied_end" : "task_end", untied ? "untied_created" : "task_created");
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
		emit_around(e, s, "taskloop", "around", "around_end", kinst_directive_has(&s->d, KINST_OMP_SIMD));
		break;
	case KINST_OMP_TARGET:
		e->silent += e->options->device;
		emit_around(e, s, "target", "around", "around_end", 0);
		e->silent -= e->options->device;
		break;
	default:
		emit_around(e, s, kinst_region_type(&s->d), "around", "around_end", kinst_directive_has(&s->d, KINST_OMP_SIMD));
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

/* Emit what begins at a directive; the statement behind it. */
static size_t emit_directive(struct emitter *e, size_t i)
{
	struct site s;
	int known;

	if (!read_directive(e, i, &s.d))
		return i + 1;
	if (s.d.is_end) {
		kinst_directive_free(&s.d);
		return i + 1;
	}
	known = !find_extent(e, i, &s.d, &s, 0);
	if (!is_construct(e, &s.d) || !known) {
		if (s.d.leaves[0] == KINST_OMP_SIMD && known) {
			e->silent++;
			walk(e, i + 1, s.last + 1);
			e->silent--;
			i = s.last;
		}
		kinst_directive_free(&s.d);
		return i + 1;
	}
	s.construct = kinst_emitted_add(e->emitted, &s.d, place_of(e, s.first), place_of(e, s.last).last_line);
	if (e->silent) {
		kinst_emitted_give_up(e->emitted, s.construct, 
				      "nothing can be called inside of a simd loop, an atomic, a workshare or code "
				      "for a device");
		walk(e, i + 1, s.last + 1);
	} else if (kinst_emit_is_disabled(e->options, &s.d)) {
		kinst_emitted_give_up(e->emitted, s.construct, "--disable");
		e->silent += s.d.leaves[0] == KINST_OMP_PARALLEL;
		walk(e, i + 1, s.last + 1);
		e->silent -= s.d.leaves[0] == KINST_OMP_PARALLEL;
	} else if (kinst_emit_is_given_up(e->options, s.construct)) {
		kinst_emitted_give_up(e->emitted, s.construct, "it does not compile with calls in it");
		e->silent += s.d.leaves[0] == KINST_OMP_PARALLEL;
		walk(e, i + 1, s.last + 1);
		e->silent -= s.d.leaves[0] == KINST_OMP_PARALLEL;
	} else if (kinst_directive_is_loop(&s.d) && s.end == NOWHERE && shares_end(e, s.first, s.last)) {
		kinst_emitted_give_up(e->emitted, s.construct, "its loop ends with that of a loop around it");
		e->silent += s.d.leaves[0] == KINST_OMP_PARALLEL;
		walk(e, i + 1, s.last + 1);
		e->silent -= s.d.leaves[0] == KINST_OMP_PARALLEL;
	} else {
		e->depth++;
		emit_construct(e, &s);
		e->depth--;
	}
	i = s.last;
	kinst_directive_free(&s.d);
	return i + 1;
}

/* The directive `inst end(name)` behind statement i, or i: there is none. */
static size_t find_user_end(const struct emitter *e, size_t i, const char *name, size_t n)
{
	for (size_t k = i + 1; k < e->s.n; k++) {
		const char *p = e->s.items[k].directive ? kinst_eat(e->s.items[k].directive, "inst") : NULL, *found = NULL;
		size_t n_found;

		if (p && !strncasecmp(skip_blanks(p), "end", 3))
			found = kinst_emit_user_name(p, &n_found);
		if (found && n_found == n && !strncasecmp(found, name, n))
			return k;
	}
	return i;
}

/* inst begin(x), inst end(x), inst on …; noinstrument. */
static void emit_pomp(struct emitter *e, size_t i)
{
	const char *p = skip_blanks(e->s.items[i].directive), *name;
	size_t n, region;

	if (!strncasecmp(p, "noinstrument", 12) || !strncasecmp(p, "instrument", 10)) {
		e->uninstrumented = tolower((unsigned char)*p) == 'n';
		return;
	}
	p = kinst_eat(p, "inst");
	if (!p)
		return;
	p = skip_blanks(p);
	for (size_t word = 0; word < 4; word++) {
		static const char *const words[] = { "init", "finalize", "on", "off" };

		if (!kinst_eat(p, words[word]))
			continue;
		open_before(e, i);
		kinst_text_printf(e->out, "      call pomp2_%s()\n", words[word]);
		resume(e, i, 0);
		e->emitted->n_calls++;
		return;
	}
	name = kinst_emit_user_name(p, &n);
	if (!name)
		return;
	if (!strncasecmp(p, "begin", 5)) {
		struct kinst_place last = place_of(e, find_user_end(e, i, name, n));

		last.first_line = last.last_line;
		region = kinst_region_begin(&e->regions, name, n, place_of(e, i), last);
		call_before(e, i, "begin", region, "");
		return;
	}
	region = kinst_region_begun(&e->regions, name, n, 1);
	if (region < e->regions.n)
		call_before(e, i, "end", region, "");
}

static void walk(struct emitter *e, size_t from, size_t to)
{
	for (size_t i = from; i < to;) {
		const struct kinst_statement *s = &e->s.items[i];

		if (!s->directive) {
			i++;
		} else if (s->is_pomp || !strncasecmp(skip_blanks(s->directive), "inst ", 5)) {
			emit_pomp(e, i++);
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
		if (!q || *skip_blanks(q) != '(')
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
	struct emitter e = { .options = options, .emitted = emitted, .regions.directory = options->directory };
	char *copy = kinst_strndup(text, length);

	*emitted = (struct kinst_emitted){ 0 };
	e.out = &emitted->text;
	if (options->openmp)
		uncover(copy, fixed);
	allow_external(copy);
	if (*copy != '#')
		kinst_text_printf(e.out, "# 1 \"%s\"\n", file);
	kinst_statements_read(&e.s, copy, strlen(copy), fixed, file);
	walk(&e, 0, e.s.n);
	copy_to(&e, e.s.n_lines);
	kinst_regions_free(&e.regions);
	kinst_statements_free(&e.s);
	free(copy);
	return 0;
}
