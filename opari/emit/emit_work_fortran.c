/*
 * Emit, worksharing in Fortran: see emit_work_fortran.h.
 */
#include "opari/emit/emit_work_fortran.h"

#include <stdlib.h>

#include "opari/emit/prepare_fortran.h"

/* How a worksharing construct ends: see emit.c. */
enum ending { NOWAIT, OUR_BARRIER, OWN_BARRIER };

static enum ending ending_of(const struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s,
                             const char *cancel)
{
	if (kinst_directive_clause(&s->d, "nowait") || kinst_fortran_end_has(&e->s, s, "nowait"))
		return NOWAIT;
	if (e->cancelled || kinst_directive_clause(&s->d, "copyprivate") || kinst_directive_reduces_tasks(&s->d) ||
	    kinst_fortran_end_has(&e->s, s, "copyprivate") || kinst_fortran_is_cancelled(&e->s, s, cancel))
		return OWN_BARRIER;
	return OUR_BARRIER;
}

/* Adds the region of a worksharing construct, or of its PARALLEL, and returns its number. */
size_t kinst_fortran_work_region(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s,
                                 const char *type, const char *cancel)
{
	return kinst_fortran_region(e, s, type, ending_of(e, s, cancel) == OWN_BARRIER ? "ownBarrier=1*" : "");
}

/* Returns 1 when a BLOCK is all of a construct, which has no end directive then.  With a call beside the BLOCK it needs
 * one. */
int kinst_fortran_is_ended_by_block(const struct kinst_fortran_extent *s)
{
	return s->end == KINST_NOWHERE && !kinst_directive_is_loop(&s->d);
}

/* Closes a worksharing construct.  Its own barrier is removed if possible, and one of ours follows. */
static void fortran_close_work(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, const char *name,
                               size_t region, int combined, const char *exit, const char *cancel)
{
	int replace = ending_of(e, s, cancel) == OUR_BARRIER;
	char *end;

	if (s->end != KINST_NOWHERE && (replace || combined))
		kinst_write_drop(&e->w, s->end);
	kinst_write_behind(&e->w, s->last);
	if (replace || combined || kinst_fortran_is_ended_by_block(s)) {
		end = kinst_format("end %s%s", name, replace ? " nowait" : "");
		kinst_write_directive(&e->w, end);
		free(end);
	}
	if (replace && !combined) {
		kinst_fortran_put_call(e, "wait", region, "");
		kinst_write_directive(&e->w, "barrier");
		kinst_fortran_put_call(e, "waited", region, "");
	}
	kinst_fortran_put_call(e, exit, region, "");
	kinst_write_resume(&e->w, s->last, 1);
}

/* Finds the innermost of a construct's loops.  Returns 0 where something else stands between them. */
static int find_innermost(const struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, size_t *loop)
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
static int may_tell_iterations(const struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s,
                               size_t *loop)
{
	return e->options->iterations && ending_of(e, s, "do") == OUR_BARRIER &&
	       !kinst_directive_has(&s->d, KINST_OMP_SIMD) && !kinst_directive_clause(&s->d, "ordered") &&
	       !kinst_directive_scans(&s->d) && find_innermost(e, s, loop);
}

/* Puts the calls in front of a loop's directive. */
void kinst_fortran_put_do_calls(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, size_t region)
{
	size_t loop;

	kinst_fortran_put_call(e, "for_enter", region, "");
	if (may_tell_iterations(e, s, &loop))
		kinst_fortran_put_call(e, "loop_iterates", region, "");
}

static void put_do_enter(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, size_t region)
{
	kinst_write_before(&e->w, s->first);
	kinst_fortran_put_do_calls(e, s, region);
	kinst_write_resume(&e->w, s->first, 0);
}

/* Puts calls around do and do simd.
 * combined: 0, or 1 + the number of the region of the PARALLEL whose directive has been written */
void kinst_fortran_emit_do(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s, size_t combined)
{
	size_t region = combined ? combined - 1 : kinst_fortran_work_region(e, s, "do", "do");
	char *name = kinst_fortran_name(&s->d);
	size_t loop;

	if (!combined)
		put_do_enter(e, s, region);
	if (may_tell_iterations(e, s, &loop)) {
		kinst_fortran_call_behind(e, loop, "loop_iteration", region);
		e->walk(e, loop + 1, s->end != KINST_NOWHERE ? s->end : s->last + 1);
	} else {
		kinst_fortran_walk_body(e, s, kinst_fortran_no_calls_if(kinst_directive_has(&s->d, KINST_OMP_SIMD)));
	}
	fortran_close_work(e, s, name, region, combined > 0, "for_exit", "do");
	free(name);
}

/* Returns 1 when nothing but empty sections follows from section i on.  gfortran leaves such sections out of
 * `parallel sections`, and lastprivate comes from the section before them; in `sections` it keeps them. */
static int has_only_sections(const struct kinst_fortran_emitter *e, size_t i, size_t end)
{
	for (; i < end; i = kinst_fortran_next(&e->s, i))
		if (kinst_fortran_section(&e->s, i, end) != i)
			return 0;
	return 1;
}

void kinst_fortran_emit_sections(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s, size_t combined)
{
	size_t region = combined ? combined - 1 : kinst_fortran_work_region(e, s, "sections", "sections");
	size_t i = kinst_fortran_next(&e->s, s->first), next, end = kinst_fortran_block_end(&e->s, i);
	char *name = kinst_fortran_name(&s->d);

	if (!combined)
		kinst_fortran_call_before(e, s->first, "sections_enter", region, "");
	if (end != KINST_NOWHERE && (s->end == KINST_NOWHERE || kinst_fortran_next(&e->s, end) == s->end))
		i = kinst_fortran_next(&e->s, i); /* the sections stand in a BLOCK */
	else
		end = s->end;
	next = kinst_fortran_section(&e->s, i, end);
	if (next > i) {
		kinst_write_before(&e->w, i);
		kinst_write_directive(&e->w, "section");
		kinst_fortran_put_call(e, "section_begin", region, "");
		kinst_write_resume(&e->w, i, 0);
		e->walk(e, i, next);
		kinst_fortran_call_before(e, next, "section_end", region, "");
	}
	for (i = next; i < end; i = next) {
		next = kinst_fortran_section(&e->s, i + 1, end);
		if (combined && !e->options->clang && has_only_sections(e, i, end)) {
			kinst_write_drop(&e->w, i);
			continue;
		}
		kinst_fortran_call_behind(e, i, "section_begin", region);
		e->walk(e, i + 1, next);
		kinst_fortran_call_before(e, next, "section_end", region, "");
	}
	fortran_close_work(e, s, name, region, combined > 0, "sections_exit", "sections");
	free(name);
}

void kinst_fortran_emit_single(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s)
{
	size_t region = kinst_fortran_work_region(e, s, "single", "");

	kinst_fortran_call_before(e, s->first, "single_enter", region, "");
	kinst_fortran_call_behind(e, s->first, "single_begin", region);
	kinst_fortran_walk_body(e, s, NULL);
	kinst_fortran_put_end_calls(e, s, "single_end", region);
	fortran_close_work(e, s, "single", region, 0, "single_exit", "");
}

/* Puts calls around workshare and scope. */
void kinst_fortran_emit_work(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s, const char *type,
                             size_t combined)
{
	size_t region = combined ? combined - 1 : kinst_fortran_work_region(e, s, type, "");

	if (!combined)
		kinst_fortran_call_before(e, s->first, "for_enter", region, "");
	kinst_fortran_walk_body(e, s, kinst_fortran_no_calls_if(s->d.leaves[0] == KINST_OMP_WORKSHARE));
	fortran_close_work(e, s, type, region, combined > 0, "for_exit", "");
}

/* Finds the innermost loop of a taskloop, whose iterations are the work of its tasks.  Returns 0 when the ends of the
 * iterations cannot be determined. */
static int find_iterations(const struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, size_t *first,
                           size_t *last, struct kinst_cycles *cycles)
{
	if (!find_innermost(e, s, first))
		return 0;
	*last = kinst_fortran_do_end(&e->s, *first);
	return *last != KINST_NOWHERE && kinst_cycles_find(&e->s, *first, *last, cycles);
}

/* Turns a CYCLE of a taskloop into a jump to the call at the end of the iteration. */
void kinst_fortran_emit_cycle(struct kinst_fortran_emitter *e, size_t i)
{
	char *text = kinst_cycles_goto(&e->s.items[i], e->label);

	kinst_write_exchange(&e->w, i, text);
	free(text);
}

/* Puts calls around a taskloop, and around each iteration as a task's execution. */
void kinst_fortran_emit_taskloop(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s)
{
	const char *attribute = kinst_directive_clause(&s->d, "untied") ? "hasUntied=1*" : "";
	size_t region = kinst_fortran_region(e, s, "taskloop", attribute), first, last;
	struct kinst_cycles outer = e->cycles, cycles;
	unsigned int outer_label = e->label;

	kinst_fortran_call_before(e, s->first, "task_create", region, "");
	if (kinst_directive_has(&s->d, KINST_OMP_SIMD) || !find_iterations(e, s, &first, &last, &cycles)) {
		kinst_fortran_walk_body(e, s, kinst_fortran_no_calls_if(kinst_directive_has(&s->d, KINST_OMP_SIMD)));
		kinst_fortran_call_behind(e, s->last, "task_created", region);
		return;
	}
	e->cycles = cycles;
	e->label = e->lowest_label = kinst_cycles_label(&e->s, e->lowest_label);
	kinst_fortran_call_behind(e, first, "task_begin", region);
	e->walk(e, first + 1, last);
	kinst_write_before(&e->w, last);
	if (cycles.n)
		kinst_text_printf(e->w.out, "%u continue\n", e->label);
	kinst_fortran_put_call(e, "task_end", region, "");
	kinst_write_resume(&e->w, last, 0);
	kinst_fortran_call_behind(e, s->last, "task_created", region);
	kinst_cycles_free(&e->cycles);
	e->cycles = outer;
	e->label = outer_label;
}
