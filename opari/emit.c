/*
 * Emit: see emit.h.
 *
 * One walk over the tokens.  At a pragma, what comes before it has been copied; its construct is emitted as a whole,
 * with the walk going on inside of its statement, and then the walk continues behind it.
 */
#include "opari/emit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opari/attributes.h"
#include "opari/braces.h"
#include "opari/data.h"
#include "opari/directive.h"
#include "opari/emit_region.h"
#include "opari/lock_calls.h"
#include "opari/prologue.h"

enum { DEEPEST = 200 };

struct emitter {
	const struct kinst_emit_options *options;
	struct kinst_tokens tokens;
	struct kinst_emitted *emitted;
	struct kinst_text *out;
	struct kinst_regions regions;
	size_t at;                      /* all bytes before are copied */
	uint32_t next;                  /* the first token at or behind `at` */
	size_t depth;
	int is_ours;                    /* what was written last is ours: the text goes on with a marker of … */
	uint32_t marker, line;
	int silent;                     /* > 0: inside something in which nothing may be called */
	int cancelled;                  /* in a parallel region with `cancel parallel`: only barriers that compilers know
					   to belong to a construct let the other threads go */
	int uninstrumented;             /* between `pomp noinstrument` and `instrument` */
};

/* A construct while it is emitted: its pragma and its statement.  STANDS ALONE: last is the pragma. */
struct site {
	struct kinst_directive d;
	uint32_t pragma, first, last;
	size_t construct;
};

static void walk(struct emitter *e, uint32_t from, uint32_t to);

/* ---- copying and putting in ---- */

static size_t token_end(const struct emitter *e, uint32_t i)
{
	return e->tokens.tokens[i].at + e->tokens.tokens[i].length;
}

static uint32_t last_line(const struct emitter *e, uint32_t i)
{
	const struct kinst_token *t = e->tokens.tokens + i;
	uint32_t line = t->line;

	for (uint32_t k = 0; k < t->length; k++)
		line += e->tokens.text[t->at + k] == '\n';
	return line;
}

/* Copy up to byte `end`, lock calls rewritten. */
static void copy_to(struct emitter *e, size_t end)
{
	const struct kinst_tokens *tokens = &e->tokens;

	if (e->is_ours && e->at < end)
		kinst_lexer_put_marker(tokens, e->marker, e->line, 0, e->out);
	e->is_ours &= e->at >= end;
	for (; e->next < tokens->n_tokens && tokens->tokens[e->next].at < end; e->next++) {
		const char *call = e->options->locks ? kinst_lock_call(tokens, e->next) : NULL;
		const struct kinst_token *token = tokens->tokens + e->next;

		if (!call || token->at < e->at)
			continue;
		kinst_text_add(e->out, tokens->text + e->at, token->at - e->at);
		kinst_text_puts(e->out, call);
		e->at = token->at + token->length;
		e->emitted->n_calls++;
	}
	if (e->at < end)
		kinst_text_add(e->out, tokens->text + e->at, end - e->at);
	e->at = end > e->at ? end : e->at;
}

static void new_line(struct emitter *e)
{
	if (e->out->length && e->out->data[e->out->length - 1] != '\n')
		kinst_text_puts(e->out, "\n");
}

/* Put lines of ours in, which stand at a line of the text, and go on there. */
static void put(struct emitter *e, uint32_t marker, uint32_t line, const char *lines)
{
	const char *eol;

	new_line(e);
	for (; *lines; lines = *eol ? eol + 1 : eol) {
		eol = strchrnul(lines, '\n');
		kinst_lexer_put_marker(&e->tokens, marker, line, 1, e->out);
		kinst_text_add(e->out, lines, (size_t)(eol - lines));
		kinst_text_puts(e->out, "\n");
	}
	e->is_ours = 1;
	e->marker = marker;
	e->line = line;
	e->emitted->n_calls++;
}

static void put_before(struct emitter *e, uint32_t token, const char *lines)
{
	copy_to(e, e->tokens.tokens[token].at);
	put(e, e->tokens.tokens[token].marker, e->tokens.tokens[token].line, lines);
}

static void put_behind(struct emitter *e, uint32_t token, const char *lines)
{
	copy_to(e, token_end(e, token));
	put(e, e->tokens.tokens[token].marker, last_line(e, token), lines);
}

/* Another pragma in this one's place, or none. */
static void replace_pragma(struct emitter *e, uint32_t pragma, const char *line)
{
	const struct kinst_token *t = e->tokens.tokens + pragma;

	copy_to(e, t->at);
	if (line) {
		new_line(e);
		kinst_lexer_put_marker(&e->tokens, t->marker, t->line, 0, e->out);
		kinst_text_puts(e->out, line);
		new_line(e);
		e->is_ours = 1;
		e->marker = t->marker;
		e->line = last_line(e, pragma);
	}
	e->at = token_end(e, pragma);
	e->next = pragma + 1;
}

/* ---- constructs ---- */

static struct kinst_place place_of(const struct emitter *e, uint32_t token, int last)
{
	const struct kinst_token *t = e->tokens.tokens + token;
	const struct kinst_marker *m = e->tokens.markers + t->marker;

	return (struct kinst_place){ e->tokens.text + m->file_at, m->file_length, last ? last_line(e, token) : t->line,
				     last_line(e, token) };
}

/* The directive of an OpenMP pragma; 0 when the token is none. */
static int read_pragma(const struct emitter *e, uint32_t i, struct kinst_directive *d)
{
	const struct kinst_token *t = e->tokens.tokens + i;
	const char *p = e->tokens.text + t->at + 1, *end = p + t->length - 1;

	if (t->kind != KINST_PRAGMA)
		return 0;
	for (int word = 0; word < 2; word++) {
		const char *expected = word ? "omp" : "pragma";

		while (p < end && (isspace((unsigned char)*p) || *p == '\\'))
			p++;
		if ((size_t)(end - p) <= strlen(expected) || memcmp(p, expected, strlen(expected)))
			return 0;
		p += strlen(expected);
		if (isalnum((unsigned char)*p) || *p == '_')
			return 0;
	}
	return !kinst_directive_read(d, p, (size_t)(end - p), 0);
}

/* Is there a `cancel` of this construct in its statement? */
static int is_cancelled(const struct emitter *e, const struct site *s, const char *word)
{
	for (uint32_t i = s->first; i <= s->last; i++) {
		struct kinst_directive d;
		int found;

		if (e->tokens.tokens[i].kind != KINST_PRAGMA || !read_pragma(e, i, &d))
			continue;
		found = d.leaves[0] == KINST_OMP_CANCEL && kinst_directive_clause(&d, word);
		kinst_directive_free(&d);
		if (found)
			return 1;
	}
	return 0;
}

/* "#pragma omp NAME(arg) clauses…" with more behind it. */
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

static size_t region_of(struct emitter *e, const struct site *s, const char *type, const char *attribute)
{
	return kinst_region_new(&e->regions, type, place_of(e, s->pragma, 0), place_of(e, s->last, 1), attribute);
}

/* Code with the region's handle for each H and its string for each C. */
static void put_code(struct emitter *e, uint32_t token, int behind, const char *code, size_t region)
{
	struct kinst_text lines = { 0 };

	kinst_region_code(&e->regions, region, code, &lines);
	if (behind)
		put_behind(e, token, lines.data);
	else
		put_before(e, token, lines.data);
	kinst_text_free(&lines);
}

/* The pragma of the site as it is, but for more clauses. */
static void put_pragma(struct emitter *e, const struct site *s, const char *more)
{
	struct kinst_text line = { 0 };

	put_directive(&line, &s->d, more);
	replace_pragma(e, s->pragma, line.data);
	kinst_text_free(&line);
}

/* The handle is static in the braces around the construct, so it is shared by all that runs inside. */
#define OPEN "{ static POMP2_Region_handle H; "
#define BARRIER "{ POMP2_Task_handle __kinst_b; POMP2_Implicit_barrier_enter(&H, &__kinst_b);\n" \
		"#pragma omp barrier\nPOMP2_Implicit_barrier_exit(&H, __kinst_b); }\n"

static void emit_statement(struct emitter *e, const struct site *s)
{
	walk(e, s->first, s->last + 1);
}

/* The end of a worksharing construct, whose own barrier has been taken away by `nowait`: then the barrier is ours. */
static void close_work(struct emitter *e, const struct site *s, size_t region, int waits, const char *exit)
{
	if (waits)
		put_code(e, s->last, 1, BARRIER, region);
	put_code(e, s->last, 1, exit, region);
}

/* Does the construct keep the barrier at its end as it is?  Then waiting there is part of its body. */
static int keeps_barrier(const struct emitter *e, const struct site *s, const char *cancel)
{
	return kinst_directive_clause(&s->d, "copyprivate") || e->cancelled || is_cancelled(e, s, cancel) ||
	       kinst_directive_reduces_tasks(&s->d);
}

/* for, for simd: alone, or as the inner half of a parallel region (`combined`: its number + 1). */
static void emit_for(struct emitter *e, struct site *s, size_t combined)
{
	int nowait = kinst_directive_clause(&s->d, "nowait") != NULL, keeps = keeps_barrier(e, s, "for");
	size_t region = combined ? combined - 1 : region_of(e, s, "for", "");

	put_code(e, s->pragma, 0, combined ? "{ POMP2_For_enter(&H, C);" : OPEN "POMP2_For_enter(&H, C);", region);
	put_pragma(e, s, nowait || keeps ? "" : " nowait");
	e->silent += kinst_directive_has(&s->d, KINST_OMP_SIMD);
	emit_statement(e, s);
	e->silent -= kinst_directive_has(&s->d, KINST_OMP_SIMD);
	close_work(e, s, region, !combined && !nowait && !keeps, "POMP2_For_exit(&H); }");
}

/* The next section's pragma directly in the block, or its end. */
static uint32_t next_section(const struct emitter *e, uint32_t i, uint32_t end)
{
	for (; i < end; i++) {
		const struct kinst_token *t = e->tokens.tokens + i;
		struct kinst_directive d;
		int found;

		if (t->kind == KINST_PUNCTUATOR && t->match != KINST_NONE && t->match > i) {
			i = t->match;
			continue;
		}
		if (t->kind != KINST_PRAGMA || !read_pragma(e, i, &d))
			continue;
		found = d.leaves[0] == KINST_OMP_SECTION;
		kinst_directive_free(&d);
		if (found)
			return i;
	}
	return end;
}

static void emit_sections(struct emitter *e, struct site *s, size_t combined)
{
	int nowait = kinst_directive_clause(&s->d, "nowait") != NULL, keeps = keeps_barrier(e, s, "sections");
	size_t region = combined ? combined - 1 : region_of(e, s, "sections", "");
	uint32_t i = s->first + 1, end = s->last, next;

	put_code(e, s->pragma, 0, combined ? "{ POMP2_Sections_enter(&H, C);" : OPEN "POMP2_Sections_enter(&H, C);", region);
	put_pragma(e, s, nowait || keeps ? "" : " nowait");
	next = next_section(e, i, end);
	if (next > i) {                         /* the first section without its pragma */
		put_code(e, s->first, 1, "#pragma omp section\n{ POMP2_Section_begin(&H, C);", region);
		walk(e, i, next);
		put_code(e, next, 0, "POMP2_Section_end(&H); }", region);
	}
	for (i = next; i < end; i = next) {
		next = next_section(e, i + 1, end);
		put_code(e, i, 1, "{ POMP2_Section_begin(&H, C);", region);
		walk(e, i + 1, next);
		put_code(e, next, 0, "POMP2_Section_end(&H); }", region);
	}
	close_work(e, s, region, !combined && !nowait && !keeps, "POMP2_Sections_exit(&H); }");
}

static int has_nowait(const struct emitter *e, const struct site *s, int *waits)
{
	int nowait = kinst_directive_clause(&s->d, "nowait") != NULL, keeps = keeps_barrier(e, s, "");

	*waits = !nowait && !keeps;
	return nowait || keeps;
}

static void emit_single(struct emitter *e, struct site *s)
{
	size_t region = region_of(e, s, "single", "");
	int waits, has = has_nowait(e, s, &waits);

	put_code(e, s->pragma, 0, OPEN "POMP2_Single_enter(&H, C);", region);
	put_pragma(e, s, has ? "" : " nowait");
	put_code(e, s->first, 0, "{ POMP2_Single_begin(&H);", region);
	emit_statement(e, s);
	put_code(e, s->last, 1, "POMP2_Single_end(&H); }", region);
	close_work(e, s, region, waits, "POMP2_Single_exit(&H); }");
}

static void emit_scope(struct emitter *e, struct site *s)
{
	size_t region = region_of(e, s, "scope", "");
	int waits, has = has_nowait(e, s, &waits);

	put_code(e, s->pragma, 0, OPEN "POMP2_For_enter(&H, C);", region);
	put_pragma(e, s, has ? "" : " nowait");
	put_code(e, s->first, 0, "{", region);
	emit_statement(e, s);
	put_code(e, s->last, 1, "}", region);
	close_work(e, s, region, waits, "POMP2_For_exit(&H); }");
}

/* Calls before the construct, at the begin and end of its body, and behind it; more clauses. */
static void emit_body(struct emitter *e, struct site *s, size_t region, const char *enter, const char *more,
		      const char *begin, const char *end, const char *exit)
{
	struct kinst_text clauses = { 0 };

	kinst_region_code(&e->regions, region, more, &clauses);
	put_code(e, s->pragma, 0, enter, region);
	put_pragma(e, s, clauses.data);
	put_code(e, s->first, 0, begin, region);
	emit_statement(e, s);
	put_code(e, s->last, 1, end, region);
	put_code(e, s->last, 1, exit, region);
	kinst_text_free(&clauses);
}

/* master, masked: what one thread does, without waiting. */
static void emit_master(struct emitter *e, struct site *s, const char *type)
{
	emit_body(e, s, region_of(e, s, type, ""), OPEN, "", "{ POMP2_Master_begin(&H, C);", "POMP2_Master_end(&H); }", "}");
}

static void emit_critical(struct emitter *e, struct site *s)
{
	char *name = s->d.arg.args ? kinst_format("criticalName=%.*s*", (int)s->d.arg.n_args, s->d.arg.args) : NULL;
	size_t region = region_of(e, s, "critical", name ? name : "");

	free(name);
	emit_body(e, s, region, OPEN "POMP2_Critical_enter(&H, C);", "", "{ POMP2_Critical_begin(&H);",
		  "POMP2_Critical_end(&H); }", "POMP2_Critical_exit(&H); }");
}

static void emit_ordered(struct emitter *e, struct site *s)
{
	emit_body(e, s, region_of(e, s, "ordered", ""), OPEN "POMP2_Ordered_enter(&H, C);", "",
		  "{ POMP2_Ordered_begin(&H);", "POMP2_Ordered_end(&H); }", "POMP2_Ordered_exit(&H); }");
}

#define CREATE(Name) OPEN "POMP2_Task_handle __kinst_n, __kinst_o; POMP2_" Name "_create_begin(&H, &__kinst_n, &__kinst_o, 1, C);"

static void emit_task(struct emitter *e, struct site *s)
{
	if (kinst_directive_clause(&s->d, "untied"))
		emit_body(e, s, region_of(e, s, "task", "hasUntied=1*"), CREATE("Untied_task"), " shared(H)",
			  "{ POMP2_Untied_task_begin(&H, 0);", "POMP2_Untied_task_end(&H); }",
			  "POMP2_Untied_task_create_end(&H, __kinst_o); }");
	else
		emit_body(e, s, region_of(e, s, "task", ""), CREATE("Task"), " shared(H)", "{ POMP2_Task_begin(&H, 0);",
			  "POMP2_Task_end(&H); }", "POMP2_Task_create_end(&H, __kinst_o); }");
}

/* The body of the innermost of n loops, which may have braces between them; 0: not found. */
static int innermost_body(const struct emitter *e, const struct site *s, size_t n, uint32_t *first, uint32_t *last)
{
	uint32_t i = s->first;

	while (n--) {
		if (!kinst_is_name(&e->tokens, i, "for") || !kinst_is_sign(&e->tokens, i + 1, '(') ||
		    e->tokens.tokens[i + 1].match == KINST_NONE)
			return 0;
		i = e->tokens.tokens[i + 1].match + 1;
		while (n && kinst_is_sign(&e->tokens, i, '{'))
			i++;
	}
	*first = i;
	*last = kinst_braces_statement(&e->tokens, i);
	return *last != KINST_NONE && *last <= s->last;
}

/* taskloop: the construct, and each iteration as a task's execution, left by `continue` as well. */
static void emit_taskloop(struct emitter *e, struct site *s)
{
	size_t n = kinst_directive_n_loops(&s->d);
	size_t region = region_of(e, s, "taskloop", kinst_directive_clause(&s->d, "untied") ? "hasUntied=1*" : "");
	int has_simd = kinst_directive_has(&s->d, KINST_OMP_SIMD);
	struct kinst_text clauses = { 0 };
	uint32_t first, last;

	kinst_region_code(&e->regions, region, has_simd ? "" : " shared(H)", &clauses);
	put_code(e, s->pragma, 0, CREATE("Task"), region);
	put_pragma(e, s, clauses.data);
	kinst_text_free(&clauses);
	e->silent += has_simd;
	if (!has_simd && n && innermost_body(e, s, n, &first, &last)) {
		put_code(e, first, 0, "{ POMP2_Region_handle *__kinst_c __attribute__((__cleanup__(ompp_task_left))) = "
			 "ompp_task_begun(&H);", region);
		walk(e, first, last + 1);
		put_code(e, last, 1, "}", region);
	}
	walk(e, s->first > e->next ? s->first : e->next, s->last + 1);
	e->silent -= has_simd;
	put_code(e, s->last, 1, "POMP2_Task_create_end(&H, __kinst_o); }", region);
}

/* A construct without calls in its body. */
static void emit_outside(struct emitter *e, struct site *s, const char *type, const char *enter, const char *exit)
{
	size_t region = region_of(e, s, type, "");

	put_code(e, s->pragma, 0, enter, region);
	put_pragma(e, s, "");
	if (s->last != s->pragma)
		emit_statement(e, s);
	put_code(e, s->last, 1, exit, region);
}

/* What may wait and run other tasks meanwhile. */
static void emit_around(struct emitter *e, struct site *s, const char *type)
{
	emit_outside(e, s, type, OPEN "POMP2_Task_handle __kinst_o; POMP2_Taskwait_begin(&H, &__kinst_o, C);",
		     "POMP2_Taskwait_end(&H, __kinst_o); }");
}

/* cancel: who is cancelled does not come back. */
static void emit_cancel(struct emitter *e, struct site *s, const char *type)
{
	emit_outside(e, s, type, OPEN "POMP2_Flush_enter(&H, C); POMP2_Flush_exit(&H);", "}");
}

static void emit_construct(struct emitter *e, struct site *s);

/* The type of a parallel region, by what it is combined with. */
static const char *parallel_type(const struct kinst_directive *d)
{
	if (d->n_leaves > 1 && d->leaves[1] == KINST_OMP_FOR)
		return "parallelfor";
	return d->n_leaves > 1 && d->leaves[1] == KINST_OMP_SECTIONS ? "parallelsections" : "parallel";
}

/* The directive behind the word parallel, with its share of the clauses. */
static void inner_directive(const struct site *s, const struct kinst_text *clauses, struct kinst_directive *inner)
{
	struct kinst_text text = { 0 };
	const char *p = s->d.name, *end = p + s->d.n_name;

	while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
		p++;
	kinst_text_add(&text, p, (size_t)(end - p));
	kinst_text_add(&text, clauses->data ? clauses->data : "", clauses->length);
	kinst_directive_read(inner, text.data, text.length, 0);
	kinst_text_free(&text);
}

/* The variables of the loops that the site is about, where they are not declared in them. */
static void share_counters(const struct emitter *e, const struct site *s, const struct kinst_text *inner,
			   struct kinst_text *outer)
{
	size_t n = kinst_directive_n_loops(&s->d);

	for (uint32_t i = s->first; n-- && kinst_is_name(&e->tokens, i, "for") && e->tokens.tokens[i + 1].match != KINST_NONE;) {
		const struct kinst_token *name = e->tokens.tokens + i + 2;

		if (name->kind == KINST_NAME && kinst_is_sign(&e->tokens, i + 3, '=') && !kinst_is_sign(&e->tokens, i + 4, '='))
			kinst_directive_share_counter(&s->d, e->tokens.text + name->at, name->length, inner, outer);
		i = e->tokens.tokens[i + 1].match + 1;
		while (n && kinst_is_sign(&e->tokens, i, '{'))
			i++;
	}
}

static void emit_parallel(struct emitter *e, struct site *s)
{
	const struct kinst_clause *threads = kinst_directive_clause(&s->d, "num_threads");
	struct kinst_text outer = { 0 }, inner = { 0 }, line = { 0 };
	size_t region = region_of(e, s, parallel_type(&s->d), "");
	struct site half = *s;
	int cancelled = e->cancelled;

	e->cancelled = is_cancelled(e, s, "parallel");
	kinst_directive_split(&s->d, &outer, &inner);
	share_counters(e, s, &inner, &outer);
	if (threads && threads->args) {
		kinst_text_printf(&line, "{ int __kinst_n = (int)(%.*s);", (int)threads->n_args, threads->args);
		put_before(e, s->pragma, line.data);
		kinst_text_puts(&outer, " num_threads(__kinst_n)");
	} else {
		put_before(e, s->pragma, "{ int __kinst_n = POMP2_Lib_get_max_threads();");
	}
	put_code(e, s->pragma, 0, "static POMP2_Region_handle H; POMP2_Task_handle __kinst_t; "
		 "POMP2_Parallel_fork(&H, 1, __kinst_n, &__kinst_t, C);", region);
	line.length = 0;
	kinst_text_printf(&line, "#pragma omp parallel%s", outer.data ? outer.data : "");
	kinst_region_code(&e->regions, region, " shared(H) firstprivate(__kinst_t)\n{ ompp_parallel_begin(&H, __kinst_t);", &line);
	put_before(e, s->pragma, line.data);
	if (s->d.n_leaves > 1) {
		inner_directive(s, &inner, &half.d);
		if (half.d.leaves[0] == KINST_OMP_FOR)
			emit_for(e, &half, region + 1);
		else if (half.d.leaves[0] == KINST_OMP_SECTIONS)
			emit_sections(e, &half, region + 1);
		else
			emit_construct(e, &half);
		kinst_directive_free(&half.d);
	} else {
		replace_pragma(e, s->pragma, NULL);
		emit_statement(e, s);
	}
	put_code(e, s->last, 1, BARRIER "POMP2_Parallel_end(&H); }\nPOMP2_Parallel_join(&H, __kinst_t); }", region);
	e->cancelled = cancelled;
	kinst_text_free(&outer);
	kinst_text_free(&inner);
	kinst_text_free(&line);
}

static void leave_alone(struct emitter *e, const struct site *s, int silent)
{
	e->silent += silent;
	e->depth++;
	if (s->last != s->pragma)
		emit_statement(e, s);
	e->depth--;
	e->silent -= silent;
}

static void emit_construct(struct emitter *e, struct site *s)
{
	switch (s->d.leaves[0]) {
	case KINST_OMP_PARALLEL:
		emit_parallel(e, s);
		break;
	case KINST_OMP_FOR:
		emit_for(e, s, 0);
		break;
	case KINST_OMP_SECTIONS:
		emit_sections(e, s, 0);
		break;
	case KINST_OMP_SINGLE:
		emit_single(e, s);
		break;
	case KINST_OMP_SCOPE:
		emit_scope(e, s);
		break;
	case KINST_OMP_MASTER:
	case KINST_OMP_MASKED:
		if (s->d.n_leaves > 1) {        /* … taskloop: one region */
			emit_around(e, s, "taskloop");
			break;
		}
		emit_master(e, s, s->d.leaves[0] == KINST_OMP_MASTER ? "master" : "masked");
		break;
	case KINST_OMP_CRITICAL:
		emit_critical(e, s);
		break;
	case KINST_OMP_ORDERED:
		if (s->last == s->pragma)
			emit_around(e, s, "ordered");
		else
			emit_ordered(e, s);
		break;
	case KINST_OMP_ATOMIC:
		e->silent++;                    /* no call may come between */
		emit_outside(e, s, "atomic", OPEN "POMP2_Atomic_enter(&H, C);", "POMP2_Atomic_exit(&H); }");
		e->silent--;
		break;
	case KINST_OMP_FLUSH:
		emit_outside(e, s, "flush", OPEN "POMP2_Flush_enter(&H, C);", "POMP2_Flush_exit(&H); }");
		break;
	case KINST_OMP_BARRIER:
		emit_outside(e, s, "barrier", OPEN "POMP2_Task_handle __kinst_o; POMP2_Barrier_enter(&H, &__kinst_o, C);",
			     "POMP2_Barrier_exit(&H, __kinst_o); }");
		break;
	case KINST_OMP_TASK:
		emit_task(e, s);
		break;
	case KINST_OMP_TASKLOOP:
		emit_taskloop(e, s);
		break;
	case KINST_OMP_CANCEL:
		emit_cancel(e, s, "cancel");
		break;
	case KINST_OMP_CANCELLATION_POINT:
		emit_cancel(e, s, "cancellationpoint");
		break;
	case KINST_OMP_TARGET:
		e->silent += e->options->device;
		emit_around(e, s, "target");
		e->silent -= e->options->device;
		break;
	default:
		emit_around(e, s, kinst_region_type(&s->d));
		break;
	}
}

/* The statement of a pragma; 0 when it cannot be made out. */
static int find_statement(const struct emitter *e, struct site *s)
{
	uint32_t i = s->pragma + 1;

	s->first = s->last = s->pragma;
	if (kinst_directive_is_alone(&s->d))
		return 1;
	while (i < e->tokens.n_tokens && kinst_directive_is_loop(&s->d) && e->tokens.tokens[i].kind == KINST_PRAGMA)
		i++;                            /* tile, unroll, GCC ivdep */
	if (i >= e->tokens.n_tokens || (kinst_directive_is_loop(&s->d) && !kinst_is_name(&e->tokens, i, "for")))
		return 0;
	s->first = s->pragma + 1;
	s->last = kinst_braces_statement(&e->tokens, s->first);
	if (kinst_directive_has(&s->d, KINST_OMP_SECTIONS) && !kinst_is_sign(&e->tokens, s->first, '{'))
		return 0;
	return s->last != KINST_NONE;
}

/* What is no construct: declarative, or simd without being asked for, or the block of a sections construct. */
static int is_construct(const struct emitter *e, const struct kinst_directive *d)
{
	if (d->leaves[0] == KINST_OMP_OTHER)
		return kinst_begins(d->name, "metadirective") || kinst_begins(d->name, "dispatch");
	if (d->leaves[0] == KINST_OMP_SECTION)
		return 0;
	if (d->leaves[0] == KINST_OMP_SIMD)
		return e->options->simd;
	return d->leaves[0] != KINST_OMP_ORDERED || !kinst_directive_clause(d, "simd");
}

/* Emit what begins at a pragma; the token behind it. */
static uint32_t emit_pragma(struct emitter *e, uint32_t i)
{
	struct site s = { .pragma = i };

	if (!e->options->openmp || e->uninstrumented || !read_pragma(e, i, &s.d))
		return i + 1;
	if (!is_construct(e, &s.d) || !find_statement(e, &s)) {
		int is_simd = s.d.leaves[0] == KINST_OMP_SIMD && find_statement(e, &s);

		if (is_simd) {
			leave_alone(e, &s, 1);
			i = s.last;
		}
		kinst_directive_free(&s.d);
		return i + 1;
	}
	s.construct = kinst_emitted_add(e->emitted, &s.d, place_of(e, s.pragma, 0), last_line(e, s.last));
	if (s.d.leaves[0] == KINST_OMP_OTHER) {
		kinst_emitted_give_up(e->emitted, s.construct, "what it becomes is known to the compiler alone");
		leave_alone(e, &s, 0);
	} else if (e->depth >= DEEPEST) {
		kinst_emitted_give_up(e->emitted, s.construct, "too many constructs around it; nothing inside is measured");
	} else if (e->silent) {
		kinst_emitted_give_up(e->emitted, s.construct, 
				      "nothing can be called inside of a simd loop, an atomic or code for a device");
		leave_alone(e, &s, 0);
	} else if (kinst_emit_is_disabled(e->options, &s.d)) {
		kinst_emitted_give_up(e->emitted, s.construct, "--disable");
		leave_alone(e, &s, s.d.leaves[0] == KINST_OMP_PARALLEL);
	} else if (kinst_emit_is_given_up(e->options, s.construct)) {
		kinst_emitted_give_up(e->emitted, s.construct, "it does not compile with calls in it");
		leave_alone(e, &s, s.d.leaves[0] == KINST_OMP_PARALLEL);
	} else {
		e->depth++;
		emit_construct(e, &s);
		e->depth--;
	}
	i = s.last;
	kinst_directive_free(&s.d);
	return i + 1;
}

/* ---- the user's own pragmas ---- */

/* The words of `#pragma pomp …` or `#pragma omp inst …` behind the first; NULL: it is none. */
static const char *pomp_words(const struct emitter *e, uint32_t i, char *words, size_t n)
{
	const struct kinst_token *t = e->tokens.tokens + i;
	size_t length = t->length - 1 < n - 1 ? t->length - 1 : n - 1;
	char *p = words;

	memcpy(words, e->tokens.text + t->at + 1, length);
	words[length] = '\0';
	for (char *c = words; *c; c++)
		if (*c == '\\' || isspace((unsigned char)*c))
			*c = ' ';
	p += strspn(p, " ");
	if (!kinst_begins(p, "pragma "))
		return NULL;
	p += 7 + strspn(p + 7, " ");
	if (kinst_begins(p, "pomp "))
		p += 5;
	else if (kinst_begins(p, "omp ") && kinst_begins(p + 4 + strspn(p + 4, " "), "inst "))
		p += 4;
	else
		return NULL;
	return p + strspn(p, " ");
}

/* The pragma `inst end(name)` behind token i, or i: there is none. */
static uint32_t find_user_end(const struct emitter *e, uint32_t i, const char *name, size_t n)
{
	for (uint32_t k = i + 1; k < e->tokens.n_tokens; k++) {
		char words[1024];
		const char *p = e->tokens.tokens[k].kind == KINST_PRAGMA ? pomp_words(e, k, words, sizeof(words)) : NULL, *found;
		size_t n_found;

		if (!p || !kinst_begins(p, "inst "))
			continue;
		p += 5 + strspn(p + 5, " ");
		found = kinst_begins(p, "end") ? kinst_emit_user_name(p, &n_found) : NULL;
		if (found && n_found == n && !memcmp(found, name, n))
			return k;
	}
	return i;
}

/* `inst begin(x)`: a new region; `end(x)` and `altend(x)`: the one that was begun last under this name. */
static void user_region(struct emitter *e, uint32_t i, const char *verb, struct kinst_text *lines)
{
	size_t n_name, region;
	const char *name = kinst_emit_user_name(verb, &n_name);

	if (!name)
		return;
	if (kinst_begins(verb, "begin")) {
		region = kinst_region_begin(&e->regions, name, n_name, place_of(e, i, 0),
					    place_of(e, find_user_end(e, i, name, n_name), 1));
		kinst_region_code(&e->regions, region, "POMP2_Begin(&H, C);", lines);
		return;
	}
	region = kinst_region_begun(&e->regions, name, n_name, 0);
	if (region < e->regions.n)
		kinst_region_code(&e->regions, region, "POMP2_End(&H);", lines);
}

/* A pragma of the user's about measuring; the token behind it, or the pragma itself: it is none. */
static uint32_t emit_pomp(struct emitter *e, uint32_t i)
{
	static const char *const calls[][2] = { { "init", "POMP2_Init();" }, { "finalize", "POMP2_Finalize();" },
						{ "on", "POMP2_On();" }, { "off", "POMP2_Off();" } };
	struct kinst_text lines = { 0 };
	char words[1024];
	const char *p = pomp_words(e, i, words, sizeof(words));
	uint32_t last = KINST_NONE;

	if (!p)
		return i;
	if (kinst_begins(p, "noinstrument") || kinst_begins(p, "instrument")) {
		e->uninstrumented = *p == 'n';
	} else if (kinst_begins(p, "inst ")) {
		p += 5 + strspn(p + 5, " ");
		for (size_t k = 0; k < sizeof(calls) / sizeof(*calls); k++)
			if (kinst_begins(p, calls[k][0]))
				kinst_text_puts(&lines, calls[k][1]);
		if (kinst_begins(p, "begin") || kinst_begins(p, "end") || kinst_begins(p, "altend"))
			user_region(e, i, p, &lines);
	}
	if (!lines.length) {
		replace_pragma(e, i, NULL);
		return i + 1;
	}
	/* the statement of an if: what follows belongs to it as well */
	if (i && kinst_braces_is_head(&e->tokens, i - 1))
		last = kinst_braces_statement(&e->tokens, i + 1);
	if (last != KINST_NONE)
		put_before(e, i, "{");
	put_before(e, i, lines.data);
	kinst_text_free(&lines);
	replace_pragma(e, i, NULL);
	if (last == KINST_NONE)
		return i + 1;
	walk(e, i + 1, last + 1);
	put_behind(e, last, "}");
	return last + 1;
}

static void walk(struct emitter *e, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to;) {
		if (e->tokens.tokens[i].kind == KINST_PRAGMA) {
			uint32_t next = emit_pomp(e, i);

			i = next != i ? next : emit_pragma(e, i);
		} else {
			i++;
		}
	}
}

/* ---- the whole ---- */

/* The head, the declarations as if the main file were a system header there, and then the text. */
static void assemble(struct emitter *e, size_t n_head, int has_data, const struct kinst_text *body)
{
	struct kinst_text *out = &e->emitted->text;
	uint32_t main_marker = e->tokens.n_markers > 1 && n_head ? 1 : 0;

	kinst_text_add(out, e->tokens.text, n_head);
	kinst_lexer_put_marker(&e->tokens, main_marker, 1, 1, out);
	kinst_prologue(out, e->options->cxx);
	if (has_data)
		kinst_prologue_data(out, e->options->cxx);
	if (e->options->extra)
		kinst_text_puts(out, e->options->extra);
	for (size_t i = 0; i < e->regions.n; i++)
		if (e->regions.items[i].user)
			kinst_text_printf(out, "static POMP2_Region_handle __kinst_%zu;\n", i);
	kinst_lexer_put_marker(&e->tokens, main_marker, 1, 0, out);
	kinst_text_add(out, body->data ? body->data : "", body->length);
}

int kinst_emit(const char *text, size_t length, const struct kinst_emit_options *options,
	       struct kinst_text *messages, struct kinst_emitted *emitted)
{
	struct kinst_text called = { 0 }, said = { 0 }, body = { 0 }, pragmas = { 0 };
	struct emitter e = { .options = options, .emitted = emitted, .out = &body, .regions.directory = options->directory };
	size_t n_head, n_data = kinst_data_rewrite(text, length, options->cxx, &called, messages ? messages : &said);
	int rc;

	*emitted = (struct kinst_emitted){ 0 };
	if (n_data) {
		text = called.data;
		length = called.length;
		emitted->n_calls++;
	}
	if (!messages)
		fputs(said.data ? said.data : "", stderr);
	rc = kinst_lexer_read(&e.tokens, text, length);
	if (!rc && options->openmp && kinst_attributes_rewrite(&e.tokens, &pragmas)) {
		kinst_lexer_free(&e.tokens);
		text = pragmas.data;
		length = pragmas.length;
		rc = kinst_lexer_read(&e.tokens, text, length);
	}
	if (!rc) {
		e.at = n_head = kinst_lexer_head(text, length);
		while (e.next < e.tokens.n_tokens && e.tokens.tokens[e.next].at < e.at)
			e.next++;
		walk(&e, e.next, e.tokens.n_tokens);
		copy_to(&e, length);
		assemble(&e, n_head, n_data > 0, &body);
	}
	kinst_regions_free(&e.regions);
	kinst_lexer_free(&e.tokens);
	kinst_text_free(&called);
	kinst_text_free(&said);
	kinst_text_free(&body);
	kinst_text_free(&pragmas);
	return rc;
}
