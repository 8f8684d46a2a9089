/*
 * Check: builds with --enable-debug find a broken call tree, broken pieces of memory, a broken stack of frames and a
 * broken profile, and take whole ones as they are.
 */
#include "tests/unit/steps.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/check.h"
#include "runtime/collect/collect_check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/core/thread.h"
#include "runtime/ranges/piece.h"
#include "runtime/ranges/range.h"

#ifdef OMPP_DEBUG

/* In a process of its own, whose stderr is text. */
static void fails(void (*check)(void), const char *condition)
{
	char text[1000] = "";
	size_t n = 0;
	ssize_t more;
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		signal(SIGILL, SIG_DFL); /* cmocka has handlers */
		signal(SIGTRAP, SIG_DFL);
		check();
		_exit(0);
	}
	close(ends[1]);
	while (n < sizeof(text) - 1 && (more = read(ends[0], text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)more;
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_false(WIFEXITED(status) && !WEXITSTATUS(status));
	if (!strstr(text, condition) || !strstr(text, " does not hold\n"))
		fail_msg("\"%s\" is not in \"%s\"", condition, text);
}

static struct ompp_callgraph graph;
static struct ompp_callnode *a, *b;

static void wrong_order(void)
{
	a->index = b->index + 1;
	ompp_callgraph_check(&graph);
}

static void wrong_child(void)
{
	b->parent = graph.root;
	ompp_callgraph_check(&graph);
}

static void a_cycle(void)
{
	graph.root->parent = b;
	ompp_callgraph_check(&graph);
}

static void lost_link(void)
{
	graph.n_used++;
	ompp_callgraph_check(&graph);
}

static void call_tree(void **state)
{
	(void)state;
	assert_int_equal(ompp_callgraph_init(&graph, 1 << 20, 0), 0);
	ompp_callgraph_check(&graph);
	a = ompp_callgraph_find(&graph, graph.root, UINT64_C(1) << 32, 10);
	b = ompp_callgraph_find(&graph, a, UINT64_C(2) << 32, 10);
	for (uint64_t key = 3; key < 300; key++)
		ompp_callgraph_find(&graph, key % 2 ? a : b, key << 32, 10);
	ompp_callgraph_check(&graph);
	fails(wrong_order, "parent->index < ");
	fails(wrong_child, "is_link(graph, parent, node");
	fails(a_cycle, "up->parent->index < up->index");
	fails(lost_link, "n_used == graph->n_used");
}

static char memory[4096];

static void overlapping(void)
{
	ompp_piece_from((uintptr_t)memory + 500)->lo -= 100;
	ompp_ranges_check();
}

static void not_covered(void)
{
	ompp_piece_from((uintptr_t)memory)->n_members = 0;
	ompp_ranges_check();
}

static void without_segment(void)
{
	ompp_piece_from((uintptr_t)memory)->segment = NULL;
	ompp_ranges_check();
}

static void pieces(void **state)
{
	(void)state;
	ompp_range_begin("a", OMPP_ORIGIN_CALL, (uintptr_t)memory, 1000, 0, 0);
	ompp_range_begin("b", OMPP_ORIGIN_CALL, (uintptr_t)memory + 500, 1000, 0, 0);
	ompp_range_begin("c", OMPP_ORIGIN_CALL, (uintptr_t)memory + 3000, 8, 0, 0);
	ompp_ranges_check();
	fails(overlapping, "p->hi <= after->lo");
	fails(not_covered, "has_member(before, r)");
	fails(without_segment, "p->segment");
	ompp_range_end_named("a", 0);
	ompp_ranges_check();
}

REGION(loop, for, 1, 2);
REGION(its_task, task, 3, 4);
static struct ompp_frame *base;

static void base_that_is_none(void)
{
	ompp_self->base = ompp_self->top;
	ompp_frames_check(ompp_self);
}

static void base_above_the_top(void)
{
	ompp_self->base = ompp_self->top + 1;
	ompp_frames_check(ompp_self);
}

static void own_base_below(void)
{
	base->outer = (uint16_t)(base - ompp_self->frames);
	ompp_frames_check(ompp_self);
}

static void popped_below_the_top(void)
{
	ompp_pop(ompp_self, base, 0);
}

static void frames(void **state)
{
	(void)state;
	POMP2_Assign_handle(&h_its_task, its_task_ctc);
	POMP2_Task_begin(&h_its_task, 0);
	POMP2_For_enter(&h_loop, loop_ctc);
	base = ompp_self->base;
	ompp_frames_check(ompp_self);
	fails(base_that_is_none, "OMPP_FRAME_TASK");
	fails(base_above_the_top, "base <= t->top");
	fails(own_base_below, "outer < base");
	fails(popped_below_the_top, "f == t->top");
	POMP2_For_exit(&h_loop);
	POMP2_Task_end(&h_its_task);
	ompp_frames_check(ompp_self);
}

static struct ompp_profile broken;
static struct ompp_arena arena;

static void collect_check(void)
{
	ompp_collect_check(&broken, &arena);
}

static void profile(void **state)
{
	const struct ompp_profile *p;

	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_For_exit(&h_loop);
	p = collect();
	broken = *p;
	ompp_collect_check(&broken, &arena);
	broken = *p;
	broken.n_rows = 0;
	fails(collect_check, "ompp_valid_records");
	broken = *p;
	broken.n_cells = broken.n_durations = broken.n_duration_buckets = 0;
	fails(collect_check, "!repaired");
	broken = *p;
	((struct ompp_cell *)&broken.cells[broken.nodes[1].first_cell])->body_ns++;
	fails(collect_check, "parts == c->exec_ns");
}

#endif

static void only_with_debug(void **state)
{
	(void)state;
#ifndef OMPP_DEBUG
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_with_debug),
#ifdef OMPP_DEBUG
		cmocka_unit_test(call_tree),       cmocka_unit_test(pieces),
		cmocka_unit_test(frames),          cmocka_unit_test(profile),
#endif
	};

	return RUN_APART(tests);
}
