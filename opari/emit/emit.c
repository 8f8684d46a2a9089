/*
 * Emit: see emit.h.
 *
 * The text is emitted in one walk over its tokens.  When the walk comes to a pragma, all text before it has been
 * copied.  The construct is emitted as a whole, with a recursive walk inside its statement, and then the walk continues
 * after it.
 */
#include "opari/emit/emit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opari/data/data_calls.h"
#include "opari/data/prologue.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/patch.h"
#include "opari/emit/pomp.h"
#include "opari/emit/user_call.h"
#include "opari/read/attributes.h"
#include "opari/read/braces.h"
#include "opari/read/directive.h"
#include "opari/read/directive_split.h"
#include "opari/read/extent.h"
#include "opari/read/lock_sites.h"
#include "opari/read/operand.h"
#include "opari/read/pragma.h"

enum { DEEPEST = 200, MOST_LOST = 200 };

struct emitter {
	const struct kinst_emit_options *options;
	struct kinst_patch patch;
	struct kinst_emitted *emitted;
	struct kinst_regions regions;
	size_t depth;
	/* constructs whose end was not found; this is limited, as each search takes time linear in the text */
	size_t n_lost;
	const char *silent; /* why no call may be inserted at the current place; NULL if it may */
	/* 1 in a parallel region with `cancel parallel`: there only the constructs' own barriers release the threads
	 * when it is cancelled */
	int cancelled;
	enum kinst_leaf around; /* the innermost construct */
	int detaches;           /* the text has tasks that may be detached */
	int uninstrumented;     /* between `pomp noinstrument` and `instrument` */
};

#define TOKENS(e) (&(e)->patch.tokens)

static void emit_walk(struct emitter *e, uint32_t from, uint32_t to);

/* If `why` gives a reason, no calls are inserted from here on.  Returns the previous reason, which the caller restores
 * to e->silent later. */
static const char *emit_silence(struct emitter *e, const char *why)
{
	const char *before = e->silent;

	if (!before)
		e->silent = why;
	return before;
}

static const char *no_calls_if(int is)
{
	return is ? KINST_NO_CALLS : NULL;
}

/* ---- constructs ---- */

static struct kinst_place place_of(const struct emitter *e, uint32_t token, int last)
{
	const struct kinst_token *t = e->patch.tokens.tokens + token;
	const struct kinst_marker *m = e->patch.tokens.markers + t->marker;
	uint32_t last_line = kinst_patch_last_line(&e->patch, token);

	return (struct kinst_place){ TOKENS(e)->text + m->file_at, m->file_length, last ? last_line : t->line,
		                     last_line };
}

/* Writes the place and the argument of a lock call, as a C string. */
static void put_site(void *context, uint32_t token, struct kinst_text *out)
{
	struct emitter *e = context;
	struct kinst_text argument = { 0 }, site = { 0 };

	kinst_text_puts(&argument, "");
	kinst_lock_argument(TOKENS(e), token + 1, &argument);
	kinst_region_site(&e->regions, place_of(e, token, 0), argument.data, argument.length, &site);
	kinst_text_puts(out, "\"");
	for (const char *p = site.data; *p; p++) {
		if (*p == '"' || *p == '\\')
			kinst_text_puts(out, "\\");
		kinst_text_add(out, p, 1);
	}
	kinst_text_puts(out, "\"");
	kinst_text_free(&argument);
	kinst_text_free(&site);
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

static size_t region_of(struct emitter *e, const struct kinst_extent *s, const char *type, const char *attribute)
{
	char *attributes = kinst_region_attributes(&s->d, 0, attribute);
	size_t region = kinst_region_new(&e->regions, type, place_of(e, s->pragma, 0), place_of(e, s->last, 1),
	                                 attributes);

	free(attributes);
	return region;
}

/* Puts code before or behind a token.  In it each H becomes the region's handle, each D the handle's definition, and
 * each C the context string. */
static void put_code(struct emitter *e, uint32_t token, int behind, const char *code, size_t region)
{
	struct kinst_text lines = { 0 };

	kinst_region_code(&e->regions, region, code, &lines);
	if (behind)
		kinst_patch_behind(&e->patch, token, lines.data);
	else
		kinst_patch_before(&e->patch, token, lines.data);
	kinst_text_free(&lines);
}

/* Puts the pragma of a construct as it is, with more clauses. */
static void put_pragma(struct emitter *e, const struct kinst_extent *s, const char *more)
{
	struct kinst_text line = { 0 };

	put_directive(&line, &s->d, more);
	kinst_patch_replace(&e->patch, s->pragma, line.data);
	kinst_text_free(&line);
}

/* The handle is static in the braces around the construct, so it is shared by all that runs inside. */
#define OPEN "{ D "

/* Puts a barrier of ours behind a token.  With clang 14's libomp, an explicit barrier in a team of one thread with
 * detached tasks ends the program, so it is left out there. */
static void put_barrier(struct emitter *e, uint32_t token, size_t region)
{
	put_code(e, token, 1, "{ POMP2_Task_handle __kinst_b; POMP2_Implicit_barrier_enter(&H, &__kinst_b);", region);
	put_code(e, token, 1,
	         e->options->clang && e->detaches ? "if (ompp_has_others()) {\n#pragma omp barrier\n}"
	                                          : "#pragma omp barrier",
	         region);
	put_code(e, token, 1, "POMP2_Implicit_barrier_exit(&H, __kinst_b); }", region);
}

static void emit_statement(struct emitter *e, const struct kinst_extent *s)
{
	emit_walk(e, s->first, s->last + 1);
}

/* Closes a worksharing construct.  If `nowait` was added to remove its own barrier, a barrier of ours follows. */
static void close_work(struct emitter *e, const struct kinst_extent *s, size_t region, int waits, const char *exit)
{
	if (waits)
		put_barrier(e, s->last, region);
	put_code(e, s->last, 1, exit, region);
}

/* How a worksharing construct ends. */
enum ending { NOWAIT, OUR_BARRIER, OWN_BARRIER };

/* Returns how a worksharing construct ends.  If it must keep its own barrier, the waiting time there is counted in its
 * body. */
static enum ending ending_of(const struct emitter *e, const struct kinst_extent *s, const char *cancel)
{
	if (kinst_directive_clause(&s->d, "nowait"))
		return NOWAIT;
	if (kinst_directive_clause(&s->d, "copyprivate") || kinst_directive_reduces_tasks(&s->d) || e->cancelled ||
	    kinst_extent_is_cancelled(TOKENS(e), s, cancel))
		return OWN_BARRIER;
	return OUR_BARRIER;
}

static const char *ending_attribute(enum ending ending)
{
	return ending == OWN_BARRIER ? "ownBarrier=1*" : "";
}

/* Puts calls around for and for simd.
 * combined: 0, or 1 + the number of the parallel region whose inner half this is */
static void emit_for(struct emitter *e, struct kinst_extent *s, size_t combined)
{
	enum ending ending = ending_of(e, s, "for");
	size_t region = combined ? combined - 1 : region_of(e, s, "for", ending_attribute(ending));
	const char *silent;

	put_code(e, s->pragma, 0, combined ? "{ POMP2_For_enter(&H, C);" : OPEN "POMP2_For_enter(&H, C);", region);
	put_pragma(e, s, ending == OUR_BARRIER ? " nowait" : "");
	silent = emit_silence(e, no_calls_if(kinst_directive_has(&s->d, KINST_OMP_SIMD)));
	emit_statement(e, s);
	e->silent = silent;
	close_work(e, s, region, !combined && ending == OUR_BARRIER, "POMP2_For_exit(&H); }");
}

static void emit_sections(struct emitter *e, struct kinst_extent *s, size_t combined)
{
	enum ending ending = ending_of(e, s, "sections");
	size_t region = combined ? combined - 1 : region_of(e, s, "sections", ending_attribute(ending));
	uint32_t i = s->first + 1, end = s->last, next;

	put_code(e, s->pragma, 0, combined ? "{ POMP2_Sections_enter(&H, C);" : OPEN "POMP2_Sections_enter(&H, C);",
	         region);
	put_pragma(e, s, ending == OUR_BARRIER ? " nowait" : "");
	next = kinst_extent_section(TOKENS(e), i, end);
	if (next > i) { /* the first section has no pragma */
		put_code(e, s->first, 1, "#pragma omp section\n{ POMP2_Section_begin(&H, C);", region);
		emit_walk(e, i, next);
		put_code(e, next, 0, "POMP2_Section_end(&H); }", region);
	}
	for (i = next; i < end; i = next) {
		next = kinst_extent_section(TOKENS(e), i + 1, end);
		put_code(e, i, 1, "{ POMP2_Section_begin(&H, C);", region);
		emit_walk(e, i + 1, next);
		put_code(e, next, 0, "POMP2_Section_end(&H); }", region);
	}
	close_work(e, s, region, !combined && ending == OUR_BARRIER, "POMP2_Sections_exit(&H); }");
}

static void emit_single(struct emitter *e, struct kinst_extent *s)
{
	enum ending ending = ending_of(e, s, "");
	size_t region = region_of(e, s, "single", ending_attribute(ending));

	put_code(e, s->pragma, 0, OPEN "POMP2_Single_enter(&H, C);", region);
	put_pragma(e, s, ending == OUR_BARRIER ? " nowait" : "");
	put_code(e, s->first, 0, "{ POMP2_Single_begin(&H);", region);
	emit_statement(e, s);
	put_code(e, s->last, 1, "POMP2_Single_end(&H); }", region);
	close_work(e, s, region, ending == OUR_BARRIER, "POMP2_Single_exit(&H); }");
}

static void emit_scope(struct emitter *e, struct kinst_extent *s)
{
	enum ending ending = ending_of(e, s, "");
	size_t region = region_of(e, s, "scope", ending_attribute(ending));

	put_code(e, s->pragma, 0, OPEN "POMP2_For_enter(&H, C);", region);
	put_pragma(e, s, ending == OUR_BARRIER ? " nowait" : "");
	put_code(e, s->first, 0, "{", region);
	emit_statement(e, s);
	put_code(e, s->last, 1, "}", region);
	close_work(e, s, region, ending == OUR_BARRIER, "POMP2_For_exit(&H); }");
}

/* Puts calls before a construct (enter), at the begin and the end of its body, and behind it (exit).
 * more: further clauses of its pragma */
static void emit_body(struct emitter *e, struct kinst_extent *s, size_t region, const char *enter, const char *more,
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

/* Puts calls around master and masked, which one thread does without waiting. */
static void emit_master(struct emitter *e, struct kinst_extent *s, const char *type)
{
	emit_body(e, s, region_of(e, s, type, ""), OPEN, "", "{ POMP2_Master_begin(&H, C);", "POMP2_Master_end(&H); }",
	          "}");
}

static void emit_critical(struct emitter *e, struct kinst_extent *s)
{
	char *name = s->d.arg.args ? kinst_format("criticalName=%.*s*", (int)s->d.arg.n_args, s->d.arg.args) : NULL;
	size_t region = region_of(e, s, "critical", name ? name : "");

	free(name);
	emit_body(e, s, region, OPEN "POMP2_Critical_enter(&H, C);", "", "{ POMP2_Critical_begin(&H);",
	          "POMP2_Critical_end(&H); }", "POMP2_Critical_exit(&H); }");
}

static void emit_ordered(struct emitter *e, struct kinst_extent *s)
{
	emit_body(e, s, region_of(e, s, "ordered", ""), OPEN "POMP2_Ordered_enter(&H, C);", "",
	          "{ POMP2_Ordered_begin(&H);", "POMP2_Ordered_end(&H); }", "POMP2_Ordered_exit(&H); }");
}

#define CREATE(Name) \
	OPEN "POMP2_Task_handle __kinst_n, __kinst_o; " \
	     "POMP2_" Name "_create_begin(&H, &__kinst_n, &__kinst_o, 1, C);"

static void emit_task(struct emitter *e, struct kinst_extent *s)
{
	if (kinst_directive_clause(&s->d, "untied"))
		emit_body(e, s, region_of(e, s, "task", "hasUntied=1*"), CREATE("Untied_task"), " shared(H)",
		          "{ POMP2_Untied_task_begin(&H, 0);", "POMP2_Untied_task_end(&H); }",
		          "POMP2_Untied_task_create_end(&H, __kinst_o); }");
	else
		emit_body(e, s, region_of(e, s, "task", ""), CREATE("Task"), " shared(H)", "{ POMP2_Task_begin(&H, 0);",
		          "POMP2_Task_end(&H); }", "POMP2_Task_create_end(&H, __kinst_o); }");
}

/* Finds the body of the innermost of n loops, which may have braces between them.  Returns 0 when there is none. */
static int innermost_body(const struct emitter *e, const struct kinst_extent *s, size_t n, uint32_t *first,
                          uint32_t *last)
{
	uint32_t i = s->first;

	while (n-- && i != KINST_NONE)
		i = kinst_extent_inside(TOKENS(e), i, n > 0);
	if (i == KINST_NONE)
		return 0;
	*first = i;
	*last = kinst_braces_statement(TOKENS(e), i);
	return *last != KINST_NONE && *last <= s->last;
}

/* Puts calls around a taskloop, and around each iteration as a task's execution; `continue` may leave an iteration,
 * too. */
static void emit_taskloop(struct emitter *e, struct kinst_extent *s)
{
	size_t n = kinst_directive_n_loops(&s->d);
	size_t region = region_of(e, s, "taskloop", kinst_directive_clause(&s->d, "untied") ? "hasUntied=1*" : "");
	int has_simd = kinst_directive_has(&s->d, KINST_OMP_SIMD);
	struct kinst_text clauses = { 0 };
	const char *silent;
	uint32_t first, last;

	kinst_region_code(&e->regions, region, has_simd ? "" : " shared(H)", &clauses);
	put_code(e, s->pragma, 0, CREATE("Task"), region);
	put_pragma(e, s, clauses.data);
	kinst_text_free(&clauses);
	silent = emit_silence(e, no_calls_if(has_simd));
	if (!has_simd && n && innermost_body(e, s, n, &first, &last)) {
		put_code(e, first, 0,
		         "{ POMP2_Region_handle *__kinst_c __attribute__((__cleanup__(ompp_task_left))) = "
		         "ompp_task_begun(&H);",
		         region);
		emit_walk(e, first, last + 1);
		put_code(e, last, 1, "}", region);
	}
	emit_walk(e, s->first > e->patch.next ? s->first : e->patch.next, s->last + 1);
	e->silent = silent;
	put_code(e, s->last, 1, "POMP2_Task_create_end(&H, __kinst_o); }", region);
}

/* Reads the directive that follows the first word of this one's name, with its share of the clauses. */
static void inner_directive(const struct kinst_extent *s, const struct kinst_text *clauses,
                            struct kinst_directive *inner)
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

/* Puts calls around master taskloop and masked taskloop.  All clauses but filter are the taskloop's. */
static void emit_master_taskloop(struct emitter *e, struct kinst_extent *s, const char *type)
{
	size_t region = region_of(e, s, type, "");
	struct kinst_text clauses = { 0 }, line = { 0 };
	struct kinst_extent half = *s;

	kinst_text_printf(&line, "#pragma omp %s", type);
	for (size_t i = 0; i < s->d.n_clauses; i++) {
		const struct kinst_clause *c = s->d.clauses + i;

		kinst_text_printf(c->n_name == 6 && !strncmp(c->name, "filter", 6) ? &line : &clauses, " %.*s",
		                  (int)c->n_text, c->text);
	}
	put_code(e, s->pragma, 0, OPEN, region);
	kinst_patch_pragma(&e->patch, s->pragma, line.data);
	put_code(e, s->pragma, 0, "{ POMP2_Master_begin(&H, C);", region);
	inner_directive(s, &clauses, &half.d);
	emit_taskloop(e, &half);
	kinst_directive_free(&half.d);
	put_code(e, s->last, 1, "POMP2_Master_end(&H); }\n}", region);
	kinst_text_free(&clauses);
	kinst_text_free(&line);
}

/* Puts calls before and behind a construct, and none in its body. */
static void emit_outside(struct emitter *e, struct kinst_extent *s, const char *type, const char *enter,
                         const char *exit)
{
	size_t region = region_of(e, s, type, "");

	put_code(e, s->pragma, 0, enter, region);
	put_pragma(e, s, "");
	if (s->last != s->pragma)
		emit_statement(e, s);
	put_code(e, s->last, 1, exit, region);
}

/* Puts calls around an atomic.  An operand that contains a call is evaluated before it (operand.h). */
static void emit_atomic(struct emitter *e, struct kinst_extent *s)
{
	uint32_t first, last;
	size_t region;
	char *type;

	if (!kinst_operand_find(TOKENS(e), s, &first, &last)) {
		emit_outside(e, s, "atomic", OPEN "POMP2_Atomic_enter(&H, C);", "POMP2_Atomic_exit(&H); }");
		return;
	}
	region = region_of(e, s, "atomic", "");
	type = kinst_patch_text(&e->patch, first, last);
	kinst_patch_before(&e->patch, s->pragma, "{ __typeof__(");
	kinst_patch_before(&e->patch, s->pragma, type);
	kinst_patch_before(&e->patch, s->pragma, ") __kinst_a = (");
	kinst_patch_again(&e->patch, s->pragma, first, last);
	put_code(e, s->pragma, 0, "); " OPEN "POMP2_Atomic_enter(&H, C);", region);
	put_pragma(e, s, "");
	kinst_patch_exchange(&e->patch, first, last, "__kinst_a");
	put_code(e, s->last, 1, "POMP2_Atomic_exit(&H); } }", region);
	free(type);
}

/* Puts calls around a construct that may wait, and run other tasks meanwhile. */
static void emit_around(struct emitter *e, struct kinst_extent *s, const char *type)
{
	emit_outside(e, s, type, OPEN "POMP2_Task_handle __kinst_o; POMP2_Taskwait_begin(&H, &__kinst_o, C);",
	             "POMP2_Taskwait_end(&H, __kinst_o); }");
}

/* Puts both calls before a cancel, as a cancelled thread does not reach the code after it. */
static void emit_cancel(struct emitter *e, struct kinst_extent *s, const char *type)
{
	emit_outside(e, s, type, OPEN "POMP2_Flush_enter(&H, C); POMP2_Flush_exit(&H);", "}");
}

static void emit_construct(struct emitter *e, struct kinst_extent *s);

/* Returns the type of a parallel region, which depends on what it is combined with. */
static const char *parallel_type(const struct kinst_directive *d)
{
	if (d->n_leaves > 1 && d->leaves[1] == KINST_OMP_FOR)
		return "parallelfor";
	return d->n_leaves > 1 && d->leaves[1] == KINST_OMP_SECTIONS ? "parallelsections" : "parallel";
}

/* Lets PARALLEL share the variables of the loops in the remaining directive, where the loops do not declare them. */
static void share_counters(const struct kinst_tokens *tokens, const struct kinst_extent *s,
                           const struct kinst_text *inner, struct kinst_text *outer)
{
	size_t n = kinst_directive_n_loops(&s->d);
	uint32_t i = s->first, inside;

	for (; n-- && (inside = kinst_extent_inside(tokens, i, n > 0)) != KINST_NONE; i = inside) {
		const struct kinst_token *name = tokens->tokens + i + 2;

		if (name->kind == KINST_NAME && kinst_is_sign(tokens, i + 3, '=') && !kinst_is_sign(tokens, i + 4, '='))
			kinst_directive_share_counter(&s->d, tokens->text + name->at, name->length, inner, outer);
	}
}

void kinst_emit_split(const struct kinst_tokens *tokens, const struct kinst_extent *s, struct kinst_text *outer,
                      struct kinst_text *inner)
{
	kinst_directive_split(&s->d, outer, inner);
	share_counters(tokens, s, inner, outer);
}

/* Makes the number of threads be evaluated once.  Compilers still give the same warnings about it: a number stays as it
 * is, and an expression keeps its type.  A lambda is not allowed in __typeof__. */
static void put_threads(const struct kinst_clause *threads, struct kinst_text *line, struct kinst_text *outer)
{
	const char *p = threads->args;
	int n = (int)threads->n_args;

	if (n && strspn(p, "0123456789") >= (size_t)n) {
		kinst_text_printf(line, "{ int __kinst_n = %.*s;", n, p);
		kinst_text_printf(outer, " num_threads(%.*s)", n, p);
		return;
	}
	if (memchr(p, '[', (size_t)n))
		kinst_text_printf(line, "{ int __kinst_n = (int)(%.*s);", n, p);
	else
		kinst_text_printf(line, "{ __typeof__(+(%.*s)) __kinst_n = (%.*s);", n, p, n, p);
	kinst_text_puts(outer, " num_threads(__kinst_n)");
}

static void emit_parallel(struct emitter *e, struct kinst_extent *s)
{
	const struct kinst_clause *threads = kinst_directive_clause(&s->d, "num_threads");
	struct kinst_text outer = { 0 }, inner = { 0 }, line = { 0 };
	const char *type = parallel_type(&s->d);
	struct kinst_extent half = *s;
	int cancelled = e->cancelled;
	size_t region;

	e->cancelled = kinst_extent_is_cancelled(TOKENS(e), s, "parallel");
	region = region_of(e, s, type, type[8] ? ending_attribute(ending_of(e, s, type + 8)) : "");
	kinst_emit_split(TOKENS(e), s, &outer, &inner);
	if (threads && threads->args) {
		put_threads(threads, &line, &outer);
		kinst_patch_before(&e->patch, s->pragma, line.data);
	} else {
		kinst_patch_before(&e->patch, s->pragma, "{ int __kinst_n = POMP2_Lib_get_max_threads();");
	}
	put_code(e, s->pragma, 0,
	         "D POMP2_Task_handle __kinst_t; "
	         "POMP2_Parallel_fork(&H, 1, __kinst_n, &__kinst_t, C);",
	         region);
	line.length = 0;
	kinst_text_printf(&line, "#pragma omp parallel%s", outer.data ? outer.data : "");
	kinst_region_code(&e->regions, region, " shared(H) firstprivate(__kinst_t)", &line);
	kinst_patch_pragma(&e->patch, s->pragma, line.data);
	put_code(e, s->pragma, 0, "{ ompp_parallel_begin(&H, __kinst_t);", region);
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
		kinst_patch_replace(&e->patch, s->pragma, NULL);
		emit_statement(e, s);
	}
	put_barrier(e, s->last, region);
	put_code(e, s->last, 1, "POMP2_Parallel_end(&H); }\nPOMP2_Parallel_join(&H, __kinst_t); }", region);
	e->cancelled = cancelled;
	kinst_text_free(&outer);
	kinst_text_free(&inner);
	kinst_text_free(&line);
}

/* Leaves a construct as it is.  The constructs inside it still get calls, unless there is a reason against that. */
static void leave_alone(struct emitter *e, const struct kinst_extent *s, const char *why_not)
{
	const char *silent = emit_silence(e, why_not);

	e->depth++;
	if (s->last != s->pragma)
		emit_statement(e, s);
	e->depth--;
	e->silent = silent;
}

static void emit_construct(struct emitter *e, struct kinst_extent *s)
{
	const char *silent, *type;

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
		type = s->d.leaves[0] == KINST_OMP_MASTER ? "master" : "masked";
		if (s->d.n_leaves > 1)
			emit_master_taskloop(e, s, type);
		else
			emit_master(e, s, type);
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
		silent = emit_silence(e, KINST_NO_CALLS);
		emit_atomic(e, s);
		e->silent = silent;
		break;
	case KINST_OMP_FLUSH:
		emit_outside(e, s, "flush", OPEN "POMP2_Flush_enter(&H, C);", "POMP2_Flush_exit(&H); }");
		break;
	case KINST_OMP_BARRIER:
		emit_outside(e, s, "barrier",
		             OPEN "POMP2_Task_handle __kinst_o; POMP2_Barrier_enter(&H, &__kinst_o, C);",
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
		silent = emit_silence(e, no_calls_if(e->options->device));
		emit_around(e, s, "target");
		e->silent = silent;
		break;
	default:
		emit_around(e, s, kinst_region_type(&s->d));
		break;
	}
}

/* Returns 1 for directives that must stay whole for clang.  clang 14 computes a scan rightly only in a combined
 * loop, and in `parallel master taskloop` it takes shared variables for firstprivate. */
static int is_whole_for_clang(const struct kinst_directive *d)
{
	return d->leaves[0] == KINST_OMP_PARALLEL && d->n_leaves > 1 &&
	       (kinst_directive_scans(d) || kinst_directive_has(d, KINST_OMP_TASKLOOP));
}

/* Passes over a directive that gets no calls.  Returns the token behind what was emitted. */
static uint32_t pass_over(struct emitter *e, struct kinst_extent *s, int is_found)
{
	if (kinst_emit_is_construct(e->options, &s->d))
		kinst_emitted_give_up(e->emitted,
		                      kinst_emitted_add(e->emitted, &s->d, place_of(e, s->pragma, 0),
		                                        kinst_patch_last_line(&e->patch, s->pragma)),
		                      "where it ends is not known");
	else if (s->d.leaves[0] == KINST_OMP_SIMD && is_found)
		leave_alone(e, s, KINST_NO_CALLS);
	else
		s->last = s->pragma;
	return s->last + 1;
}

/* Reads a directive as clang does: clang warns about unknown words after `parallel`, and ignores the rest of the
 * line. */
static void as_clang_reads(struct kinst_directive *d, int knows_combined)
{
	int unknown = d->leaves[0] == KINST_OMP_PARALLEL && d->n_leaves > 1 && !knows_combined &&
	              (d->leaves[1] == KINST_OMP_MASKED || d->leaves[1] == KINST_OMP_GENERIC_LOOP);

	if (unknown) {
		d->n_leaves = 1;
		d->n_name = strlen("parallel");
	}
	if (unknown || d->has_comma)
		d->n_clauses = 0;
}

/* Emits what begins at a pragma.  Returns the token behind it. */
static uint32_t emit_pragma(struct emitter *e, uint32_t i)
{
	struct kinst_extent s = { .pragma = i };
	enum kinst_leaf around = e->around;
	size_t construct;
	int is_found;

	if (!e->options->openmp || e->uninstrumented || !kinst_pragma_read(TOKENS(e), i, &s.d))
		return i + 1;
	if (e->options->clang)
		as_clang_reads(&s.d, e->options->combined);
	is_found = e->n_lost < MOST_LOST && kinst_extent_find(TOKENS(e), &s);
	e->n_lost += !is_found;
	if (!is_found || !kinst_emit_is_construct(e->options, &s.d)) {
		s.last = is_found ? s.last : i;
		i = pass_over(e, &s, is_found);
		kinst_directive_free(&s.d);
		return i;
	}
	construct = kinst_emitted_add(e->emitted, &s.d, place_of(e, s.pragma, 0),
	                              kinst_patch_last_line(&e->patch, s.last));
	e->around = s.d.leaves[s.d.n_leaves - 1];
	if (s.d.leaves[0] == KINST_OMP_OTHER) {
		kinst_emitted_give_up(e->emitted, construct, "what it becomes is known to the compiler alone");
		leave_alone(e, &s,
		            kinst_emit_why_not_inside(&s.d, "what the metadirective around it becomes is not known"));
	} else if (e->depth >= DEEPEST) {
		kinst_emitted_give_up(e->emitted, construct,
		                      "too many constructs around it; nothing inside is measured");
	} else if (e->silent) {
		kinst_emitted_give_up(e->emitted, construct, e->silent);
		leave_alone(e, &s, NULL);
	} else if (kinst_emit_is_disabled(e->options, &s.d)) {
		kinst_emitted_give_up(e->emitted, construct, "--disable");
		leave_alone(e, &s, kinst_emit_why_not_inside(&s.d, "--disable"));
	} else if (kinst_emit_is_given_up(e->options, construct)) {
		kinst_emitted_give_up(e->emitted, construct, "it does not compile with calls in it");
		leave_alone(e, &s, kinst_emit_why_not_inside(&s.d, KINST_NO_TEAM));
	} else if (e->options->clang && s.d.leaves[0] == KINST_OMP_TEAMS && around == KINST_OMP_TARGET) {
		kinst_emitted_give_up(e->emitted, construct, "clang allows nothing between it and its target");
		leave_alone(e, &s, NULL);
	} else if (e->options->clang && is_whole_for_clang(&s.d)) {
		kinst_emitted_give_up(e->emitted, construct, "taken apart it would compute another result with clang");
		leave_alone(e, &s, kinst_emit_why_not_inside(&s.d, KINST_NO_TEAM));
	} else {
		e->depth++;
		emit_construct(e, &s);
		e->depth--;
	}
	e->around = around;
	i = s.last;
	kinst_directive_free(&s.d);
	return i + 1;
}

/* ---- the user's own pragmas ---- */

/* Reads the user's own directive at token i.  Returns 0 when it is none. */
static int read_pomp(struct emitter *e, uint32_t i, struct kinst_pomp *pomp)
{
	const struct kinst_token *t = TOKENS(e)->tokens + i;

	return t->kind == KINST_PRAGMA && kinst_pomp_read_pragma(pomp, TOKENS(e)->text + t->at, t->length);
}

/* Returns the pragma `inst end(name)` behind token i, or i when there is none. */
static uint32_t find_user_end(struct emitter *e, uint32_t i, const struct kinst_pomp *begin)
{
	struct kinst_pomp end;

	for (uint32_t k = i + 1; e->n_lost < MOST_LOST && k < e->patch.tokens.n_tokens; k++)
		if (read_pomp(e, k, &end) && end.verb == KINST_POMP_END && end.n_name == begin->n_name &&
		    !memcmp(end.name, begin->name, end.n_name))
			return k;
	e->n_lost++;
	return i;
}

/* Adds the calls for one of the user's own directives. */
static void pomp_calls(struct emitter *e, uint32_t i, const struct kinst_pomp *pomp, struct kinst_text *lines)
{
	int begins = pomp->verb == KINST_POMP_BEGIN && !e->options->no_pomp;
	uint32_t last = begins ? find_user_end(e, i, pomp) : i;
	enum kinst_pomp_verb verb;
	const char *name;
	size_t region;

	verb = kinst_user_call(&e->regions, e->options, e->emitted, pomp, place_of(e, i, 0), place_of(e, last, 1),
	                       &region);
	name = kinst_user_call_name(verb);
	if (verb == KINST_POMP_INSTRUMENT || verb == KINST_POMP_NOINSTRUMENT)
		e->uninstrumented = verb == KINST_POMP_NOINSTRUMENT;
	else if (name)
		kinst_text_printf(lines, "POMP2_%c%s();", toupper((unsigned char)*name), name + 1);
	else if (verb != KINST_POMP_NONE)
		kinst_region_code(&e->regions, region,
		                  verb == KINST_POMP_BEGIN ? "POMP2_Begin(&H, C);" : "POMP2_End(&H);", lines);
}

/* Emits one of the user's own pragmas.  Returns the token behind it, or the pragma itself when it is none. */
static uint32_t emit_pomp(struct emitter *e, uint32_t i)
{
	struct kinst_text lines = { 0 };
	struct kinst_pomp pomp;
	uint32_t last = KINST_NONE;

	if (!read_pomp(e, i, &pomp))
		return i;
	pomp_calls(e, i, &pomp, &lines);
	if (!lines.length) {
		kinst_patch_replace(&e->patch, i, NULL);
		return i + 1;
	}
	/* Where the pragma is the statement of an if, what follows belongs to the if as well. */
	if (i && e->depth < DEEPEST && kinst_braces_is_head(TOKENS(e), i - 1))
		last = kinst_braces_statement(TOKENS(e), i + 1);
	if (last != KINST_NONE)
		kinst_patch_before(&e->patch, i, "{");
	kinst_patch_before(&e->patch, i, lines.data);
	kinst_text_free(&lines);
	kinst_patch_replace(&e->patch, i, NULL);
	if (last == KINST_NONE)
		return i + 1;
	e->depth++;
	emit_walk(e, i + 1, last + 1);
	e->depth--;
	kinst_patch_behind(&e->patch, last, "}");
	return last + 1;
}

static void emit_walk(struct emitter *e, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to;) {
		if (e->patch.tokens.tokens[i].kind == KINST_PRAGMA) {
			uint32_t next = emit_pomp(e, i);

			i = next != i ? next : emit_pragma(e, i);
		} else {
			i++;
		}
	}
}

/* ---- the whole ---- */

/* Writes the head of the text, our declarations as if they stood in a system header, and then the rest of the text. */
static void emit_assemble(struct emitter *e, size_t n_head, int has_data)
{
	struct kinst_text *out = &e->emitted->text;
	uint32_t main_marker = e->patch.tokens.n_markers > 1 && n_head ? 1 : 0;

	kinst_text_add(out, e->patch.tokens.text, n_head);
	kinst_lexer_put_marker(TOKENS(e), main_marker, 1, 1, out);
	kinst_prologue(out, e->options->cxx);
	if (has_data)
		kinst_prologue_data(out, e->options->cxx);
	if (e->options->extra)
		kinst_text_puts(out, e->options->extra);
	for (size_t i = 0; i < e->regions.n; i++)
		if (e->regions.items[i].user)
			kinst_region_code(&e->regions, i, "D\n", out);
	kinst_lexer_put_marker(TOKENS(e), main_marker, 1, 0, out);
	kinst_text_add(out, e->patch.out.data ? e->patch.out.data : "", e->patch.out.length);
}

int kinst_emit(const char *text, size_t length, const struct kinst_emit_options *options, struct kinst_emitted *emitted)
{
	struct kinst_text called = { 0 }, pragmas = { 0 };
	struct emitter e = { .options = options,
		             .emitted = emitted,
		             .regions.directory = options->directory,
		             .regions.cxx = options->cxx,
		             .patch.locks = options->locks };
	size_t n_head, n_data;
	int rc;

	e.patch.put_site = put_site;
	e.patch.context = &e;
	*emitted = (struct kinst_emitted){ 0 };
	n_data = kinst_data_rewrite(text, length, options->cxx, options->data, &called, &emitted->messages);
	if (n_data) {
		text = called.data;
		length = called.length;
	}
	e.detaches = memmem(text, length, "detach", 6) != NULL;
	rc = kinst_lexer_read(TOKENS(&e), text, length);
	if (!rc && options->openmp && kinst_attributes_rewrite(TOKENS(&e), &pragmas)) {
		kinst_lexer_free(TOKENS(&e));
		text = pragmas.data;
		length = pragmas.length;
		rc = kinst_lexer_read(TOKENS(&e), text, length);
	}
	if (!rc) {
		n_head = kinst_lexer_head(text, length);
		kinst_patch_skip(&e.patch, n_head);
		emit_walk(&e, e.patch.next, TOKENS(&e)->n_tokens);
		kinst_patch_copy(&e.patch, length);
		emitted->n_calls = e.patch.n_calls + (n_data > 0);
		emit_assemble(&e, n_head, n_data > 0);
		kinst_pomp_complain_unended(&e.regions, &emitted->messages);
	}
	kinst_regions_free(&e.regions);
	kinst_lexer_free(TOKENS(&e));
	kinst_text_free(&called);
	kinst_text_free(&e.patch.out);
	kinst_text_free(&pragmas);
	return rc;
}
