/*
 * Emit, in Fortran: see emit_fortran.h.
 *
 * The text is emitted in one walk over its statements.  All lines before w.at are copied; a construct is emitted as a
 * whole, with the walk going on inside, and then the walk continues behind it.
 */
#include "opari/emit/emit_fortran.h"

#include <stdlib.h>
#include <string.h>

#include "opari/emit/construct_location.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/prepare_fortran.h"
#include "opari/emit/user_call.h"
#include "opari/emit/write_fortran.h"
#include "opari/read/cycles.h"
#include "opari/read/doubt_fortran.h"
#include "opari/read/extent_fortran.h"
#include "opari/read/lock_sites.h"
#include "opari/read/operand_fortran.h"
#include "opari/read/statements.h"

enum { LABELS = 100000 };

struct emitter {
	const struct kinst_emit_options *options;
	struct kinst_statements s;
	struct kinst_emitted *emitted;
	struct kinst_regions regions;
	struct kinst_writer w;
	const char *silent; /* why no call may be inserted at the current place; NULL if it may */
	int cancelled, uninstrumented;
	/* the CYCLE statements of the current taskloop, their label, and the lowest label in use */
	struct kinst_cycles cycles;
	unsigned int label, lowest_label;
};

#define NO_CALLS "nothing can be called inside of a simd loop, an atomic, a workshare or code for a device"

static void emit_fortran_walk(struct emitter *e, size_t from, size_t to);

/* Walks over statements; if `why_not` gives a reason, no calls are inserted in them. */
static void walk_silently(struct emitter *e, size_t from, size_t to, const char *why_not)
{
	const char *before = e->silent;

	if (!before)
		e->silent = why_not;
	emit_fortran_walk(e, from, to);
	e->silent = before;
}

static const char *no_calls_if(int is)
{
	return is ? NO_CALLS : NULL;
}

/* Writes a call with a region's context string, and with `more` arguments. */
static void put_call(struct emitter *e, const char *name, size_t region, const char *more)
{
	kinst_write_call(&e->w, name, e->regions.items[region].ctc, more);
}

static void call_before(struct emitter *e, size_t i, const char *name, size_t region, const char *more)
{
	kinst_write_before(&e->w, i);
	put_call(e, name, region, more);
	kinst_write_resume(&e->w, i, 0);
}

static void call_behind(struct emitter *e, size_t i, const char *name, size_t region)
{
	kinst_write_behind(&e->w, i);
	put_call(e, name, region, "");
	kinst_write_resume(&e->w, i, 1);
}

/* ---- constructs ---- */

static struct kinst_location place_of(const struct emitter *e, size_t i)
{
	const struct kinst_statement *s = &e->s.items[i];

	return (struct kinst_location){ s->file.p, s->file.n, (uint32_t)s->line,
		                        (uint32_t)(s->line + s->last - s->first) };
}

static size_t region_of(struct emitter *e, const struct kinst_fortran_extent *s, const char *type,
                        const char *attribute)
{
	char *attributes = kinst_region_attributes(&s->d, kinst_fortran_end_has(&e->s, s, "nowait"), attribute);
	struct kinst_bounds bounds = kinst_construct_bounds_fortran(&e->s, s->first, s->last);
	size_t region = kinst_region_new(&e->regions, type, bounds.first, bounds.last, attributes);

	free(attributes);
	return region;
}

/* Puts a call where the body ends: before the end directive, or behind the last statement where there is none. */
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

/* Adds the region of a worksharing construct, or of its PARALLEL, and returns its number. */
static size_t work_region(struct emitter *e, const struct kinst_fortran_extent *s, const char *type, const char *cancel)
{
	return region_of(e, s, type, ending_of(e, s, cancel) == OWN_BARRIER ? "ownBarrier=1*" : "");
}

/* Returns 1 when a BLOCK is all of a construct, which has no end directive then.  With a call beside the BLOCK it needs
 * one. */
static int is_ended_by_block(const struct kinst_fortran_extent *s)
{
	return s->end == KINST_NOWHERE && !kinst_directive_is_loop(&s->d);
}

/* Closes a worksharing construct.  Its own barrier is removed if possible, and one of ours follows. */
static void close_work(struct emitter *e, const struct kinst_fortran_extent *s, const char *name, size_t region,
                       int combined, const char *exit, const char *cancel)
{
	int replace = ending_of(e, s, cancel) == OUR_BARRIER;
	char *end;

	if (s->end != KINST_NOWHERE && (replace || combined))
		kinst_write_drop(&e->w, s->end);
	kinst_write_behind(&e->w, s->last);
	if (replace || combined || is_ended_by_block(s)) {
		end = kinst_format("end %s%s", name, replace ? " nowait" : "");
		kinst_write_directive(&e->w, end);
		free(end);
	}
	if (replace && !combined) {
		put_call(e, "wait", region, "");
		kinst_write_directive(&e->w, "barrier");
		put_call(e, "waited", region, "");
	}
	put_call(e, exit, region, "");
	kinst_write_resume(&e->w, s->last, 1);
}

/* Finds the innermost of a construct's loops.  Returns 0 where something else stands between them. */
static int find_innermost(const struct emitter *e, const struct kinst_fortran_extent *s, size_t *loop)
{
	size_t n = kinst_directive_n_loops(&s->d);
	unsigned long label;

	for (*loop = s->first; n--;) {
		*loop = kinst_fortran_next(&e->s, *loop);
		if (*loop >= e->s.n || !kinst_fortran_is_do(&e->s.items[*loop], &label))
			return 0;
	}
	return *loop > s->first && *loop < s->last;
}

/* Returns whether a call may stand at the begin of each iteration of the innermost loop, which is found: as in C
 * (emit_construct.c). */
static int may_tell_iterations(const struct emitter *e, const struct kinst_fortran_extent *s, size_t *loop)
{
	return e->options->iterations && ending_of(e, s, "do") == OUR_BARRIER &&
	       !kinst_directive_has(&s->d, KINST_OMP_SIMD) && !kinst_directive_clause(&s->d, "ordered") &&
	       !kinst_directive_scans(&s->d) && find_innermost(e, s, loop);
}

static char *name_of(const struct kinst_directive *d)
{
	return kinst_strndup(d->name, d->n_name);
}

/* Puts the calls in front of a loop's directive. */
static void put_do_calls(struct emitter *e, const struct kinst_fortran_extent *s, size_t region)
{
	size_t loop;

	put_call(e, "for_enter", region, "");
	if (may_tell_iterations(e, s, &loop))
		put_call(e, "loop_iterates", region, "");
}

static void put_do_enter(struct emitter *e, const struct kinst_fortran_extent *s, size_t region)
{
	kinst_write_before(&e->w, s->first);
	put_do_calls(e, s, region);
	kinst_write_resume(&e->w, s->first, 0);
}

/* Puts calls around do and do simd.
 * combined: 0, or 1 + the number of the region of the PARALLEL whose directive has been written */
static void emit_do(struct emitter *e, struct kinst_fortran_extent *s, size_t combined)
{
	size_t region = combined ? combined - 1 : work_region(e, s, "do", "do");
	char *name = name_of(&s->d);
	size_t loop;

	if (!combined)
		put_do_enter(e, s, region);
	if (may_tell_iterations(e, s, &loop)) {
		call_behind(e, loop, "loop_iteration", region);
		emit_fortran_walk(e, loop + 1, s->end != KINST_NOWHERE ? s->end : s->last + 1);
	} else {
		walk_body(e, s, no_calls_if(kinst_directive_has(&s->d, KINST_OMP_SIMD)));
	}
	close_work(e, s, name, region, combined > 0, "for_exit", "do");
	free(name);
}

/* Returns 1 when nothing but empty sections follows from section i on.  gfortran leaves such sections out of
 * `parallel sections`, and lastprivate comes from the section before them; in `sections` it keeps them. */
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
		i = kinst_fortran_next(&e->s, i); /* the sections stand in a BLOCK */
	else
		end = s->end;
	next = kinst_fortran_section(&e->s, i, end);
	if (next > i) {
		kinst_write_before(&e->w, i);
		kinst_write_directive(&e->w, "section");
		put_call(e, "section_begin", region, "");
		kinst_write_resume(&e->w, i, 0);
		emit_fortran_walk(e, i, next);
		call_before(e, next, "section_end", region, "");
	}
	for (i = next; i < end; i = next) {
		next = kinst_fortran_section(&e->s, i + 1, end);
		if (combined && !e->options->clang && has_only_sections(e, i, end)) {
			kinst_write_drop(&e->w, i);
			continue;
		}
		call_behind(e, i, "section_begin", region);
		emit_fortran_walk(e, i + 1, next);
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

/* Puts calls around workshare and scope. */
static void emit_work(struct emitter *e, struct kinst_fortran_extent *s, const char *type, size_t combined)
{
	size_t region = combined ? combined - 1 : work_region(e, s, type, "");

	if (!combined)
		call_before(e, s->first, "for_enter", region, "");
	walk_body(e, s, no_calls_if(s->d.leaves[0] == KINST_OMP_WORKSHARE));
	close_work(e, s, type, region, combined > 0, "for_exit", "");
}

/* Writes the end directive of a construct that a BLOCK ends. */
static void put_end(struct emitter *e, const struct kinst_fortran_extent *s)
{
	char *end = kinst_format("end %.*s", (int)s->d.n_name, s->d.name), *name = NULL;

	if (s->d.leaves[0] == KINST_OMP_CRITICAL && s->d.arg.text)
		name = kinst_format("%s %.*s", end, (int)s->d.arg.n_text, s->d.arg.text);
	kinst_write_behind(&e->w, s->last);
	kinst_write_directive(&e->w, name ? name : end);
	kinst_write_resume(&e->w, s->last, 1);
	free(name);
	free(end);
}

/* Puts calls at the begin and the end of a body, and around the whole, unless enter and exit are NULL. */
static void emit_body(struct emitter *e, struct kinst_fortran_extent *s, size_t region, const char *enter,
                      const char *begin, const char *end, const char *exit)
{
	if (enter)
		call_before(e, s->first, enter, region, "");
	call_behind(e, s->first, begin, region);
	walk_body(e, s, NULL);
	put_end_calls(e, s, end, region);
	if (is_ended_by_block(s))
		put_end(e, s);
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

/* Puts calls around the whole of a construct. */
static void emit_around(struct emitter *e, struct kinst_fortran_extent *s, const char *type, const char *enter,
                        const char *exit, int silent)
{
	size_t region = region_of(e, s, type, "");

	call_before(e, s->first, enter, region, "");
	kinst_write_maps(&e->w, s->first, &s->d, e->regions.items[region].ctc, e->options->storage_size);
	if (s->last != s->first)
		walk_body(e, s, no_calls_if(silent));
	call_behind(e, s->last, exit, region);
}

/* Puts calls around an atomic.  An operand that contains a call is evaluated before it: an associate name is
 * evaluated once, and has the operand's type. */
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
	e->emitted->is_quieter = 1; /* gfortran quotes the line that it warns of */
	region = region_of(e, s, "atomic", "");
	kinst_write_before(&e->w, s->first);
	kinst_text_printf(&line, "associate (ompp_operand => %.*s)", (int)operand.n, operand.p);
	kinst_write_long(&e->w, "      ", e->s.fixed ? "     &" : "      &", line.data);
	put_call(e, "atomic_enter", region, "");
	kinst_write_resume(&e->w, s->first, 0);
	kinst_text_free(&line);
	kinst_text_printf(&line, "%.*s ompp_operand %s", (int)(operand.p - e->s.items[i].text), e->s.items[i].text,
	                  operand.p + operand.n);
	kinst_write_exchange(&e->w, i, line.data);
	kinst_text_free(&line);
	kinst_write_behind(&e->w, s->last);
	put_call(e, "atomic_exit", region, "");
	kinst_write_long(&e->w, "      ", "", "end associate");
	kinst_write_resume(&e->w, s->last, 1);
}

/* Finds the innermost loop of a taskloop, whose iterations are the work of its tasks.  Returns 0 when the ends of the
 * iterations cannot be determined. */
static int find_iterations(const struct emitter *e, const struct kinst_fortran_extent *s, size_t *first, size_t *last,
                           struct kinst_cycles *cycles)
{
	if (!find_innermost(e, s, first))
		return 0;
	*last = kinst_fortran_do_end(&e->s, *first);
	return *last != KINST_NOWHERE && kinst_cycles_find(&e->s, *first, *last, cycles);
}

/* Turns a CYCLE of a taskloop into a jump to the call at the end of the iteration. */
static void emit_cycle(struct emitter *e, size_t i)
{
	char *text = kinst_cycles_goto(&e->s.items[i], e->label);

	kinst_write_exchange(&e->w, i, text);
	free(text);
}

/* Puts calls around a taskloop, and around each iteration as a task's execution. */
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
	emit_fortran_walk(e, first + 1, last);
	kinst_write_before(&e->w, last);
	if (cycles.n)
		kinst_text_printf(e->w.out, "%u continue\n", e->label);
	put_call(e, "task_end", region, "");
	kinst_write_resume(&e->w, last, 0);
	call_behind(e, s->last, "task_created", region);
	kinst_cycles_free(&e->cycles);
	e->cycles = outer;
	e->label = outer_label;
}

static void emit_construct(struct emitter *e, struct kinst_fortran_extent *s);

/* Writes the second half of a PARALLEL as a part of the region's body, without calls for itself. */
static void emit_part(struct emitter *e, struct kinst_fortran_extent *half, const char *name)
{
	char *end = kinst_format("end %s", name);

	walk_body(e, half, no_calls_if(kinst_directive_has(&half->d, KINST_OMP_SIMD)));
	if (half->end != KINST_NOWHERE)
		kinst_write_drop(&e->w, half->end);
	kinst_write_behind(&e->w, half->last);
	kinst_write_directive(&e->w, end);
	free(end);
}

static void emit_parallel(struct emitter *e, struct kinst_fortran_extent *s)
{
	enum kinst_leaf second = s->d.n_leaves > 1 ? s->d.leaves[1] : KINST_OMP_OTHER;
	const char *type = second == KINST_OMP_FOR       ? "paralleldo"
	                 : second == KINST_OMP_SECTIONS  ? "parallelsections"
	                 : second == KINST_OMP_WORKSHARE ? "parallelworkshare"
	                                                 : "parallel";
	struct kinst_text outer = { 0 }, inner = { 0 };
	char *n_threads = kinst_write_threads(&s->d);
	struct kinst_fortran_extent half = *s;
	int cancelled = e->cancelled;
	size_t region;

	e->cancelled = kinst_fortran_is_cancelled(&e->s, s, "parallel");
	region = type[8] ? work_region(e, s, type, type + 8) : region_of(e, s, type, "");
	call_before(e, s->first, *n_threads ? "fork_n" : "fork", region, n_threads);
	kinst_write_split(&e->s, s, &outer, &inner);
	if (s->d.n_leaves == 1) {
		call_behind(e, s->first, "run", region);
		walk_body(e, s, NULL);
	} else {
		char *name;

		kinst_write_drop(&e->w, s->first);
		kinst_write_before(&e->w, s->first);
		kinst_write_directive(&e->w, outer.data);
		put_call(e, "run", region, "");
		kinst_directive_read(&half.d, inner.data, inner.length, 1);
		name = name_of(&half.d);
		if (second == KINST_OMP_FOR)
			put_do_calls(e, &half, region);
		else if (second == KINST_OMP_WORKSHARE)
			put_call(e, "for_enter", region, "");
		else if (second == KINST_OMP_SECTIONS)
			put_call(e, "sections_enter", region, "");
		kinst_write_directive(&e->w, inner.data);
		kinst_write_resume(&e->w, s->first, 1);
		if (second == KINST_OMP_FOR)
			emit_do(e, &half, region + 1);
		else if (second == KINST_OMP_SECTIONS)
			emit_sections(e, &half, region + 1);
		else if (second == KINST_OMP_WORKSHARE)
			emit_work(e, &half, "workshare", region + 1);
		else /* master, loop and others are a part of the region's body */
			emit_part(e, &half, name);
		free(name);
		kinst_directive_free(&half.d);
	}
	if (s->d.n_leaves == 1 && s->end != KINST_NOWHERE)
		kinst_write_drop(&e->w, s->end);
	kinst_write_behind(&e->w, s->last);
	put_call(e, "wait", region, "");
	kinst_write_directive(&e->w, "barrier");
	put_call(e, "waited", region, "");
	put_call(e, "ran", region, "");
	kinst_write_directive(&e->w, "end parallel");
	put_call(e, "join", region, "");
	kinst_write_resume(&e->w, s->last, 1);
	e->cancelled = cancelled;
	free(n_threads);
	kinst_text_free(&outer);
	kinst_text_free(&inner);
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
		kinst_write_before(&e->w, s->first);
		put_call(e, "flush_enter", region, "");
		put_call(e, "flush_exit", region, "");
		kinst_write_resume(&e->w, s->first, 0);
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

/* Leaves a construct as it is.  The constructs inside it still get calls, unless it is a parallel region. */
static void leave_alone(struct emitter *e, const struct kinst_fortran_extent *s, size_t construct, const char *why,
                        const char *inside)
{
	kinst_emitted_give_up(e->emitted, construct, why);
	walk_silently(e, s->first + 1, s->last + 1, kinst_emit_why_not_inside(&s->d, inside));
}

/* Passes over a directive that gets no calls.  Returns the statement behind what was emitted. */
static size_t pass_over(struct emitter *e, const struct kinst_fortran_extent *s, int is_found)
{
	if (kinst_emit_is_construct(e->options, &s->d)) {
		kinst_emitted_give_up(e->emitted,
		                      kinst_emitted_add(e->emitted, &s->d, place_of(e, s->first),
		                                        kinst_construct_bounds_fortran(&e->s, s->first, s->first)),
		                      "where it ends is not known");
	} else if (s->d.leaves[0] == KINST_OMP_SIMD && is_found) {
		walk_silently(e, s->first + 1, s->last + 1, NO_CALLS);
		return s->last + 1;
	}
	return s->first + 1;
}

/* Emits what begins at a directive.  Returns the statement behind it. */
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
	e->emitted->is_quieter |= !known || kinst_doubt_fortran(&e->s, &s);
	if (!kinst_emit_is_construct(e->options, &s.d) || !known) {
		i = pass_over(e, &s, known);
		kinst_directive_free(&s.d);
		return i;
	}
	construct = kinst_emitted_add(e->emitted, &s.d, place_of(e, s.first),
	                              kinst_construct_bounds_fortran(&e->s, s.first, s.last));
	if (e->silent) {
		kinst_emitted_give_up(e->emitted, construct, e->silent);
		emit_fortran_walk(e, i + 1, s.last + 1);
	} else if (kinst_emit_is_disabled(e->options, &s.d)) {
		leave_alone(e, &s, construct, "--disable", "--disable");
	} else if (kinst_emit_is_given_up(e->options, construct)) {
		leave_alone(e, &s, construct, "it does not compile with calls in it", KINST_NO_TEAM);
	} else if (kinst_directive_is_loop(&s.d) && s.end == KINST_NOWHERE && kinst_fortran_shares_end(&e->s, &s)) {
		leave_alone(e, &s, construct, "its loop ends at the same statement as a loop around it", KINST_NO_TEAM);
	} else {
		emit_construct(e, &s);
	}
	i = s.last;
	kinst_directive_free(&s.d);
	return i + 1;
}

/* Emits one of the user's own directives.  Returns 0 when statement i is none. */
static int emit_pomp(struct emitter *e, size_t i)
{
	struct kinst_bounds bounds;
	enum kinst_pomp_verb verb;
	struct kinst_pomp pomp;
	const char *name;
	size_t region;

	if (!kinst_user_read_fortran(&e->s, i, &pomp))
		return 0;
	bounds = kinst_construct_bounds_fortran(&e->s, i,
	                                        pomp.verb == KINST_POMP_BEGIN ? kinst_user_end_fortran(&e->s, i, &pomp)
	                                                                      : i);
	verb = kinst_user_call(&e->regions, e->options, e->emitted, &pomp, place_of(e, i), &bounds, &region);
	name = kinst_user_call_name(verb);
	if (verb == KINST_POMP_INSTRUMENT || verb == KINST_POMP_NOINSTRUMENT) {
		e->uninstrumented = verb == KINST_POMP_NOINSTRUMENT;
	} else if (name) {
		kinst_write_before(&e->w, i);
		kinst_text_printf(e->w.out, "      call pomp2_%s()\n", name);
		kinst_write_resume(&e->w, i, 0);
		e->w.n_calls++;
	} else if (verb != KINST_POMP_NONE) {
		call_before(e, i, verb == KINST_POMP_BEGIN ? "begin" : "end", region, "");
	}
	if (!e->s.items[i].is_pomp) { /* gfortran rejects !$omp inst */
		kinst_write_drop(&e->w, i);
		kinst_write_resume(&e->w, i, 1);
	}
	return 1;
}

/* Puts a call before one that makes or sets a lock.  It tells where that happens and which lock it is. */
static void emit_lock(struct emitter *e, size_t i)
{
	struct kinst_span argument = kinst_lock_fortran(e->s.items[i].text);
	struct kinst_text site = { 0 };

	if (!argument.n || !e->options->locks || e->uninstrumented || e->silent)
		return;
	kinst_region_site(&e->regions, place_of(e, i), argument.p, argument.n, &site);
	kinst_write_before(&e->w, i);
	kinst_write_call(&e->w, "lock", site.data, "");
	kinst_write_resume(&e->w, i, 0);
	kinst_text_free(&site);
}

static void emit_fortran_walk(struct emitter *e, size_t from, size_t to)
{
	for (size_t i = from; i < to;) {
		if (kinst_cycles_has(&e->cycles, i)) {
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

int kinst_emit_fortran(const char *text, size_t length, const struct kinst_emit_options *options,
                       struct kinst_emitted *emitted)
{
	struct emitter e = { .options = options,
		             .emitted = emitted,
		             .w = { .out = &emitted->text, .s = &e.s, .is_whole = options->clang },
		             .regions = { .directory = options->directory, .fortran = 1 },
		             .lowest_label = LABELS };
	char *copy;

	*emitted = (struct kinst_emitted){ 0 };
	copy = kinst_prepare_fortran(text, length, options, &e.s, &emitted->is_quieter);
	if (*copy != '#')
		kinst_text_printf(e.w.out, "# 1 \"%s\"\n", options->file);
	emit_fortran_walk(&e, 0, e.s.n);
	kinst_write_copy(&e.w, e.s.n_lines);
	emitted->n_calls = e.w.n_calls;
	kinst_pomp_complain_unended(&e.regions, &emitted->messages);
	kinst_regions_free(&e.regions);
	kinst_statements_free(&e.s);
	free(copy);
	return 0;
}
