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
#include "opari/emit/emit_work_fortran.h"
#include "opari/emit/prepare_fortran.h"
#include "opari/emit/user_call.h"
#include "opari/read/doubt_fortran.h"
#include "opari/read/lock_sites.h"
#include "opari/read/operand_fortran.h"

enum { LABELS = 100000 };
static void emit_fortran_walk(struct kinst_fortran_emitter *e, size_t from, size_t to);

/* Writes the end directive of a construct that a BLOCK ends. */
static void put_end(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s)
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
static void emit_body(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s, size_t region, const char *enter,
                      const char *begin, const char *end, const char *exit)
{
	if (enter)
		kinst_fortran_call_before(e, s->first, enter, region, "");
	kinst_fortran_call_behind(e, s->first, begin, region);
	kinst_fortran_walk_body(e, s, NULL);
	kinst_fortran_put_end_calls(e, s, end, region);
	if (kinst_fortran_is_ended_by_block(s))
		put_end(e, s);
	if (exit)
		kinst_fortran_call_behind(e, s->last, exit, region);
}

static void emit_critical(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s)
{
	char *name = s->d.arg.args ? kinst_format("criticalName=%.*s*", (int)s->d.arg.n_args, s->d.arg.args) : NULL;
	size_t region = kinst_fortran_region(e, s, "critical", name ? name : "");

	free(name);
	emit_body(e, s, region, "critical_enter", "critical_begin", "critical_end", "critical_exit");
}

/* Puts calls around the whole of a construct. */
static void emit_around(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s, const char *type,
                        const char *enter, const char *exit, int silent)
{
	size_t region = kinst_fortran_region(e, s, type, "");

	kinst_fortran_call_before(e, s->first, enter, region, "");
	kinst_write_maps(&e->w, s->first, &s->d, e->regions.items[region].ctc, e->options->storage_size);
	if (s->last != s->first)
		kinst_fortran_walk_body(e, s, kinst_fortran_no_calls_if(silent));
	kinst_fortran_call_behind(e, s->last, exit, region);
}

/* Puts calls around an atomic.  An operand that contains a call is evaluated before it: an associate name is
 * evaluated once, and has the operand's type. */
static void emit_atomic(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s)
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
	region = kinst_fortran_region(e, s, "atomic", "");
	kinst_write_before(&e->w, s->first);
	kinst_text_printf(&line, "associate (ompp_operand => %.*s)", (int)operand.n, operand.p);
	kinst_write_long(&e->w, "      ", e->s.fixed ? "     &" : "      &", line.data);
	kinst_fortran_put_call(e, "atomic_enter", region, "");
	kinst_write_resume(&e->w, s->first, 0);
	kinst_text_free(&line);
	kinst_text_printf(&line, "%.*s ompp_operand %s", (int)(operand.p - e->s.items[i].text), e->s.items[i].text,
	                  operand.p + operand.n);
	kinst_write_exchange(&e->w, i, line.data);
	kinst_text_free(&line);
	kinst_write_behind(&e->w, s->last);
	kinst_fortran_put_call(e, "atomic_exit", region, "");
	kinst_write_long(&e->w, "      ", "", "end associate");
	kinst_write_resume(&e->w, s->last, 1);
}

static void emit_construct(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s);

/* Writes the second half of a PARALLEL as a part of the region's body, without calls for itself. */
static void emit_part(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *half, const char *name)
{
	char *end = kinst_format("end %s", name);

	kinst_fortran_walk_body(e, half, kinst_fortran_no_calls_if(kinst_directive_has(&half->d, KINST_OMP_SIMD)));
	if (half->end != KINST_NOWHERE)
		kinst_write_drop(&e->w, half->end);
	kinst_write_behind(&e->w, half->last);
	kinst_write_directive(&e->w, end);
	free(end);
}

static void emit_parallel(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s)
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
	region = type[8] ? kinst_fortran_work_region(e, s, type, type + 8) : kinst_fortran_region(e, s, type, "");
	kinst_fortran_call_before(e, s->first, *n_threads ? "fork_n" : "fork", region, n_threads);
	kinst_write_split(&e->s, s, &outer, &inner);
	if (s->d.n_leaves == 1) {
		kinst_fortran_call_behind(e, s->first, "run", region);
		kinst_fortran_walk_body(e, s, NULL);
	} else {
		char *name;

		kinst_write_drop(&e->w, s->first);
		kinst_write_before(&e->w, s->first);
		kinst_write_directive(&e->w, outer.data);
		kinst_fortran_put_call(e, "run", region, "");
		kinst_directive_read(&half.d, inner.data, inner.length, 1);
		name = kinst_fortran_name(&half.d);
		if (second == KINST_OMP_FOR)
			kinst_fortran_put_do_calls(e, &half, region);
		else if (second == KINST_OMP_WORKSHARE)
			kinst_fortran_put_call(e, "for_enter", region, "");
		else if (second == KINST_OMP_SECTIONS)
			kinst_fortran_put_call(e, "sections_enter", region, "");
		kinst_write_directive(&e->w, inner.data);
		kinst_write_resume(&e->w, s->first, 1);
		if (second == KINST_OMP_FOR)
			kinst_fortran_emit_do(e, &half, region + 1);
		else if (second == KINST_OMP_SECTIONS)
			kinst_fortran_emit_sections(e, &half, region + 1);
		else if (second == KINST_OMP_WORKSHARE)
			kinst_fortran_emit_work(e, &half, "workshare", region + 1);
		else /* master, loop and others are a part of the region's body */
			emit_part(e, &half, name);
		free(name);
		kinst_directive_free(&half.d);
	}
	if (s->d.n_leaves == 1 && s->end != KINST_NOWHERE)
		kinst_write_drop(&e->w, s->end);
	kinst_write_behind(&e->w, s->last);
	kinst_fortran_put_call(e, "wait", region, "");
	kinst_write_directive(&e->w, "barrier");
	kinst_fortran_put_call(e, "waited", region, "");
	kinst_fortran_put_call(e, "ran", region, "");
	kinst_write_directive(&e->w, "end parallel");
	kinst_fortran_put_call(e, "join", region, "");
	kinst_write_resume(&e->w, s->last, 1);
	e->cancelled = cancelled;
	free(n_threads);
	kinst_text_free(&outer);
	kinst_text_free(&inner);
}

static void emit_construct(struct kinst_fortran_emitter *e, struct kinst_fortran_extent *s)
{
	int untied = kinst_directive_clause(&s->d, "untied") != NULL;
	int has_simd = kinst_directive_has(&s->d, KINST_OMP_SIMD);
	size_t region;

	switch (s->d.leaves[0]) {
	case KINST_OMP_PARALLEL:
		emit_parallel(e, s);
		break;
	case KINST_OMP_FOR:
		kinst_fortran_emit_do(e, s, 0);
		break;
	case KINST_OMP_SECTIONS:
		kinst_fortran_emit_sections(e, s, 0);
		break;
	case KINST_OMP_SINGLE:
		kinst_fortran_emit_single(e, s);
		break;
	case KINST_OMP_WORKSHARE:
		kinst_fortran_emit_work(e, s, "workshare", 0);
		break;
	case KINST_OMP_SCOPE:
		kinst_fortran_emit_work(e, s, "scope", 0);
		break;
	case KINST_OMP_MASTER:
	case KINST_OMP_MASKED:
		if (s->d.n_leaves > 1) {
			emit_around(e, s, "taskloop", "around", "around_end", has_simd);
			break;
		}
		region = kinst_fortran_region(e, s, s->d.leaves[0] == KINST_OMP_MASTER ? "master" : "masked", "");
		emit_body(e, s, region, NULL, "master_begin", "master_end", NULL);
		break;
	case KINST_OMP_CRITICAL:
		emit_critical(e, s);
		break;
	case KINST_OMP_ORDERED:
		if (s->last == s->first)
			emit_around(e, s, "ordered", "around", "around_end", 0);
		else
			emit_body(e, s, kinst_fortran_region(e, s, "ordered", ""), "ordered_enter", "ordered_begin",
			          "ordered_end", "ordered_exit");
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
		region = kinst_fortran_region(e, s, "task", untied ? "hasUntied=1*" : "");
		if (untied)
			emit_body(e, s, region, "untied_create", "untied_begin", "untied_end", "untied_created");
		else
			emit_body(e, s, region, "task_create", "task_begin", "task_end", "task_created");
		break;
	case KINST_OMP_CANCEL:
	case KINST_OMP_CANCELLATION_POINT:
		region = kinst_fortran_region(e, s, s->d.leaves[0] == KINST_OMP_CANCEL ? "cancel" : "cancellationpoint",
		                              "");
		kinst_write_before(&e->w, s->first);
		kinst_fortran_put_call(e, "flush_enter", region, "");
		kinst_fortran_put_call(e, "flush_exit", region, "");
		kinst_write_resume(&e->w, s->first, 0);
		break;
	case KINST_OMP_TASKLOOP:
		kinst_fortran_emit_taskloop(e, s);
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
static void leave_alone(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, size_t construct,
                        const char *why, const char *inside)
{
	kinst_emitted_give_up(e->emitted, construct, why);
	kinst_fortran_walk_silently(e, s->first + 1, s->last + 1, kinst_emit_why_not_inside(&s->d, inside));
}

/* Passes over a directive that gets no calls.  Returns the statement behind what was emitted. */
static size_t pass_over(struct kinst_fortran_emitter *e, const struct kinst_fortran_extent *s, int is_found)
{
	if (kinst_emit_is_construct(e->options, &s->d)) {
		kinst_emitted_give_up(e->emitted,
		                      kinst_emitted_add(e->emitted, &s->d, kinst_fortran_place(e, s->first),
		                                        kinst_construct_bounds_fortran(&e->s, s->first, s->first)),
		                      "where it ends is not known");
	} else if (s->d.leaves[0] == KINST_OMP_SIMD && is_found) {
		kinst_fortran_walk_silently(e, s->first + 1, s->last + 1, kinst_fortran_no_calls_if(1));
		return s->last + 1;
	}
	return s->first + 1;
}

/* Emits what begins at a directive.  Returns the statement behind it. */
static size_t emit_directive(struct kinst_fortran_emitter *e, size_t i)
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
	construct = kinst_emitted_add(e->emitted, &s.d, kinst_fortran_place(e, s.first),
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
static int emit_pomp(struct kinst_fortran_emitter *e, size_t i)
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
	verb = kinst_user_call(&e->regions, e->options, e->emitted, &pomp, kinst_fortran_place(e, i), &bounds, &region);
	name = kinst_user_call_name(verb);
	if (verb == KINST_POMP_INSTRUMENT || verb == KINST_POMP_NOINSTRUMENT) {
		e->uninstrumented = verb == KINST_POMP_NOINSTRUMENT;
	} else if (name) {
		kinst_write_before(&e->w, i);
		kinst_text_printf(e->w.out, "      call pomp2_%s()\n", name);
		kinst_write_resume(&e->w, i, 0);
		e->w.n_calls++;
	} else if (verb != KINST_POMP_NONE) {
		kinst_fortran_call_before(e, i, verb == KINST_POMP_BEGIN ? "begin" : "end", region, "");
	}
	if (!e->s.items[i].is_pomp) { /* gfortran rejects !$omp inst */
		kinst_write_drop(&e->w, i);
		kinst_write_resume(&e->w, i, 1);
	}
	return 1;
}

/* Puts a call before one that makes or sets a lock.  It tells where that happens and which lock it is. */
static void emit_lock(struct kinst_fortran_emitter *e, size_t i)
{
	struct kinst_span argument = kinst_lock_fortran(e->s.items[i].text);
	struct kinst_text site = { 0 };

	if (!argument.n || !e->options->locks || e->uninstrumented || e->silent)
		return;
	kinst_region_site(&e->regions, kinst_fortran_place(e, i), argument.p, argument.n, &site);
	kinst_write_before(&e->w, i);
	kinst_write_call(&e->w, "lock", site.data, "");
	kinst_write_resume(&e->w, i, 0);
	kinst_text_free(&site);
}

static void emit_fortran_walk(struct kinst_fortran_emitter *e, size_t from, size_t to)
{
	for (size_t i = from; i < to;) {
		if (kinst_cycles_has(&e->cycles, i)) {
			kinst_fortran_emit_cycle(e, i++);
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
	struct kinst_fortran_emitter e = { .options = options,
		                           .emitted = emitted,
		                           .w = { .out = &emitted->text, .s = &e.s, .is_whole = options->clang },
		                           .regions = { .directory = options->directory, .fortran = 1 },
		                           .lowest_label = LABELS,
		                           .walk = emit_fortran_walk };
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
