/*
 * Visit: the short way of an event does what the long way does: the same events by both give the same numbers.  And
 * where all events come in order, no row is longer than the run.
 */
#include "tests/unit/steps.h"

#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/array.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/visit.h"
#include "runtime/host/clock.h"
#include "runtime/session/register.h"
#include "runtime/terms/mode.h"

REGION(parallel, parallel, 10, 99);
REGION(atomic, atomic, 20, 20);
REGION(critical, critical, 30, 39);
REGION(single, single, 40, 49);
REGION(loop, for, 50, 59);
REGION(task, task, 60, 69);
REGION(other, task, 70, 79);
REGION_WITH(untied, task, 80, 85, "hasUntied=1*");
REGION(taskwait, taskwait, 90, 90);
REGION_WITH(user, userRegion, 95, 96, "userRegionName=u*");
REGION(barrier, barrier, 97, 97);

enum { N_SEEDS = 60, N_KINDS = 11, DEEPEST = 9 };

static uint64_t seed;

static uint32_t dice(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % below;
}

static void play(int depth);

static void inside(int depth)
{
	for (uint32_t times = dice(4); depth > 0 && times > 0; times--)
		play(depth - 1);
}

static int is_orderly;

/* Tells, rarely, that something shall not end as it should. */
static int is_odd(void)
{
	return !is_orderly && dice(25) == 0;
}

static void body(void **handle, int depth, void (*begin)(void **), void (*end)(void **))
{
	begin(handle);
	inside(depth);
	if (!is_odd())
		end(handle);
}

static void create(void **handle, const char *ctc, int depth)
{
	int64_t old, new_task;

	POMP2_Task_create_begin(handle, &new_task, &old, 1, ctc);
	inside(depth);
	if (!is_odd())
		POMP2_Task_create_end(handle, old);
}

static void execute(void **handle, int untied, int depth)
{
	(untied ? POMP2_Untied_task_begin : POMP2_Task_begin)(handle, 0);
	inside(depth);
	if (!is_odd())
		(untied ? POMP2_Untied_task_end : POMP2_Task_end)(handle);
}

static void wait_for(int depth, int at_barrier)
{
	int64_t old;

	if (at_barrier)
		POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc);
	else
		POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
	inside(depth);
	if (is_odd())
		return;
	if (at_barrier)
		POMP2_Barrier_exit(&h_barrier, old);
	else
		POMP2_Taskwait_end(&h_taskwait, old);
}

static void team(int depth)
{
	int64_t token;

	POMP2_Parallel_fork(&h_parallel, 1, 1, &token, parallel_ctc);
	ompp_parallel_begin(&h_parallel, token);
	inside(depth);
	if (!is_odd())
		POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, token);
}

/* A construct and its body that begin and end together. */
static __attribute__((noinline)) void both(int depth)
{
	const struct ompp_region_def *def = ompp_register(&h_single, single_ctc, sizeof(single_ctc));
	uint64_t outer = ompp_region_key(def, OMPP_PART_REGION), inner = ompp_region_key(def, OMPP_PART_BODY);

	ompp_visit_enter_both(outer, inner, OMPP_CALLER());
	inside(depth);
	if (!is_odd())
		ompp_visit_exit_both(outer, inner);
}

static __attribute__((noinline)) void play(int depth)
{
	switch (dice(N_KINDS + 1)) {
	case 0:
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		POMP2_Atomic_exit(&h_atomic);
		break;
	case 1:
		POMP2_Critical_enter(&h_critical, critical_ctc);
		body(&h_critical, depth, POMP2_Critical_begin, POMP2_Critical_end);
		POMP2_Critical_exit(&h_critical);
		break;
	case 2:
		POMP2_Single_enter(&h_single, single_ctc);
		body(&h_single, depth, POMP2_Single_begin, POMP2_Single_end);
		POMP2_Single_exit(&h_single);
		break;
	/* clang-format off */
	case 3: POMP2_For_enter(&h_loop, loop_ctc); inside(depth); POMP2_For_exit(&h_loop); break;
	case 4: create(&h_task, task_ctc, depth); break;
	case 5: execute(&h_task, 0, depth); break;
	case 6: execute(&h_other, 0, depth); break;
	case 7: execute(&h_untied, 1, depth); break;
	case 8: wait_for(depth, 0); break;
	case 9: POMP2_Begin(&h_user, user_ctc); inside(depth); POMP2_End(&h_user); break;
	case 10: both(depth); break;
	/* clang-format on */
	default:
		if (dice(8))
			wait_for(depth, 1);
		else if (dice(4))
			team(depth);
		else
			(dice(2) ? POMP2_Off : POMP2_On)();
		break;
	}
}

static void mix(uint64_t *hash, uint64_t value)
{
	*hash = (*hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	*hash ^= *hash >> 29;
}

/* Returns a number made of all that the profile says of visits and losses, and of times.  A row that no visit ended has
 * its time alone, and is none when the events in it cost as much; so it counts with times only. */
static uint64_t summary(const struct ompp_profile *p, int with_times)
{
	uint64_t hash = 1;

	for (size_t i = 1; i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];

		mix(&hash, node->parent);
		mix(&hash, p->regions[node->region].begin_line);
		mix(&hash, node->construct);
		for (uint32_t k = node->first_cell; k < node->first_cell + node->n_cells; k++) {
			const struct ompp_cell *c = &p->cells[k];
			const int64_t times[] = { c->exec_ns,     c->body_ns,    c->enter_ns,    c->exit_ns,
				                  c->exit_bar_ns, c->startup_ns, c->shutdown_ns, c->mgmt_ns,
				                  c->task_ns,     c->incl_ns };

			if (!with_times && !c->n_exec && !c->n_body)
				continue;
			mix(&hash, c->n_exec);
			mix(&hash, c->n_body);
			for (size_t t = 0; with_times && t < OMPP_COUNT_OF(times); t++)
				mix(&hash, (uint64_t)times[t]);
		}
	}
	for (size_t i = 0; with_times && i < p->n_notes; i++)
		mix(&hash, p->notes[i].n);
	for (int kind = 0; kind < OMPP_NOTE_NEGATIVE; kind++)
		mix(&hash, note((enum ompp_note_kind)kind));
	return hash;
}

static int is_inside_itself(const struct ompp_profile *p, uint32_t node)
{
	for (uint32_t up = p->nodes[node].parent; up; up = p->nodes[up].parent)
		if (p->nodes[up].region == p->nodes[node].region && p->nodes[up].construct == p->nodes[node].construct)
			return 1;
	return 0;
}

/* Checks that no row of a region is longer than the run, though tasks run inside of tasks. */
static void check_lengths(const struct ompp_profile *p)
{
	for (uint32_t r = 0; r < p->n_regions; r++)
		for (uint32_t row = 0; row < p->n_rows; row++) {
			int64_t exec_ns[2] = { 0 };

			for (uint32_t i = 1; i < p->n_nodes; i++) {
				const struct ompp_node *node = &p->nodes[i];

				if (node->region != r || is_inside_itself(p, i))
					continue;
				for (uint32_t k = node->first_cell; k < node->first_cell + node->n_cells; k++)
					if (p->cells[k].row == row)
						exec_ns[node->construct == OMPP_TASKEXEC] += p->cells[k].exec_ns;
			}
			assert_true(exec_ns[0] <= p->duration_ns && exec_ns[1] <= p->duration_ns);
		}
}

/* How events go: the long way, as a source has values; the short way by a clock that is a call; and that by the
 * processor's counter, which has fewer instructions still. */
enum way { LONG, SHORT, SHORTEST };

struct outcome {
	uint64_t hash, counts, n_events;
	int is_plain; /* the clock was the processor's counter, at the start */
};

/* Plays the events of a seed in a process of their own. */
static struct outcome run(uint64_t its_seed, enum way way)
{
	struct outcome outcome = { 0 };
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		const struct ompp_profile *p;

		option("OMPP_MAX_DEPTH", its_seed % 3 ? "4" : "64");
		option("OMPP_CLOCK", way == SHORTEST ? "auto" : "fake");
		POMP2_Init();
		outcome.is_plain = ompp_clock_is_plain;
		if (way != LONG)
			ompp_mode_clear(OMPP_MODE_VALUES);
		POMP2_Assign_handle(&h_task, task_ctc);
		POMP2_Assign_handle(&h_other, other_ctc);
		POMP2_Assign_handle(&h_untied, untied_ctc);
		seed = its_seed;
		is_orderly = its_seed % 2 == 0;
		for (int i = 0; i < 30; i++)
			play(DEEPEST);
		POMP2_On();
		p = collect();
		if (way != SHORTEST)
			check_identities(); /* of whole microseconds */
		if (way != SHORTEST && is_orderly)
			check_lengths(p);
		outcome.hash = summary(p, 1);
		outcome.counts = summary(p, 0);
		outcome.n_events = p->n_events;
		_exit(write(ends[1], &outcome, sizeof(outcome)) != sizeof(outcome));
	}
	assert_true(child > 0);
	close(ends[1]);
	assert_int_equal(read(ends[0], &outcome, sizeof(outcome)), sizeof(outcome));
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	return outcome;
}

static void all_ways_are_the_same(void **state)
{
	uint64_t n_events = 0;

	(void)state;
	for (uint64_t s = 1; s <= N_SEEDS; s++) {
		struct outcome longer = run(s, LONG), shorter = run(s, SHORT), shortest = run(s, SHORTEST);

		if (longer.hash != shorter.hash || longer.n_events != shorter.n_events)
			fail_msg("seed %d: %llu events by the long way, %llu by the short one", (int)s,
			         (unsigned long long)longer.n_events, (unsigned long long)shorter.n_events);
		if (shortest.is_plain && longer.counts != shortest.counts)
			fail_msg("seed %d: other counts by the processor's counter", (int)s);
		n_events += longer.n_events;
	}
	assert_true(n_events > 50000);
}

/* Checks that the durations have each of the visits once: the first one apart, and the last one waits. */
static void check_durations(const struct ompp_callnode *node)
{
	const struct ompp_durations *d = node->durations;
	uint64_t n = 0, n_in_slices = 0;

	for (int i = 0; i < OMPP_DURATION_BUCKETS; i++)
		n += d->buckets[i];
	for (int i = 0; i < OMPP_N_SLICES; i++)
		n_in_slices += d->series.slices[i].n;
	assert_int_equal(d->n_first, 1);
	assert_int_equal(d->last_n, node->n);
	assert_int_equal(n, node->n - 2);
	assert_int_equal(n_in_slices, n);
}

/* What begins and ends together has the same time in both, by the processor's clock.  The inner one is a region here,
 * as bodies keep no durations. */
static void together(void **state)
{
	const struct ompp_frame *outer;
	uint64_t keys[2];

	(void)state;
	setenv("OMPP_CLOCK", "auto", 1);
	POMP2_Init();
	keys[0] = ompp_region_key(ompp_register(&h_single, single_ctc, sizeof(single_ctc)), OMPP_PART_REGION);
	keys[1] = ompp_region_key(ompp_register(&h_loop, loop_ctc, sizeof(loop_ctc)), OMPP_PART_REGION);
	for (int i = 0; i < 100; i++) {
		const struct ompp_callnode *node, *below;

		outer = ompp_visit_enter_both(keys[0], keys[1], OMPP_CALLER());
		assert_ptr_equal(ompp_self->top, outer + 1);
		node = outer->node;
		below = outer[1].node;
		assert_ptr_equal(below->parent, node);
		/* The first visit makes the nodes, which goes the long way; so does a clock that the kernel reads. */
		if (i && ompp_clock_is_plain)
			assert_int_equal(outer[1].start_ticks, outer->start_ticks);
		ompp_visit_exit_both(keys[0], keys[1]);
		assert_ptr_equal(ompp_self->top, outer - 1);
		assert_int_equal(node->n, i + 1);
		assert_int_equal(below->n, i + 1);
		assert_true(below->ticks <= node->ticks);
		if (i) {
			check_durations(node);
			check_durations(below);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(together),
		cmocka_unit_test(all_ways_are_the_same),
	};

	return RUN_APART(tests);
}
