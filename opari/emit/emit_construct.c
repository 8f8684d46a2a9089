/*
 * Emit construct: see emit_construct.h.
 */
#include "opari/emit/emit_construct.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/kinst_text.h"
#include "opari/emit/emit.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/emitter.h"
#include "opari/emit/patch.h"
#include "opari/emit/task_calls.h"
#include "opari/read/braces.h"
#include "opari/read/directive.h"
#include "opari/read/extent.h"
#include "opari/read/map_clause.h"
#include "opari/read/operand.h"

static const char *no_calls_if(int is)
{
	return is ? KINST_NO_CALLS : NULL;
}

/* The handle is static in the braces around the construct, so it is shared by all that runs inside. */
#define OPEN "{ D "

static void emit_statement(struct kinst_emitter *e, const struct kinst_extent *s)
{
	e->walk(e, s->first, s->last + 1);
}

/* Closes a worksharing construct.  If `nowait` was added to remove its own barrier, a barrier of ours follows. */
static void close_work(struct kinst_emitter *e, const struct kinst_extent *s, size_t region, int waits,
                       const char *exit)
{
	if (waits)
		kinst_emitter_barrier(e, s->last, region);
	kinst_emitter_put(e, s->last, 1, exit, region);
}

/* How a worksharing construct ends. */
enum ending { NOWAIT, OUR_BARRIER, OWN_BARRIER };

/* Returns how a worksharing construct ends.  If it must keep its own barrier, the waiting time there is counted in its
 * body. */
static enum ending ending_of(const struct kinst_emitter *e, const struct kinst_extent *s, const char *cancel)
{
	if (kinst_directive_clause(&s->d, "nowait"))
		return NOWAIT;
	if (kinst_directive_clause(&s->d, "copyprivate") || kinst_directive_reduces_tasks(&s->d) || e->cancelled ||
	    kinst_extent_is_cancelled(KINST_TOKENS(e), s, cancel))
		return OWN_BARRIER;
	return OUR_BARRIER;
}

static const char *ending_attribute(enum ending ending)
{
	return ending == OWN_BARRIER ? "ownBarrier=1*" : "";
}

/* Finds the body of the innermost of n loops, which may have braces between them.  Returns 0 when there is none. */
static int innermost_body(const struct kinst_emitter *e, const struct kinst_extent *s, size_t n, uint32_t *first,
                          uint32_t *last)
{
	uint32_t i = s->first;

	while (n-- && i != KINST_NONE)
		i = kinst_extent_inside(KINST_TOKENS(e), i, n > 0);
	if (i == KINST_NONE)
		return 0;
	*first = i;
	*last = kinst_braces_statement(KINST_TOKENS(e), i);
	return *last != KINST_NONE && *last <= s->last;
}

/* Returns whether a call may stand at the begin of each iteration: not where vectors are asked for, nor where a scan
 * has to be a statement of the loop's own body; in an ordered loop iterations wait for each other; and without a
 * barrier that is told nobody learns of them. */
static int may_tell_iterations(const struct kinst_emitter *e, const struct kinst_extent *s, enum ending ending)
{
	return e->options->iterations && ending == OUR_BARRIER && !kinst_directive_has(&s->d, KINST_OMP_SIMD) &&
	       !kinst_directive_clause(&s->d, "ordered") && !kinst_directive_scans(&s->d);
}

/* Walks over a loop, and puts a call at the begin of each iteration, whose body is known. */
static void emit_iterations(struct kinst_emitter *e, const struct kinst_extent *s, uint32_t first, uint32_t last,
                            size_t region)
{
	kinst_emitter_put(e, first, 0, "{ ompp_loop_iteration();", region);
	e->walk(e, first, last + 1);
	kinst_emitter_put(e, last, 1, "}", region);
	e->walk(e, s->first > e->patch.next ? s->first : e->patch.next, s->last + 1);
}

/* Puts calls around for and for simd.
 * combined: 0, or 1 + the number of the parallel region whose inner half this is */
static void emit_for(struct kinst_emitter *e, struct kinst_extent *s, size_t combined)
{
	enum ending ending = ending_of(e, s, "for");
	size_t region = combined ? combined - 1 : kinst_emitter_region(e, s, "for", ending_attribute(ending));
	size_t n = kinst_directive_n_loops(&s->d);
	uint32_t first = 0, last = 0;
	int tells = n && may_tell_iterations(e, s, ending) && innermost_body(e, s, n, &first, &last);
	const char *silent;

	kinst_emitter_put(e, s->pragma, 0, combined ? "{ POMP2_For_enter(&H, C);" : OPEN "POMP2_For_enter(&H, C);",
	                  region);
	if (tells)
		kinst_emitter_put(e, s->pragma, 0, "ompp_loop_iterates(&H);", region);
	kinst_emitter_pragma(e, s, ending == OUR_BARRIER ? " nowait" : "");
	silent = kinst_emitter_silence(e, no_calls_if(kinst_directive_has(&s->d, KINST_OMP_SIMD)));
	if (tells)
		emit_iterations(e, s, first, last, region);
	else
		emit_statement(e, s);
	e->silent = silent;
	close_work(e, s, region, !combined && ending == OUR_BARRIER, "POMP2_For_exit(&H); }");
}

static void emit_sections(struct kinst_emitter *e, struct kinst_extent *s, size_t combined)
{
	enum ending ending = ending_of(e, s, "sections");
	size_t region = combined ? combined - 1 : kinst_emitter_region(e, s, "sections", ending_attribute(ending));
	uint32_t i = s->first + 1, end = s->last, next;

	kinst_emitter_put(e, s->pragma, 0,
	                  combined ? "{ POMP2_Sections_enter(&H, C);" : OPEN "POMP2_Sections_enter(&H, C);", region);
	kinst_emitter_pragma(e, s, ending == OUR_BARRIER ? " nowait" : "");
	next = kinst_extent_section(KINST_TOKENS(e), i, end);
	if (next > i) { /* the first section has no pragma */
		kinst_emitter_put(e, s->first, 1, "#pragma omp section\n{ POMP2_Section_begin(&H, C);", region);
		e->walk(e, i, next);
		kinst_emitter_put(e, next, 0, "POMP2_Section_end(&H); }", region);
	}
	for (i = next; i < end; i = next) {
		next = kinst_extent_section(KINST_TOKENS(e), i + 1, end);
		kinst_emitter_put(e, i, 1, "{ POMP2_Section_begin(&H, C);", region);
		e->walk(e, i + 1, next);
		kinst_emitter_put(e, next, 0, "POMP2_Section_end(&H); }", region);
	}
	close_work(e, s, region, !combined && ending == OUR_BARRIER, "POMP2_Sections_exit(&H); }");
}

/* Puts calls around a block that shares work (single, scope): in front (enter), at its begin and its end, and behind
 * (exit). */
static void emit_block(struct kinst_emitter *e, struct kinst_extent *s, const char *type, const char *enter,
                       const char *begin, const char *end, const char *exit)
{
	enum ending ending = ending_of(e, s, "");
	size_t region = kinst_emitter_region(e, s, type, ending_attribute(ending));

	kinst_emitter_put(e, s->pragma, 0, enter, region);
	kinst_emitter_pragma(e, s, ending == OUR_BARRIER ? " nowait" : "");
	kinst_emitter_put(e, s->first, 0, begin, region);
	emit_statement(e, s);
	kinst_emitter_put(e, s->last, 1, end, region);
	close_work(e, s, region, ending == OUR_BARRIER, exit);
}

static void emit_single(struct kinst_emitter *e, struct kinst_extent *s)
{
	emit_block(e, s, "single", OPEN "POMP2_Single_enter(&H, C);", "{ POMP2_Single_begin(&H);",
	           "POMP2_Single_end(&H); }", "POMP2_Single_exit(&H); }");
}

static void emit_scope(struct kinst_emitter *e, struct kinst_extent *s)
{
	emit_block(e, s, "scope", OPEN "POMP2_For_enter(&H, C);", "{", "}", "POMP2_For_exit(&H); }");
}

/* Puts calls before a construct (enter), at the begin and the end of its body, and behind it (exit).
 * more: further clauses of its pragma */
static void emit_body(struct kinst_emitter *e, struct kinst_extent *s, size_t region, const char *enter,
                      const char *more, const char *begin, const char *end, const char *exit)
{
	struct kinst_text clauses = { 0 };

	kinst_region_code(&e->regions, region, more, &clauses);
	kinst_emitter_put(e, s->pragma, 0, enter, region);
	kinst_emitter_pragma(e, s, clauses.data);
	kinst_emitter_put(e, s->first, 0, begin, region);
	emit_statement(e, s);
	kinst_emitter_put(e, s->last, 1, end, region);
	kinst_emitter_put(e, s->last, 1, exit, region);
	kinst_text_free(&clauses);
}

/* Puts calls around master and masked, which one thread does without waiting. */
static void emit_master(struct kinst_emitter *e, struct kinst_extent *s, const char *type)
{
	emit_body(e, s, kinst_emitter_region(e, s, type, ""), OPEN, "", "{ POMP2_Master_begin(&H, C);",
	          "POMP2_Master_end(&H); }", "}");
}

static void emit_critical(struct kinst_emitter *e, struct kinst_extent *s)
{
	char *name = s->d.arg.args ? kinst_format("criticalName=%.*s*", (int)s->d.arg.n_args, s->d.arg.args) : NULL;
	size_t region = kinst_emitter_region(e, s, "critical", name ? name : "");

	free(name);
	emit_body(e, s, region, OPEN "POMP2_Critical_enter(&H, C);", "", "{ POMP2_Critical_begin(&H);",
	          "POMP2_Critical_end(&H); }", "POMP2_Critical_exit(&H); }");
}

static void emit_ordered(struct kinst_emitter *e, struct kinst_extent *s)
{
	emit_body(e, s, kinst_emitter_region(e, s, "ordered", ""), OPEN "POMP2_Ordered_enter(&H, C);", "",
	          "{ POMP2_Ordered_begin(&H);", "POMP2_Ordered_end(&H); }", "POMP2_Ordered_exit(&H); }");
}

/* Puts the call that creates a task, and those that say for what it waits.
 * name: of the call
 * variables: what the call needs, beside what each has */
static void put_creation(struct kinst_emitter *e, const struct kinst_extent *s, const char *name, const char *variables,
                         size_t region)
{
	struct kinst_text flags = { 0 }, depends = { 0 };
	char *begin = kinst_format(OPEN "POMP2_Task_handle __kinst_n = 0, __kinst_o = 0%s; "
	                                "POMP2_%s_create_begin(&H, &__kinst_n, &__kinst_o, ",
	                           variables, name);

	kinst_task_flags(&s->d, &flags);
	kinst_task_depends(&s->d, e->options->cxx, &depends);
	kinst_emitter_put(e, s->pragma, 0, begin, region);
	kinst_patch_before(&e->patch, s->pragma, flags.data);
	kinst_emitter_put(e, s->pragma, 0, ", C);", region);
	if (depends.data)
		kinst_patch_before(&e->patch, s->pragma, depends.data);
	free(begin);
	kinst_text_free(&flags);
	kinst_text_free(&depends);
}

static void emit_task(struct kinst_emitter *e, struct kinst_extent *s)
{
	int untied = kinst_directive_clause(&s->d, "untied") != NULL;
	size_t region = kinst_emitter_region(e, s, "task", untied ? "hasUntied=1*" : "");

	put_creation(e, s, untied ? "Untied_task" : "Task", "", region);
	emit_body(e, s, region, "", " shared(H) firstprivate(__kinst_n)",
	          untied ? "{ POMP2_Untied_task_begin(&H, __kinst_n);" : "{ POMP2_Task_begin(&H, __kinst_n);",
	          untied ? "POMP2_Untied_task_end(&H); }" : "POMP2_Task_end(&H); }",
	          untied ? "POMP2_Untied_task_create_end(&H, __kinst_o); }"
	                 : "POMP2_Task_create_end(&H, __kinst_o); }");
}

/* A taskgroup waits behind its body. */
static void emit_taskgroup(struct kinst_emitter *e, struct kinst_extent *s)
{
	emit_body(e, s, kinst_emitter_region(e, s, "taskgroup", ""),
	          OPEN "POMP2_Task_handle __kinst_o = 0; POMP2_Taskwait_begin(&H, &__kinst_o, C);", "", "{",
	          "ompp_taskgroup_ends(&H); }", "POMP2_Taskwait_end(&H, __kinst_o); }");
}

/* Puts calls around a taskloop, and around each iteration as a task's execution; `continue` may leave an iteration,
 * too. */
static void emit_taskloop(struct kinst_emitter *e, struct kinst_extent *s)
{
	size_t n = kinst_directive_n_loops(&s->d);
	size_t region = kinst_emitter_region(e, s, "taskloop",
	                                     kinst_directive_clause(&s->d, "untied") ? "hasUntied=1*" : "");
	int has_simd = kinst_directive_has(&s->d, KINST_OMP_SIMD);
	struct kinst_text clauses = { 0 };
	const char *silent;
	uint32_t first, last;

	kinst_region_code(&e->regions, region, has_simd ? "" : " shared(H) firstprivate(__kinst_n, __kinst_p)",
	                  &clauses);
	put_creation(e, s, "Task", ", __kinst_p = 0", region);
	kinst_emitter_pragma(e, s, clauses.data);
	kinst_text_free(&clauses);
	silent = kinst_emitter_silence(e, no_calls_if(has_simd));
	if (!has_simd && n && innermost_body(e, s, n, &first, &last)) {
		kinst_emitter_put(e, first, 0,
		                  "{ POMP2_Region_handle *__kinst_c __attribute__((__cleanup__(ompp_task_left))) = "
		                  "ompp_iteration_begun(&H, __kinst_n, &__kinst_p);",
		                  region);
		e->walk(e, first, last + 1);
		kinst_emitter_put(e, last, 1, "}", region);
	}
	e->walk(e, s->first > e->patch.next ? s->first : e->patch.next, s->last + 1);
	e->silent = silent;
	kinst_emitter_put(e, s->last, 1, "POMP2_Task_create_end(&H, __kinst_o); }", region);
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
static void emit_master_taskloop(struct kinst_emitter *e, struct kinst_extent *s, const char *type)
{
	size_t region = kinst_emitter_region(e, s, type, "");
	struct kinst_text clauses = { 0 }, line = { 0 };
	struct kinst_extent half = *s;

	kinst_text_printf(&line, "#pragma omp %s", type);
	for (size_t i = 0; i < s->d.n_clauses; i++) {
		const struct kinst_clause *c = s->d.clauses + i;

		kinst_text_printf(c->n_name == 6 && !strncmp(c->name, "filter", 6) ? &line : &clauses, " %.*s",
		                  (int)c->n_text, c->text);
	}
	kinst_emitter_put(e, s->pragma, 0, OPEN, region);
	kinst_patch_pragma(&e->patch, s->pragma, line.data);
	kinst_emitter_put(e, s->pragma, 0, "{ POMP2_Master_begin(&H, C);", region);
	inner_directive(s, &clauses, &half.d);
	emit_taskloop(e, &half);
	kinst_directive_free(&half.d);
	kinst_emitter_put(e, s->last, 1, "POMP2_Master_end(&H); }\n}", region);
	kinst_text_free(&clauses);
	kinst_text_free(&line);
}

/* Puts a call that tells how many bytes the clauses of a target directive map, before it. */
static void put_maps(struct kinst_emitter *e, const struct kinst_extent *s, size_t region)
{
	struct kinst_text to = { 0 }, from = { 0 }, line = { 0 };

	if (!kinst_map_clause_is(&s->d))
		return;
	kinst_map_clauses(&s->d, KINST_TOKENS(e)->text, KINST_TOKENS(e)->length, &to, &from);
	kinst_text_printf(&line, "ompp_target_maps(&__kinst_%zu, (long long)(%s), (long long)(%s));", region, to.data,
	                  from.data);
	kinst_patch_before(&e->patch, s->pragma, line.data);
	kinst_text_free(&to);
	kinst_text_free(&from);
	kinst_text_free(&line);
}

/* Puts calls before and behind a construct, and none in its body. */
static void emit_outside(struct kinst_emitter *e, struct kinst_extent *s, const char *type, const char *enter,
                         const char *exit)
{
	size_t region = kinst_emitter_region(e, s, type, "");

	kinst_emitter_put(e, s->pragma, 0, enter, region);
	put_maps(e, s, region);
	kinst_emitter_pragma(e, s, "");
	if (s->last != s->pragma)
		emit_statement(e, s);
	kinst_emitter_put(e, s->last, 1, exit, region);
}

/* Puts calls around an atomic.  An operand that contains a call is evaluated before it (operand.h). */
static void emit_atomic(struct kinst_emitter *e, struct kinst_extent *s)
{
	uint32_t first, last;
	size_t region;
	char *type;

	if (!kinst_operand_find(KINST_TOKENS(e), s, &first, &last)) {
		emit_outside(e, s, "atomic", OPEN "POMP2_Atomic_enter(&H, C);", "POMP2_Atomic_exit(&H); }");
		return;
	}
	region = kinst_emitter_region(e, s, "atomic", "");
	type = kinst_patch_text(&e->patch, first, last);
	kinst_patch_before(&e->patch, s->pragma, "{ __typeof__(");
	kinst_patch_before(&e->patch, s->pragma, type);
	kinst_patch_before(&e->patch, s->pragma, ") __kinst_a = (");
	kinst_patch_again(&e->patch, s->pragma, first, last);
	kinst_emitter_put(e, s->pragma, 0, "); " OPEN "POMP2_Atomic_enter(&H, C);", region);
	kinst_emitter_pragma(e, s, "");
	kinst_patch_exchange(&e->patch, first, last, "__kinst_a");
	kinst_emitter_put(e, s->last, 1, "POMP2_Atomic_exit(&H); } }", region);
	free(type);
}

/* Puts calls around a construct that may wait, and run other tasks meanwhile. */
static void emit_around(struct kinst_emitter *e, struct kinst_extent *s, const char *type)
{
	emit_outside(e, s, type, OPEN "POMP2_Task_handle __kinst_o = 0; POMP2_Taskwait_begin(&H, &__kinst_o, C);",
	             "POMP2_Taskwait_end(&H, __kinst_o); }");
}

/* Puts calls around a target.  clang allows nothing between a target and the teams that are all of it, so the calls of
 * these stand around the target, too. */
static void emit_target(struct kinst_emitter *e, struct kinst_extent *s)
{
	static const char enter[] = OPEN "POMP2_Task_handle __kinst_o = 0; POMP2_Taskwait_begin(&H, &__kinst_o, C);";
	static const char exit[] = "POMP2_Taskwait_end(&H, __kinst_o); }";
	const char *silent = kinst_emitter_silence(e, no_calls_if(e->options->device));
	struct kinst_extent teams;
	size_t region, inner;

	if (!e->options->clang || e->silent || !kinst_emitter_teams(e, s, &teams)) {
		emit_around(e, s, "target");
	} else {
		region = kinst_emitter_region(e, s, "target", "");
		inner = kinst_emitter_region(e, &teams, kinst_region_type(&teams.d), "");
		kinst_emitter_put(e, s->pragma, 0, enter, region);
		put_maps(e, s, region);
		kinst_emitter_put(e, s->pragma, 0, enter, inner);
		kinst_emitter_pragma(e, s, "");
		e->teams = teams.pragma;
		emit_statement(e, s);
		kinst_emitter_put(e, s->last, 1, exit, inner);
		kinst_emitter_put(e, s->last, 1, exit, region);
		kinst_directive_free(&teams.d);
	}
	e->silent = silent;
}

/* Puts both calls before a cancel, as a cancelled thread does not reach the code after it. */
static void emit_cancel(struct kinst_emitter *e, struct kinst_extent *s, const char *type)
{
	emit_outside(e, s, type, OPEN "POMP2_Flush_enter(&H, C); POMP2_Flush_exit(&H);", "}");
}

/* Returns the type of a parallel region, which depends on what it is combined with. */
static const char *parallel_type(const struct kinst_directive *d)
{
	if (d->n_leaves > 1 && d->leaves[1] == KINST_OMP_FOR)
		return "parallelfor";
	return d->n_leaves > 1 && d->leaves[1] == KINST_OMP_SECTIONS ? "parallelsections" : "parallel";
}

/* Makes the number of threads be evaluated once.  Compilers still give the same warnings about it: numbers stay as they
 * are, and an expression keeps its type.  A lambda is not allowed in __typeof__. */
static void put_threads(const struct kinst_clause *threads, struct kinst_text *line, struct kinst_text *outer)
{
	static const char numbers[] = "0123456789uUlL \t+-~!*/%&|^<>=?:()";
	const char *p = threads->args;
	int n = (int)threads->n_args;

	if (n && strspn(p, numbers) >= (size_t)n) {
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

static void emit_parallel(struct kinst_emitter *e, struct kinst_extent *s)
{
	const struct kinst_clause *threads = kinst_directive_clause(&s->d, "num_threads");
	struct kinst_text outer = { 0 }, inner = { 0 }, line = { 0 };
	const char *type = parallel_type(&s->d);
	struct kinst_extent half = *s;
	int cancelled = e->cancelled;
	size_t region;

	e->cancelled = kinst_extent_is_cancelled(KINST_TOKENS(e), s, "parallel");
	region = kinst_emitter_region(e, s, type, type[8] ? ending_attribute(ending_of(e, s, type + 8)) : "");
	kinst_extent_split(KINST_TOKENS(e), s, &outer, &inner);
	if (threads && threads->args) {
		put_threads(threads, &line, &outer);
		kinst_patch_before(&e->patch, s->pragma, line.data);
	} else {
		kinst_patch_before(&e->patch, s->pragma, "{ int __kinst_n = POMP2_Lib_get_max_threads();");
	}
	kinst_emitter_put(e, s->pragma, 0,
	                  "D POMP2_Task_handle __kinst_t = 0; "
	                  "POMP2_Parallel_fork(&H, 1, __kinst_n, &__kinst_t, C);",
	                  region);
	line.length = 0;
	kinst_text_printf(&line, "#pragma omp parallel%s", outer.data ? outer.data : "");
	kinst_region_code(&e->regions, region, " shared(H) firstprivate(__kinst_t)", &line);
	kinst_patch_pragma(&e->patch, s->pragma, line.data);
	kinst_emitter_put(e, s->pragma, 0, "{ ompp_parallel_begin(&H, __kinst_t);", region);
	if (s->d.n_leaves > 1) {
		inner_directive(s, &inner, &half.d);
		if (half.d.leaves[0] == KINST_OMP_FOR)
			emit_for(e, &half, region + 1);
		else if (half.d.leaves[0] == KINST_OMP_SECTIONS)
			emit_sections(e, &half, region + 1);
		else
			kinst_emit_construct(e, &half);
		kinst_directive_free(&half.d);
	} else {
		kinst_patch_replace(&e->patch, s->pragma, NULL);
		emit_statement(e, s);
	}
	kinst_emitter_barrier(e, s->last, region);
	kinst_emitter_put(e, s->last, 1, "POMP2_Parallel_end(&H); }\nPOMP2_Parallel_join(&H, __kinst_t); }", region);
	e->cancelled = cancelled;
	kinst_text_free(&outer);
	kinst_text_free(&inner);
	kinst_text_free(&line);
}

void kinst_emit_construct(struct kinst_emitter *e, struct kinst_extent *s)
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
		silent = kinst_emitter_silence(e, KINST_NO_CALLS);
		emit_atomic(e, s);
		e->silent = silent;
		break;
	case KINST_OMP_FLUSH:
		emit_outside(e, s, "flush", OPEN "POMP2_Flush_enter(&H, C);", "POMP2_Flush_exit(&H); }");
		break;
	case KINST_OMP_BARRIER:
		emit_outside(e, s, "barrier",
		             OPEN "POMP2_Task_handle __kinst_o = 0; POMP2_Barrier_enter(&H, &__kinst_o, C);",
		             "POMP2_Barrier_exit(&H, __kinst_o); }");
		break;
	case KINST_OMP_TASK:
		emit_task(e, s);
		break;
	case KINST_OMP_TASKLOOP:
		emit_taskloop(e, s);
		break;
	case KINST_OMP_TASKGROUP:
		emit_taskgroup(e, s);
		break;
	case KINST_OMP_CANCEL:
		emit_cancel(e, s, "cancel");
		break;
	case KINST_OMP_CANCELLATION_POINT:
		emit_cancel(e, s, "cancellationpoint");
		break;
	case KINST_OMP_TARGET:
		emit_target(e, s);
		break;
	default:
		emit_around(e, s, kinst_region_type(&s->d));
		break;
	}
}
