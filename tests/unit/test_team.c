/*
 * Team: parallel regions of every kind by token and by region: rows, counts and times.
 */
#include "tests/unit/steps.h"

REGION(atomic, atomic, 50, 50);
REGION(parallel, parallel, 10, 19);
REGION(inner, parallel, 12, 18);
REGION(pfor, parallelfor, 20, 29);
REGION(psections, parallelsections, 30, 39);
REGION(critical, critical, 14, 15);
REGION_WITH(pcancel, parallelfor, 40, 49, "ownBarrier=1*");
REGION_WITH(single, single, 42, 43, "ownBarrier=1*");

static int64_t team, inner_team;

static inline void fork_region(void **handle, const char *ctc, int n)
{
	POMP2_Parallel_fork(handle, 1, n, &team, ctc);
}

static void whole_part(void **handle)
{
	int64_t old;

	ompp_parallel_begin(handle, team);
	POMP2_Implicit_barrier_enter(handle, &old);
	POMP2_Implicit_barrier_exit(handle, old);
	POMP2_Parallel_end(handle);
}

/* The clock: fork 1, 2 (a fork reads twice); begin 3, 5 (the first event of another thread reads twice); barrier enter
 * 6, 7; exit 8, 9; end 10, 11; join 12. */
static void member(void)
{
	int64_t old;

	at(2);
	ompp_parallel_begin(&h_parallel, team);
	at(4);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	at(6);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	at(8);
	POMP2_Parallel_end(&h_parallel);
}

static void two_threads(void **state)
{
	const struct ompp_cell *c;
	int64_t old;

	(void)state;
	start_thread(1, member);
	at(0);
	fork_region(&h_parallel, parallel_ctc, 2);
	at(1);
	ompp_parallel_begin(&h_parallel, team);
	at(3);
	POMP2_Implicit_barrier_enter(&h_parallel, &old);
	at(5);
	POMP2_Implicit_barrier_exit(&h_parallel, old);
	at(7);
	POMP2_Parallel_end(&h_parallel);
	at(9);
	POMP2_Parallel_join(&h_parallel, team);
	join_threads();
	collect();
	check_identities();

	c = cell("10", "0");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->exec_ns, us(12 - 2));
	assert_int_equal(c->startup_ns, us(3 - 2));
	assert_int_equal(c->exit_bar_ns, us(8 - 6));
	assert_int_equal(c->body_ns, us((10 - 3) - (8 - 6)));
	assert_int_equal(c->shutdown_ns, us(12 - 10));
	assert_int_equal(c->incl_ns, c->exec_ns);
	c = cell("10", "1");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->exec_ns, us(12 - 2));
	assert_int_equal(c->startup_ns, us(5 - 2));
	assert_int_equal(c->exit_bar_ns, us(9 - 7));
	assert_int_equal(c->body_ns, us((11 - 5) - (9 - 7)));
	assert_int_equal(c->shutdown_ns, us(12 - 11));
	assert_false(has_cell("10", "2"));
}

/* Without a token, as in what opari2 by itself writes, a member finds its team by the region. */
static void member_without_token(void)
{
	at(2);
	POMP2_Parallel_begin(&h_parallel);
	POMP2_Parallel_end(&h_parallel);
}

static void without_tokens(void **state)
{
	(void)state;
	start_thread(1, member_without_token);
	at(0);
	fork_region(&h_parallel, parallel_ctc, 2);
	at(1);
	POMP2_Parallel_begin(&h_parallel);
	at(3);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, 0);
	join_threads();
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_int_equal(cell("10", "1")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LOST_TEAM), 0);
}

/* Teams have 1, 3 and 2 threads, and the threads of the pool stay. */
static void pool_thread(void)
{
	barrier_wait();
	if (rank < 3)
		whole_part(&h_parallel);
	barrier_wait();
	barrier_wait();
	if (rank < 2)
		whole_part(&h_parallel);
	barrier_wait();
}

static void teams_grow_and_shrink(void **state)
{
	static const int sizes[] = { 3, 2 };
	int i;

	(void)state;
	barrier_init(4);
	for (i = 1; i < 4; i++)
		start_thread(i, pool_thread);
	fork_region(&h_parallel, parallel_ctc, 1);
	whole_part(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	for (i = 0; i < 2; i++) {
		fork_region(&h_parallel, parallel_ctc, sizes[i]);
		barrier_wait();
		whole_part(&h_parallel);
		barrier_wait();
		POMP2_Parallel_join(&h_parallel, team);
	}
	join_threads();
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 3);
	assert_int_equal(cell("10", "1")->n_exec, 2);
	assert_int_equal(cell("10", "2")->n_exec, 1);
	assert_false(has_cell("10", "3"));
	assert_int_equal(note(OMPP_NOTE_LOST_TEAM), 0);
}

/* Rank 1 of the outer team forks an inner team, which has the rows 1.0 and 1.1. */
static void inner_member(void)
{
	at(3);
	ompp_parallel_begin(&h_inner, inner_team);
	POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Critical_begin(&h_critical);
	POMP2_Critical_end(&h_critical);
	POMP2_Critical_exit(&h_critical);
	POMP2_Parallel_end(&h_inner);
}

static void outer_member(void)
{
	at(2);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Parallel_fork(&h_inner, 1, 2, &inner_team, inner_ctc);
	rank = 0;
	ompp_parallel_begin(&h_inner, inner_team);
	at(4);
	POMP2_Parallel_end(&h_inner);
	rank = 1;
	POMP2_Parallel_join(&h_inner, inner_team);
	POMP2_Parallel_end(&h_parallel);
}

static void nested_teams_have_paths_of_ranks(void **state)
{
	const struct ompp_profile *p;
	size_t i;

	(void)state;
	start_thread(1, outer_member);
	start_thread(1, inner_member);
	at(0);
	fork_region(&h_parallel, parallel_ctc, 2);
	at(1);
	ompp_parallel_begin(&h_parallel, team);
	at(5);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	join_threads();
	p = collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_int_equal(cell("10", "1")->n_exec, 1);
	assert_int_equal(cell("10/12", "1.0")->n_exec, 1);
	assert_int_equal(cell("10/12", "1.1")->n_exec, 1);
	assert_int_equal(cell("10/12/14", "1.1")->n_exec, 1);
	assert_false(has_cell("10/12", "1"));
	assert_false(has_cell("10/12", "0"));
	assert_int_equal(p->n_rows, 4);
	for (i = 0; i < 4; i++) {
		static const char *const labels[] = { "0", "1", "1.0", "1.1" };
		static const uint32_t parents[] = { OMPP_NONE, OMPP_NONE, 1, 1 };

		assert_string_equal(p->rows[i].label, labels[i]);
		assert_int_equal(p->rows[i].parent, parents[i]);
	}
}

/* Two threads of the program each open the region. */
static void second_host(void)
{
	int64_t mine;

	at(1);
	POMP2_Parallel_fork(&h_parallel, 1, 1, &mine, parallel_ctc);
	ompp_parallel_begin(&h_parallel, mine);
	at(3);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, mine);
}

static void hosts_are_told_apart(void **state)
{
	(void)state;
	start_thread(0, second_host);
	at(0);
	fork_region(&h_parallel, parallel_ctc, 1);
	ompp_parallel_begin(&h_parallel, team);
	at(2);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	at(4);
	join_threads();
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_int_equal(cell("10", "h2:0")->n_exec, 1);
}

/* A thread came before the main thread, which takes its slot over: still the main thread is the first host. */
static void early_host(void)
{
	int64_t mine;

	POMP2_Parallel_fork(&h_parallel, 1, 1, &mine, parallel_ctc);
	ompp_parallel_begin(&h_parallel, mine);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, mine);
}

/* What a member does outside of all teams is that of a host of its own, behind all hosts that there are. */
static void lasting_host(void)
{
	early_host();
	at(0);
	at(3);
}

static void stray_member(void)
{
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	at(2);
}

static void members_outside_of_teams_are_further_hosts(void **state)
{
	(void)state;
	start_thread(0, lasting_host);
	at(1);
	fork_region(&h_parallel, parallel_ctc, 2);
	ompp_parallel_begin(&h_parallel, team);
	start_thread(1, stray_member);
	join_threads();
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	collect();
	check_identities();
	assert_int_equal(cell("10", "h2:0")->n_exec, 1);
	assert_int_equal(cell("50", "h3:0")->n_exec, 1);
}

static void the_main_thread_is_the_first_host(void **state)
{
	(void)state;
	start_thread(0, early_host);
	join_threads();
	early_host();
	early_host();
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 2);
	assert_int_equal(cell("10", "h2:0")->n_exec, 1);
}

/* Threads live for one team each; their slots are used again, and their counts stay. */
static void short_life(void)
{
	whole_part(&h_parallel);
}

static void slots_are_used_again(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 50; i++) {
		fork_region(&h_parallel, parallel_ctc, 2);
		start_thread(1, short_life);
		whole_part(&h_parallel);
		join_threads();
		POMP2_Parallel_join(&h_parallel, team);
	}
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 50);
	assert_int_equal(cell("10", "1")->n_exec, 50);
	assert_int_equal(collect()->n_rows, 2);
}

/* The clock: fork 1, 2; begin 3; loop enter 4; loop exit 5; barrier 6, 7; end 8; join 9. */
static void parallel_loop(void **state)
{
	const struct ompp_cell *c;
	int64_t old;

	(void)state;
	fork_region(&h_pfor, pfor_ctc, 1);
	ompp_parallel_begin(&h_pfor, team);
	POMP2_For_enter(&h_pfor, pfor_ctc);
	POMP2_For_exit(&h_pfor);
	POMP2_Implicit_barrier_enter(&h_pfor, &old);
	POMP2_Implicit_barrier_exit(&h_pfor, old);
	POMP2_Parallel_end(&h_pfor);
	POMP2_Parallel_join(&h_pfor, team);
	collect();
	check_identities();
	c = cell("20", "0");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->exec_ns, us(9 - 2));
	assert_int_equal(c->body_ns, us((8 - 3) - (7 - 6)));
	assert_int_equal(c->exit_bar_ns, us(7 - 6));
	assert_int_equal(collect()->n_nodes, 2);
}

/* The clock: fork 1, 2; begin 3; enter 4; section 5–6, 7–8; exit 9; barrier 10, 11; end 12; join 13. */
static void parallel_sections(void **state)
{
	const struct ompp_cell *c;
	int64_t old;
	int i;

	(void)state;
	fork_region(&h_psections, psections_ctc, 1);
	ompp_parallel_begin(&h_psections, team);
	POMP2_Sections_enter(&h_psections, psections_ctc);
	for (i = 0; i < 2; i++) {
		POMP2_Section_begin(&h_psections, psections_ctc);
		POMP2_Section_end(&h_psections);
	}
	POMP2_Sections_exit(&h_psections);
	POMP2_Implicit_barrier_enter(&h_psections, &old);
	POMP2_Implicit_barrier_exit(&h_psections, old);
	POMP2_Parallel_end(&h_psections);
	POMP2_Parallel_join(&h_psections, team);
	collect();
	check_identities();
	c = cell("30", "0");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->n_body, 2);
	assert_int_equal(c->exec_ns, us(13 - 2));
	assert_int_equal(c->body_ns, us(2));
	assert_int_equal(c->exit_bar_ns, us(1));
	assert_int_equal(c->startup_ns, us(1));
	assert_int_equal(c->shutdown_ns, us(1));
	assert_int_equal(c->mgmt_ns, us((12 - 3) - 2 - 1));
}

/* A member left its part by cancellation, which its next event shows. */
static void cancelled_parts_are_closed_by_the_join(void **state)
{
	(void)state;
	fork_region(&h_parallel, parallel_ctc, 1);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Parallel_join(&h_parallel, team);
	fork_region(&h_parallel, parallel_ctc, 1);
	whole_part(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 2);
	assert_int_equal(cell("10/14", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LEFT), 2);
	assert_int_equal(note(OMPP_NOTE_OPEN), 0);
}

/* When cancellation lets a member go, its part, and what is open in it, lasts until the join at most. */
static void cancelled_member(void)
{
	at(1);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_Critical_enter(&h_critical, critical_ctc);
	at(4);
}

static void a_cancelled_member_ends_with_its_team(void **state)
{
	(void)state;
	start_thread(1, cancelled_member);
	at(0);
	fork_region(&h_parallel, parallel_ctc, 2);       /* 2 */
	at(2);                                           /* 3, 4: the member */
	whole_part(&h_parallel);                         /* 5 … 8 */
	POMP2_Parallel_join(&h_parallel, team);          /* 9 */
	POMP2_Critical_enter(&h_critical, critical_ctc); /* 10 */
	POMP2_Critical_exit(&h_critical);                /* 11 */
	collect();
	check_identities();
	assert_int_equal(cell("10", "1")->body_ns, us(9 - 3));
	assert_int_equal(cell("10/14", "1")->exec_ns, us(9 - 4));
	assert_int_equal(note(OMPP_NOTE_OPEN), 0);
	assert_int_equal(note(OMPP_NOTE_LEFT), 2);
	at(3);
	join_threads(); /* its frames are taken off as the thread ends */
	collect();
	check_identities();
	assert_int_equal(cell("10", "1")->body_ns, us(9 - 3));
	assert_int_equal(cell("10/14", "1")->exec_ns, us(9 - 4));
	assert_int_equal(note(OMPP_NOTE_LEFT), 2);
}

/* What one thread of a team of two does. */
static void off_member(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		barrier_wait();
		if (i)
			POMP2_Parallel_begin(&h_parallel);
		else
			ompp_parallel_begin(&h_parallel, team);
		barrier_wait(); /* measuring may be switched here */
		POMP2_Critical_enter(&h_critical, critical_ctc);
		POMP2_Critical_exit(&h_critical);
		POMP2_Parallel_end(&h_parallel);
		barrier_wait();
	}
}

/* Runs two teams, the second of which its members find by the region.  Measuring is on, or off when `first` is set, and
 * switched at a place: 0 is before the fork, 1 inside, 2 before the join. */
static void off_in_teams(int first, int switches_at)
{
	int off = first, i;

	barrier_init(2);
	start_thread(1, off_member);
	whole_part(&h_parallel); /* the team's thread may be there already, or not */
	for (i = 0; i < 2; i++) {
		(off ? POMP2_Off : POMP2_On)();
		if (switches_at == 0)
			((off = !off) ? POMP2_Off : POMP2_On)();
		fork_region(&h_parallel, parallel_ctc, 2);
		barrier_wait();
		if (i)
			POMP2_Parallel_begin(&h_parallel);
		else
			ompp_parallel_begin(&h_parallel, team);
		if (switches_at == 1)
			((off = !off) ? POMP2_Off : POMP2_On)();
		barrier_wait();
		POMP2_Critical_enter(&h_critical, critical_ctc);
		POMP2_Critical_exit(&h_critical);
		POMP2_Parallel_end(&h_parallel);
		barrier_wait();
		if (switches_at == 2)
			((off = !off) ? POMP2_Off : POMP2_On)();
		POMP2_Parallel_join(&h_parallel, team);
		off = first;
	}
	POMP2_On();
	join_threads();
	collect();
	check_identities();
	assert_int_equal(note(OMPP_NOTE_STRAY) + note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_LOST_TEAM) +
	                         note(OMPP_NOTE_OPEN),
	                 0);
}

static void teams_while_off(void **state)
{
	(void)state;
	off_in_teams(1, -1);
	assert_int_equal(collect()->n_nodes, 1);
	assert_int_equal(collect()->n_rows, 1);
}

static void teams_before_off(void **state)
{
	(void)state;
	off_in_teams(0, 2);
	assert_int_equal(cell("10", "0")->n_exec, 2);
	assert_int_equal(cell("10", "1")->n_exec, 2);
	assert_int_equal(cell("10/14", "1")->n_exec, 2);
	assert_true(cell("10", "0")->shutdown_ns > 0 &&
	            cell("10", "1")->shutdown_ns > 0); /* until measuring was switched off */
}

static void off_within_teams(void **state)
{
	(void)state;
	off_in_teams(0, 1);
	assert_int_equal(cell("10", "0")->n_exec, 2);
	assert_int_equal(cell("10", "1")->n_exec, 2);
	assert_true(cell("10", "0")->shutdown_ns == 0 && cell("10", "1")->shutdown_ns == 0);
	assert_false(has_cell("10/14", "0"));
}

/* Switched on inside of a team, threads have their ranks, and what they do is in their region. */
static void on_within_teams(void **state)
{
	(void)state;
	off_in_teams(1, 1);
	assert_int_equal(cell("10", "0")->n_exec, 2);
	assert_int_equal(cell("10", "1")->n_exec, 2);
	assert_int_equal(cell("10/14", "0")->n_exec, 2);
	assert_int_equal(cell("10/14", "1")->n_exec, 2);
	assert_int_equal(collect()->n_rows, 2);
}

static void on_after_teams(void **state)
{
	(void)state;
	off_in_teams(1, 2);
	assert_false(has_cell("10/14", "0"));
	assert_int_equal(cell("10", "0")->n_exec, 2); /* from where it was switched on until the join */
	assert_int_equal(cell("10", "0")->body_ns, 0);
	assert_int_equal(cell("10", "0")->shutdown_ns, cell("10", "0")->exec_ns);
}

static void lost_thread(void)
{
	ompp_parallel_begin(&h_parallel, 0x7777777);
}

static void a_wrong_token_is_counted(void **state)
{
	(void)state;
	fork_region(&h_parallel, parallel_ctc, 1);
	POMP2_Parallel_join(&h_parallel, team);
	start_thread(1, lost_thread);
	join_threads();
	collect();
	assert_int_equal(note(OMPP_NOTE_LOST_TEAM), 1);
}

/* The wait of a construct that keeps its own barrier is in its body, and its other columns are missing. */
static void a_barrier_without_events_is_missing(void **state)
{
	const struct ompp_cell *c;
	int64_t old;

	(void)state;
	fork_region(&h_pcancel, pcancel_ctc, 1);        /* 2 */
	ompp_parallel_begin(&h_pcancel, team);          /* 3 */
	POMP2_For_enter(&h_pcancel, pcancel_ctc);       /* 4 */
	POMP2_For_exit(&h_pcancel);                     /* 5 */
	POMP2_Single_enter(&h_single, single_ctc);      /* 6 */
	POMP2_Single_begin(&h_single);                  /* 7 */
	POMP2_Single_end(&h_single);                    /* 8 */
	POMP2_Single_exit(&h_single);                   /* 9 */
	POMP2_Implicit_barrier_enter(&h_pcancel, &old); /* 10 */
	POMP2_Implicit_barrier_exit(&h_pcancel, old);   /* 11 */
	POMP2_Parallel_end(&h_pcancel);                 /* 12 */
	POMP2_Parallel_join(&h_pcancel, team);          /* 13 */
	collect();
	check_identities();
	c = cell("40", "0");
	assert_int_equal(c->body_ns, us(12 - 3));
	assert_true(c->exit_bar_ns == OMPP_MISSING && c->task_ns == OMPP_MISSING);
	assert_int_equal(c->exec_ns, us(13 - 2));
	c = cell("40/42", "0");
	assert_int_equal(c->exec_ns, us(9 - 6));
	assert_int_equal(c->body_ns, us(8 - 7));
	assert_true(c->exit_bar_ns == OMPP_MISSING && c->mgmt_ns == OMPP_MISSING && c->task_ns == OMPP_MISSING);
	assert_int_equal(note(OMPP_NOTE_OWN_BARRIER), 2);
}

static void open_teams_are_shown(void **state)
{
	(void)state;
	fork_region(&h_parallel, parallel_ctc, 1);
	ompp_parallel_begin(&h_parallel, team);
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_true(cell("10", "0")->exec_ns > 0);
	assert_int_equal(note(OMPP_NOTE_OPEN), 2);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	collect();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_OPEN), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_threads),
		cmocka_unit_test(without_tokens),
		cmocka_unit_test(teams_grow_and_shrink),
		cmocka_unit_test(nested_teams_have_paths_of_ranks),
		cmocka_unit_test(hosts_are_told_apart),
		cmocka_unit_test(the_main_thread_is_the_first_host),
		cmocka_unit_test(members_outside_of_teams_are_further_hosts),
		cmocka_unit_test(slots_are_used_again),
		cmocka_unit_test(parallel_loop),
		cmocka_unit_test(parallel_sections),
		cmocka_unit_test(cancelled_parts_are_closed_by_the_join),
		cmocka_unit_test(a_cancelled_member_ends_with_its_team),
		cmocka_unit_test(a_wrong_token_is_counted),
		cmocka_unit_test(teams_while_off),
		cmocka_unit_test(teams_before_off),
		cmocka_unit_test(off_within_teams),
		cmocka_unit_test(on_within_teams),
		cmocka_unit_test(on_after_teams),
		cmocka_unit_test(a_barrier_without_events_is_missing),
		cmocka_unit_test(open_teams_are_shown),
	};

	return RUN_APART(tests);
}
