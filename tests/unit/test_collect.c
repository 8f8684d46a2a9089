/*
 * Collect: facts of the run, the order of rows and nodes, costs; and that columns fit together for random events.
 */
#include "tests/unit/steps.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/collect/collect.h"
#include "runtime/core/session.h"
#include "runtime/core/team_data.h"
#include "runtime/core/thread.h"
#include "runtime/events/cost.h"
#include "runtime/events/team.h"
#include "runtime/session/session_start.h"

REGION(parallel, parallel, 1, 9);
REGION(pfor, parallelfor, 10, 11);
REGION(loop, for, 20, 29);
REGION(sections, sections, 30, 39);
REGION(single, single, 40, 49);
REGION(critical, critical, 50, 59);
REGION(ordered, ordered, 60, 69);
REGION(atomic, atomic, 70, 70);
REGION(barrier, barrier, 71, 71);
REGION(master, master, 72, 72);
REGION(task, task, 80, 81);
REGION(taskwait, taskwait, 82, 82);
REGION_WITH(user, userRegion, 90, 91, "userRegionName=u*");

static int64_t team;

static const char *condition(const struct ompp_profile *p, const char *label)
{
	size_t i;

	for (i = 0; i < p->n_conditions; i++)
		if (!strcmp(p->conditions[i].label, label))
			return p->conditions[i].value;
	return NULL;
}

static void facts_of_the_run(void **state)
{
	static char *argv[] = { (char *)(uintptr_t) "/some/where/prog", (char *)(uintptr_t) "an arg", NULL };
	const struct ompp_profile *p;

	(void)state;
	setenv("OMP_SCHEDULE", "dynamic,3", 1);
	setenv("GOMP_SPINCOUNT", "7", 1);
	setenv("OMP_DYNAMIC", "", 1);
	ompp_session.argc = 2;
	ompp_session.argv = argv;
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	p = collect();
	assert_string_equal(p->app, "prog");
	assert_string_equal(p->clock, "fake");
	assert_int_equal(p->pid, getpid());
	assert_int_equal(p->final, 1);
	assert_int_equal(p->mpi_rank, -1);
	assert_int_equal(p->n_events, 2);
	assert_int_equal(p->cost_ps, 0);
	assert_int_equal(p->duration_ns, us(3)); /* start, enter, exit, now */
	assert_in_range(p->end_unix_ns - p->start_unix_ns, 0, 60000000000);
	assert_int_equal(p->max_threads, 2);
	assert_string_equal(condition(p, "Command Line"), "/some/where/prog 'an arg'");
	assert_string_equal(condition(p, "OMP_SCHEDULE"), "dynamic,3");
	assert_string_equal(condition(p, "GOMP_SPINCOUNT"), "7");
	assert_null(condition(p, "OMP_DYNAMIC")); /* what is empty says nothing */
	assert_non_null(condition(p, "Host"));
	assert_non_null(condition(p, "Compiler"));
	/* the root is the whole run, on the first row */
	assert_int_equal(p->nodes[0].n_cells, 1);
	assert_int_equal(p->cells[0].exec_ns, p->duration_ns);
	assert_string_equal(p->rows[0].label, "0");
	assert_string_equal(p->filter, "");
}

static void a_run_without_events(void **state)
{
	(void)state;
	ompp_session_start();
	assert_int_equal(collect()->n_nodes, 1);
	assert_int_equal(collect()->n_events, 0);
	assert_int_equal(collect()->n_regions, 0);
}

static void the_name_can_be_given(void **state)
{
	(void)state;
	option("OMPP_APPNAME", "toci");
	ompp_session_start();
	assert_string_equal(collect()->app, "toci");
}

static void mpi_ranks_are_found(void **state)
{
	(void)state;
	setenv("SLURM_NTASKS", "1", 1);
	setenv("SLURM_PROCID", "0", 1);
	assert_int_equal(ompp_mpi_rank(), -1); /* a batch job's only task is no MPI run */
	setenv("SLURM_NTASKS", "4", 1);
	setenv("SLURM_PROCID", "3", 1);
	assert_int_equal(ompp_mpi_rank(), 3);
	assert_int_equal(ompp_mpi_size(), 4);
	setenv("PMI_RANK", "1", 1);
	setenv("PMI_SIZE", "2", 1);
	assert_int_equal(ompp_mpi_rank(), 1);
	assert_int_equal(ompp_mpi_size(), 2);
	setenv("OMPI_COMM_WORLD_RANK", "07", 1);
	setenv("OMPI_COMM_WORLD_SIZE", "x", 1);
	assert_int_equal(ompp_mpi_rank(), 1); /* rank and size are those of one launcher */
	assert_int_equal(ompp_mpi_size(), 2);
	setenv("OMPI_COMM_WORLD_SIZE", "8", 1);
	assert_int_equal(ompp_mpi_rank(), 7);
	assert_int_equal(ompp_mpi_size(), 8);
}

/* 12 threads arrive in reverse order, and the rows are in numerical order all the same. */
static void part(void)
{
	at(12 - rank);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Parallel_end(&h_parallel);
}

static void rows_are_in_numerical_order(void **state)
{
	const struct ompp_profile *p;
	uint32_t i;

	(void)state;
	for (i = 1; i < 12; i++)
		start_thread((int)i, part);
	at(0);
	POMP2_Parallel_fork(&h_parallel, 1, 12, &team, parallel_ctc);
	at(12);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	join_threads();
	p = collect();
	check_identities();
	assert_int_equal(p->n_rows, 12);
	for (i = 0; i < 12; i++)
		assert_int_equal(p->rows[i].rank, i);
	assert_int_equal(p->max_threads, 12);
}

/* A member that begins while a report is made, after the moment that the report shows, adds nothing to it: it would
 * have waited longer for its begin than the run has lasted. */
static void what_begins_after_the_report(void **state)
{
	const struct ompp_team *open;
	int64_t begun, later;

	(void)state;
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	ompp_parallel_begin(&h_parallel, team);
	open = ompp_open_team(0);
	assert_non_null(open);
	collect();
	assert_false(has_cell("1", "1"));
	begun = cell("1", "0")->startup_ns;
	atomic_store((_Atomic uint64_t *)(uintptr_t)&open->slots[1].begin_ticks, (uint64_t)us(900));
	collect();
	assert_false(has_cell("1", "1"));
	assert_int_equal(cell("1", "0")->startup_ns, begun);
	atomic_store((_Atomic uint64_t *)(uintptr_t)&open->slots[1].begin_ticks,
	             atomic_load(&open->slots[0].begin_ticks) + 1000);
	collect();
	later = cell("1", "1")->startup_ns;
	assert_int_equal(later, begun + us(1));
}

/* With a real clock, an empty region costs more than its own work; the line that leaves out such regions names it. */
static void costly_regions_are_marked(void **state)
{
	const struct ompp_profile *p;
	const struct ompp_cell *atomic;
	int i;

	(void)state;
	option("OMPP_CLOCK", "auto");
	for (i = 0; i < 200000; i++) { /* so many that no pause of the machine outweighs their cost */
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		POMP2_Atomic_exit(&h_atomic);
	}
	POMP2_Begin(&h_user, user_ctc);
	usleep(20000);
	POMP2_End(&h_user);
	p = collect();
	check_identities();
	assert_true(p->cost_ps > 0);
	assert_true(p->cost_least_ns >= 0 && p->cost_least_ns <= p->cost_ns && p->cost_ns <= p->cost_most_ns);
	/* all but one of the pairs are the atomic's; its time contains at most all of their cost */
	atomic = cell("70", "0");
	assert_true(atomic->cost_ns > 0 && atomic->cost_ns <= p->cost_ns);
	assert_true(atomic->cost_least_ns <= atomic->cost_ns && atomic->cost_ns <= atomic->cost_most_ns);
	assert_int_equal(p->regions[0].costly, 1);
	assert_int_equal(p->regions[1].costly, 0);
	assert_string_equal(p->filter, "t.c:70");
	assert_true(cell("90", "0")->exec_ns >= 19000000);
}

/* Of visits without time the run has less cost than is taken out of their estimate; of those with time it has all. */
static void costs_of_estimates_may_be_more_than_the_run_s(void **state)
{
	const struct ompp_profile *p;
	const struct ompp_cell *atomic;

	(void)state;
	option("OMPP_CLOCK", "auto");
	option("OMPP_COSTLY", "sample");
	for (int i = 0; i < 200000; i++) {
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		POMP2_Atomic_exit(&h_atomic);
	}
	p = collect();
	check_identities();
	atomic = cell("70", "0");
	assert_int_equal(atomic->n_exec, 200000);
	assert_true(atomic->n_untimed > 100000 && atomic->n_untimed < 200000);
	assert_true(atomic->cost_least_ns <= atomic->cost_ns && atomic->cost_ns <= atomic->cost_most_ns);
	assert_true(atomic->cost_ns * (200000 - (int64_t)atomic->n_untimed) / 200000 <= p->cost_ns);
	assert_true(p->cost_ns < (int64_t)((__int128)p->cost_ps * 200000 / 1000)); /* what it costs to time all */
	assert_int_equal(p->regions[0].costly, 1);
	assert_string_equal(p->filter, ""); /* leaving the region out would lose its count, for little */
}

/* However a busy machine disturbs the calibration, the own cost is no more than all threads' time. */
static void own_cost_is_no_more_than_the_run(void **state)
{
	struct ompp_cost costs[OMPP_N_COST_KINDS][OMPP_N_COST_BOUNDS];
	const struct ompp_profile *p;

	(void)state;
	memcpy(costs, ompp_costs, sizeof(costs));
	option("OMPP_CLOCK", "auto");
	for (int i = 0; i < 1000; i++) {
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		POMP2_Atomic_exit(&h_atomic);
	}
	for (int k = 0; k < OMPP_N_COST_KINDS; k++)
		ompp_costs[k][OMPP_COST_MOST].pair_fp = UINT32_MAX;
	p = collect();
	memcpy(ompp_costs, costs, sizeof(costs));
	assert_true(p->cost_most_ns >= p->cost_ns && p->cost_most_ns <= p->duration_ns * p->max_threads);
}

/* Do two costs differ by more than the 2 % to which a sum is judged? */
static int differ(uint64_t a, uint64_t b)
{
	uint64_t least = a < b ? a : b, most = a < b ? b : a;

	return most - least > least / 25;
}

/* In a team of several threads a barrier's events record the arrival: they have a cost of their own.
 * Which of them is dearer depends on the processor.  Where both are alike the calibration is made again, as a busy
 * machine may have disturbed it. */
static void barriers_have_a_cost_of_their_own(void **state)
{
	enum { N = 100000 };
	const struct ompp_cost *barrier = ompp_costs[OMPP_COST_BARRIER], *plain = ompp_costs[OMPP_COST_PLAIN];
	const struct ompp_profile *p;
	int64_t old, all_ns, others_ns;

	(void)state;
	option("OMPP_CLOCK", "auto");
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	ompp_parallel_begin(&h_parallel, team);
	for (int i = 0; i < N; i++) {
		POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc);
		POMP2_Barrier_exit(&h_barrier, old);
	}
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	for (int i = 0; i < 20 && !differ(barrier[OMPP_COST_TYPICAL].pair_fp, plain[OMPP_COST_TYPICAL].pair_fp); i++)
		ompp_cost_calibrate();
	p = collect();
	assert_true(differ(barrier[OMPP_COST_TYPICAL].pair_fp, plain[OMPP_COST_TYPICAL].pair_fp));
	/* cost_ps is the cost of a plain pair; two more pairs belong to the team */
	all_ns = (int64_t)((__int128)p->cost_ps * N / 1000 * (int64_t)barrier[OMPP_COST_TYPICAL].pair_fp /
	                   (int64_t)plain[OMPP_COST_TYPICAL].pair_fp);
	others_ns = all_ns / 50;
	assert_true(p->cost_ns > all_ns - others_ns && p->cost_ns < all_ns + others_ns);
}

/* The last report measures costs again, also after ompp_off() has made events dearer, but not while measuring is off.
 */
static void costs_are_measured_again(void **state)
{
	const struct ompp_cost *cost = ompp_costs[OMPP_COST_LOCKED];

	(void)state;
	option("OMPP_CLOCK", "auto");
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	POMP2_Off();
	memset(ompp_costs, 0, sizeof(ompp_costs));
	for (int b = 0; b < OMPP_N_COST_BOUNDS; b++)
		ompp_costs[OMPP_COST_PLAIN][b].pair_fp = ompp_costs[OMPP_COST_LOCKED][b].pair_fp = 2;
	collect();
	assert_int_equal(cost[OMPP_COST_MOST].pair_fp, 2);
	POMP2_On();
	collect();
	assert_int_equal(cost[OMPP_COST_LEAST].pair_fp, 2);
	assert_true(cost[OMPP_COST_MOST].pair_fp > 256);
	/* it is the mean of both, and so equal to neither */
	assert_true(cost[OMPP_COST_TYPICAL].pair_fp > 2 &&
	            cost[OMPP_COST_TYPICAL].pair_fp < cost[OMPP_COST_MOST].pair_fp);
	assert_ptr_equal(ompp_self, ompp_threads[0]);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	assert_int_equal(cell("70", "0")->n_exec, 1);
	collect();
	assert_int_equal(cell("70", "0")->n_exec, 2);
}

static void no_memory_is_an_error(void **state)
{
	struct ompp_profile profile;
	struct ompp_arena arena;
	size_t limit;
	int rc = -ENOMEM;

	(void)state;
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	for (limit = 16; rc; limit += 512) {
		ompp_arena_init(&arena, limit);
		rc = ompp_collect(&profile, &arena, 1, 0);
		assert_true(rc == 0 || rc == -ENOMEM);
		ompp_arena_fini(&arena);
		assert_true(limit < 1 << 20);
	}
}

/* A slot is among the threads before its thread has a frame on top. */
static void threads_may_be_about_to_start(void **state)
{
	static struct ompp_frame frames[8];
	static struct ompp_thread slot = { .frames = frames, .n_frames = 8 };
	uint32_t n;

	(void)state;
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	n = atomic_load(&ompp_n_threads);
	slot.slot = n;
	ompp_threads[n] = &slot;
	atomic_store(&ompp_n_threads, n + 1);
	assert_int_equal(collect()->n_nodes, 2);
}

/* ---- random events ---- */

static uint64_t seed;

static unsigned int dice(unsigned int n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(seed >> 33) % n;
}

static uint64_t n_played[13];

/* Plays events in good order: what is entered is left, nested as a compiler would nest it. */
static __attribute__((noinline)) void play(int depth)
{
	int64_t old, token, new_task;
	int kind, times;

	for (times = 1 + (int)dice(3); times > 0; times--) {
		kind = depth > 0 ? (int)dice(11) : 10;
		n_played[kind]++;
		switch (kind) {
		case 0:
			POMP2_For_enter(&h_loop, loop_ctc);
			play(depth - 1);
			POMP2_Implicit_barrier_enter(&h_loop, &old);
			if (dice(2)) {
				POMP2_Task_begin(&h_task, 0);
				play(depth - 1);
				POMP2_Task_end(&h_task);
				n_played[12]++;
			}
			POMP2_Implicit_barrier_exit(&h_loop, old);
			POMP2_For_exit(&h_loop);
			break;
		case 1:
			POMP2_Sections_enter(&h_sections, sections_ctc);
			while (dice(3)) {
				POMP2_Section_begin(&h_sections, sections_ctc);
				play(depth - 1);
				POMP2_Section_end(&h_sections);
			}
			POMP2_Implicit_barrier_enter(&h_sections, &old);
			POMP2_Implicit_barrier_exit(&h_sections, old);
			POMP2_Sections_exit(&h_sections);
			break;
		case 2:
			POMP2_Single_enter(&h_single, single_ctc);
			if (dice(2)) {
				POMP2_Single_begin(&h_single);
				play(depth - 1);
				POMP2_Single_end(&h_single);
			}
			POMP2_Single_exit(&h_single);
			break;
		case 3:
			POMP2_Critical_enter(&h_critical, critical_ctc);
			POMP2_Critical_begin(&h_critical);
			play(depth - 1);
			POMP2_Critical_end(&h_critical);
			POMP2_Critical_exit(&h_critical);
			break;
		case 4:
			POMP2_Ordered_enter(&h_ordered, ordered_ctc);
			POMP2_Ordered_begin(&h_ordered);
			play(depth - 1);
			POMP2_Ordered_end(&h_ordered);
			POMP2_Ordered_exit(&h_ordered);
			break;
		case 5:
			POMP2_Master_begin(&h_master, master_ctc);
			play(depth - 1);
			POMP2_Master_end(&h_master);
			break;
		case 6:
			POMP2_Task_create_begin(&h_task, &new_task, &old, 1, task_ctc);
			if (dice(2)) {
				POMP2_Task_begin(&h_task, 0);
				play(depth - 1);
				POMP2_Task_end(&h_task);
				n_played[12]++;
			}
			POMP2_Task_create_end(&h_task, old);
			break;
		case 7:
			POMP2_Taskwait_begin(&h_taskwait, &old, taskwait_ctc);
			POMP2_Taskwait_end(&h_taskwait, old);
			break;
		case 8:
			POMP2_Begin(&h_user, user_ctc);
			play(depth - 1);
			POMP2_End(&h_user);
			break;
		case 9:
			POMP2_Parallel_fork(&h_pfor, 1, 1, &token, pfor_ctc);
			ompp_parallel_begin(&h_pfor, token);
			POMP2_For_enter(&h_pfor, pfor_ctc);
			play(depth - 1);
			POMP2_For_exit(&h_pfor);
			POMP2_Implicit_barrier_enter(&h_pfor, &old);
			POMP2_Implicit_barrier_exit(&h_pfor, old);
			POMP2_Parallel_end(&h_pfor);
			POMP2_Parallel_join(&h_pfor, token);
			break;
		default:
			POMP2_Atomic_enter(&h_atomic, atomic_ctc);
			POMP2_Atomic_exit(&h_atomic);
			break;
		}
	}
	__asm__ volatile("" ::: "memory");
}

static uint64_t executions(const struct ompp_profile *p, uint32_t line, int taskexec)
{
	uint64_t n = 0;
	size_t i, j;

	for (i = 1; i < p->n_nodes; i++)
		if (p->regions[p->nodes[i].region].begin_line == line &&
		    (p->nodes[i].construct == OMPP_TASKEXEC) == taskexec)
			for (j = 0; j < p->nodes[i].n_cells; j++)
				n += p->cells[p->nodes[i].first_cell + j].n_exec;
	return n;
}

/* Checks that no row's children last longer than the row (except tasks, which hang below the team at any time). */
static void check_children(const struct ompp_profile *p)
{
	int64_t *below = calloc(p->n_nodes * p->n_rows, sizeof(*below));
	size_t i, j;

	for (i = p->n_nodes; i-- > 1;)
		for (j = 0; j < p->nodes[i].n_cells; j++) {
			const struct ompp_cell *c = &p->cells[p->nodes[i].first_cell + j];

			if (p->nodes[i].construct != OMPP_PARALLEL_LOOP && p->nodes[i].construct != OMPP_TASKEXEC)
				assert_true(below[i * p->n_rows + c->row] <= c->incl_ns);
			if (p->nodes[i].construct != OMPP_TASKEXEC)
				below[p->nodes[i].parent * p->n_rows + c->row] += c->incl_ns;
		}
	free(below);
}

static void well_nested_events(void **state)
{
	static const uint32_t lines[] = { 20, 30, 40, 50, 60, 72, 80, 82, 90, 10, 70 };
	const struct ompp_profile *p;
	uint64_t round;
	int kind;

	(void)state;
	option("OMPP_MAX_DEPTH", "4096");
	POMP2_Assign_handle(&h_task, task_ctc);
	for (round = 1; round <= 60; round++) {
		seed = round;
		play(5);
		p = collect();
		check_identities();
		check_children(p);
		for (kind = 0; kind < 11; kind++)
			assert_int_equal(executions(p, lines[kind], 0), n_played[kind]);
		assert_int_equal(executions(p, 80, 1), n_played[12]);
		assert_int_equal(p->n_notes, 0);
	}
	assert_true(n_played[9] > 100 && n_played[12] > 100);
}

/* Plays any event at any time, at any depth of the stack: nothing breaks, and columns still fit together. */
static __attribute__((noinline)) void babble(int depth)
{
	static int64_t tokens[4];
	int64_t old;
	int i;

	for (i = 0; i < 40; i++)
		switch (dice(34)) {
		/* clang-format off */
		case 0: POMP2_For_enter(&h_loop, loop_ctc); break;
		case 1: POMP2_For_exit(&h_loop); break;
		case 2: POMP2_Implicit_barrier_enter(&h_loop, &old); break;
		case 3: POMP2_Implicit_barrier_exit(&h_loop, 0); break;
		case 4: POMP2_Sections_enter(&h_sections, sections_ctc); break;
		case 5: POMP2_Sections_exit(&h_sections); break;
		case 6: POMP2_Section_begin(&h_sections, sections_ctc); break;
		case 7: POMP2_Section_end(&h_sections); break;
		case 8: POMP2_Single_enter(&h_single, single_ctc); break;
		case 9: POMP2_Single_exit(&h_single); break;
		case 10: POMP2_Single_begin(&h_single); break;
		case 11: POMP2_Single_end(&h_single); break;
		case 12: POMP2_Critical_enter(&h_critical, critical_ctc); break;
		case 13: POMP2_Critical_exit(&h_critical); break;
		case 14: POMP2_Critical_begin(&h_critical); break;
		case 15: POMP2_Critical_end(&h_critical); break;
		case 16: POMP2_Task_begin(&h_task, 0); break;
		case 17: POMP2_Untied_task_begin(&h_task, 0); break;
		case 18: POMP2_Task_end(&h_task); break;
		case 19: POMP2_Taskwait_begin(&h_taskwait, &tokens[dice(4)], taskwait_ctc); break;
		case 20: POMP2_Taskwait_end(&h_taskwait, tokens[dice(4)]); break;
		case 21: POMP2_Parallel_fork(&h_parallel, 1, 1, &team, parallel_ctc); break;
		case 22: ompp_parallel_begin(&h_parallel, team); break;
		case 23: POMP2_Parallel_begin(&h_parallel); break;
		case 24: POMP2_Parallel_end(&h_parallel); break;
		case 25: POMP2_Parallel_join(&h_parallel, team); break;
		case 26: POMP2_Implicit_barrier_enter(&h_parallel, &old); break;
		case 27: POMP2_Implicit_barrier_exit(&h_parallel, 0); break;
		case 28: POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc); break;
		case 29: POMP2_Barrier_exit(&h_barrier, 0); break;
		case 30: dice(4) ? POMP2_On() : POMP2_Off(); break;
		case 31: POMP2_Atomic_enter(&h_atomic, atomic_ctc); break;
		case 32: POMP2_Atomic_exit(&h_atomic); break;
		/* clang-format on */
		default:
			if (depth)
				babble(depth - 1);
			break;
		}
	__asm__ volatile("" ::: "memory");
}

/* The tree grows with each round, and with it what it takes to switch measuring off; and the thread sanitizer looks at
 * each access to it.  So a run plays one part of the rounds. */
#ifdef __SANITIZE_THREAD__
enum { ROUNDS = 300, PARTS = 4 };
#else
enum { ROUNDS = 300, PARTS = 3 };
#endif

static void any_events(void **state)
{
	uint64_t round, n_rounds = 0;

	(void)state;
	POMP2_Assign_handle(&h_task, task_ctc);
	for (round = 1 + part_of_cases(PARTS); round <= ROUNDS; round += PARTS) {
		seed = round * 77;
		babble(12);
		if (++n_rounds % 3 == 0) {
			collect();
			check_identities();
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_of_the_run),
		cmocka_unit_test(a_run_without_events),
		cmocka_unit_test(the_name_can_be_given),
		cmocka_unit_test(mpi_ranks_are_found),
		cmocka_unit_test(rows_are_in_numerical_order),
		cmocka_unit_test(what_begins_after_the_report),
		cmocka_unit_test(costly_regions_are_marked),
		cmocka_unit_test(costs_of_estimates_may_be_more_than_the_run_s),
		cmocka_unit_test(own_cost_is_no_more_than_the_run),
		cmocka_unit_test(costs_are_measured_again),
		cmocka_unit_test(barriers_have_a_cost_of_their_own),
		cmocka_unit_test(no_memory_is_an_error),
		cmocka_unit_test(threads_may_be_about_to_start),
		cmocka_unit_test(well_nested_events),
		cmocka_unit_test(any_events),
	};

	return RUN_APART(tests);
}
