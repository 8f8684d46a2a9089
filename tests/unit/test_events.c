/*
 * Events: calls any entry point in any order, with any handle and token, from any thread, while and after reports are
 * made.  Nothing crashes, times and columns still fit together, and each enter is a visit of its construct.
 */
#include "tests/unit/steps.h"

#include <stdatomic.h>

#include "runtime/base/array.h"
#include "runtime/collect/collect.h"
#include "runtime/collect/dump.h"
#include "runtime/core/session.h"
#include "runtime/ompp.h"

/* After each seed a profile is made of all events until then, so that a run takes one part of the seeds. */
#ifdef __SANITIZE_THREAD__
enum { N_SEEDS = 40, PARTS = 10 };
#else
enum { N_SEEDS = 40, PARTS = 3 };
#endif
enum { N_EVENTS = 400, N_THREADS = 4, N_TOKENS = 32, N_HANDLES = 3 };

/* Each construct with two handles that are assigned by their first enter, and one that stays NULL. */
#define HANDLES(name, type, begin) \
	static void *h_##name[N_HANDLES]; \
	static const char *const name##_ctc[N_HANDLES] = { CTC(type, begin, 1, ""), \
		                                           CTC(type, begin, 2, "ownBarrier=1*"), "no context string" }

HANDLES(parallel, parallel, 100);
HANDLES(pfor, parallelfor, 110);
HANDLES(psections, parallelsections, 120);
HANDLES(loop, for, 130);
HANDLES(sections, sections, 140);
HANDLES(workshare, workshare, 150);
HANDLES(single, single, 160);
HANDLES(master, master, 170);
HANDLES(critical, critical, 180);
HANDLES(ordered, ordered, 190);
HANDLES(atomic, atomic, 200);
HANDLES(flush, flush, 210);
HANDLES(barrier, barrier, 220);
HANDLES(task, task, 230);
HANDLES(taskwait, taskwait, 240);
HANDLES(user, region, 250);

/* Numbers that are no tokens and, in tests that keep them, the tokens that any thread got. */
static _Atomic int64_t tokens[N_TOKENS] = { 0, -1, 1, INT64_MAX, INT64_MIN, 0x1000000000001, 0x2000001000002 };
static int keeps_tokens;
static _Atomic uint64_t n_entered[OMPP_N_CONSTRUCTS];
static __thread uint64_t seed;

static uint32_t number(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % below;
}

static int64_t token(void)
{
	return atomic_load(&tokens[number(N_TOKENS)]);
}

static void keep(int64_t t)
{
	if (keeps_tokens)
		atomic_store(&tokens[number(N_TOKENS)], t);
}

/* Counts an enter as a visit when the region has a context string. */
static void count(enum ompp_construct construct, int i)
{
	if (i < 2)
		atomic_fetch_add(&n_entered[construct], 1);
}

#define ENTER(name, call, construct) (count(construct, i), POMP2_##call(&h_##name[i], name##_ctc[i]))

static void plain_event(uint32_t which, int i)
{
	switch (which) {
	/* clang-format off */
	case 0: ENTER(atomic, Atomic_enter, OMPP_ATOMIC); break;
	case 1: POMP2_Atomic_exit(&h_atomic[i]); break;
	case 2: ENTER(flush, Flush_enter, OMPP_FLUSH); break;
	case 3: POMP2_Flush_exit(&h_flush[i]); break;
	case 4: ENTER(critical, Critical_enter, OMPP_CRITICAL); break;
	case 5: POMP2_Critical_begin(&h_critical[i]); break;
	case 6: POMP2_Critical_end(&h_critical[i]); break;
	case 7: POMP2_Critical_exit(&h_critical[i]); break;
	case 8: ENTER(loop, For_enter, OMPP_LOOP); break;
	case 9: POMP2_For_exit(&h_loop[i]); break;
	case 10: POMP2_For_enter(&h_pfor[i], pfor_ctc[i]); break;
	case 11: POMP2_For_exit(&h_pfor[i]); break;
	case 12: ENTER(master, Master_begin, OMPP_MASTER); break;
	case 13: POMP2_Master_end(&h_master[i]); break;
	case 14: POMP2_Section_begin(&h_sections[i], sections_ctc[i]); break;
	case 15: POMP2_Section_end(&h_sections[i]); break;
	case 16: ENTER(sections, Sections_enter, OMPP_SECTIONS); break;
	case 17: POMP2_Sections_exit(&h_sections[i]); break;
	case 18: POMP2_Section_begin(&h_psections[i], psections_ctc[i]); break;
	case 19: POMP2_Sections_enter(&h_psections[i], psections_ctc[i]); break;
	case 20: POMP2_Sections_exit(&h_psections[i]); break;
	case 21: ENTER(single, Single_enter, OMPP_SINGLE); break;
	case 22: POMP2_Single_begin(&h_single[i]); break;
	case 23: POMP2_Single_end(&h_single[i]); break;
	case 24: POMP2_Single_exit(&h_single[i]); break;
	case 25: ENTER(workshare, Workshare_enter, OMPP_WORKSHARE); break;
	case 26: POMP2_Workshare_exit(&h_workshare[i]); break;
	case 27: ENTER(ordered, Ordered_enter, OMPP_ORDERED); break;
	case 28: POMP2_Ordered_begin(&h_ordered[i]); break;
	case 29: POMP2_Ordered_end(&h_ordered[i]); break;
	case 30: POMP2_Ordered_exit(&h_ordered[i]); break;
	case 31: ENTER(user, Begin, OMPP_USER_REGION); break;
	case 32: POMP2_End(&h_user[i]); break;
	case 33: ompp_region_begin("by call"); count(OMPP_USER_REGION, 0); break;
	case 34: ompp_region_end("by call"); break;
	case 35: ompp_region_end("never begun"); break;
	default: break;
		/* clang-format on */
	}
}
enum { N_PLAIN = 36 };

#define TOKEN_ENTER(name, call, construct) \
	do { \
		count(construct, i); \
		POMP2_##call(&h_##name[i], &old, name##_ctc[i]); \
		keep(old); \
	} while (0)
#define CREATE(call) \
	do { \
		count(OMPP_TASK, i); \
		POMP2_##call##_create_begin(&h_task[i], &new_task, &old, 1, task_ctc[i]); \
		keep(old); \
	} while (0)

static void token_event(uint32_t which, int i)
{
	int64_t old = 0, new_task;

	switch (which) {
	/* clang-format off */
	case 0: TOKEN_ENTER(barrier, Barrier_enter, OMPP_BARRIER); break;
	case 1: POMP2_Barrier_exit(&h_barrier[i], token()); break;
	case 2: POMP2_Implicit_barrier_enter(&h_loop[i], &old); keep(old); break;
	case 3: POMP2_Implicit_barrier_exit(&h_loop[i], token()); break;
	case 4: TOKEN_ENTER(taskwait, Taskwait_begin, OMPP_TASKWAIT); break;
	case 5: POMP2_Taskwait_end(&h_taskwait[i], token()); break;
	case 6: CREATE(Task); break;
	case 7: POMP2_Task_create_end(&h_task[i], token()); break;
	case 8: CREATE(Untied_task); break;
	case 9: POMP2_Untied_task_create_end(&h_task[i], token()); break;
	case 10: POMP2_Task_begin(&h_task[i], token()); break;
	case 11: POMP2_Task_end(&h_task[i]); break;
	case 12: POMP2_Untied_task_begin(&h_task[i], token()); break;
	case 13: POMP2_Untied_task_end(&h_task[i]); break;
	case 14: POMP2_Parallel_fork(&h_parallel[i], 1, (int)number(9) - 1, &old, parallel_ctc[i]); keep(old); break;
	case 15: POMP2_Parallel_begin(&h_parallel[i]); break;
	case 16: ompp_parallel_begin(&h_parallel[i], token()); break;
	case 17: POMP2_Parallel_end(&h_parallel[i]); break;
	case 18: POMP2_Parallel_join(&h_parallel[i], token()); break;
	case 19: POMP2_Implicit_barrier_enter(&h_parallel[i], &old); keep(old); break;
	case 20: POMP2_Implicit_barrier_exit(&h_parallel[i], token()); break;
	case 21: POMP2_Parallel_fork(&h_psections[i], 0, 2, &old, psections_ctc[i]); keep(old); break;
	case 22: ompp_parallel_begin(&h_psections[i], token()); break;
	case 23: POMP2_Parallel_end(&h_psections[i]); break;
	case 24: POMP2_Parallel_join(&h_psections[i], 0); break;
	case 25: POMP2_Parallel_fork(&h_pfor[i], 1, 100000, &old, pfor_ctc[i]); keep(old); break;
	case 26: POMP2_Parallel_join(&h_pfor[i], token()); break;
	default: break;
		/* clang-format on */
	}
}
enum { N_TOKEN = 27 };

static void events(void)
{
	for (int n = 0; n < N_EVENTS; n++) {
		uint32_t which = number(N_PLAIN + N_TOKEN);
		int i = number(20) ? (int)number(2) : 2;

		if (which < N_PLAIN)
			plain_event(which, i);
		else
			token_event(which - N_PLAIN, i);
	}
}

/* Returns how many visits of a construct the profile has. */
static uint64_t n_visits(const struct ompp_profile *p, enum ompp_construct construct)
{
	uint64_t n = 0;

	for (size_t i = 1; i < p->n_nodes; i++)
		for (uint32_t k = 0; p->nodes[i].construct == construct && k < p->nodes[i].n_cells; k++)
			n += p->cells[p->nodes[i].first_cell + k].n_exec;
	return n;
}

static void check_visits(void)
{
	static const enum ompp_construct visited[] = { OMPP_ATOMIC,  OMPP_FLUSH,       OMPP_CRITICAL, OMPP_MASTER,
		                                       OMPP_ORDERED, OMPP_USER_REGION, OMPP_BARRIER,  OMPP_TASKWAIT,
		                                       OMPP_SINGLE,  OMPP_SECTIONS,    OMPP_LOOP,     OMPP_WORKSHARE };
	const struct ompp_profile *p = collect();

	check_identities();
	assert_int_equal(note(OMPP_NOTE_FOLDED), 0);
	assert_int_equal(note(OMPP_NOTE_LOST_DEPTH), 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(visited); i++) {
		uint64_t n = n_visits(p, visited[i]), entered = atomic_load(&n_entered[visited[i]]);

		if (n != entered)
			fail_msg("%s: %llu visits of %llu enters", ompp_construct_name(visited[i]),
			         (unsigned long long)n, (unsigned long long)entered);
	}
}

static void one_thread(void **state)
{
	(void)state;
	option("OMPP_MAX_DEPTH", "4096");
	for (uint64_t s = 1 + part_of_cases(PARTS); s <= N_SEEDS; s += PARTS) {
		seed = s;
		rank = (int)number(3);
		events();
		check_visits();
	}
}

/* With the token of an instance that still runs, this goes on in two places, and is counted in both. */
static void wrong_tokens(void **state)
{
	(void)state;
	keeps_tokens = 1;
	for (uint64_t s = 1 + part_of_cases(PARTS); s <= N_SEEDS; s += PARTS) {
		seed = s;
		events();
		collect();
		check_identities();
	}
}

static void *thread(void *arg)
{
	seed = (uint64_t)(uintptr_t)arg;
	rank = (int)number(N_THREADS);
	events();
	return NULL;
}

/* Makes reports while threads run; then threads with other seeds use their slots again. */
static void run_threads(void)
{
#ifdef __SANITIZE_THREAD__
	/* to go on with an instance that another thread runs is a race with that thread, and is meant here */
	if (keeps_tokens)
		skip();
	for (int i = 5; i < N_TOKENS; i++)
		atomic_store(&tokens[i], 0);
#endif
	POMP2_Init();
	for (uintptr_t s = 1 + part_of_cases(PARTS); s <= N_SEEDS; s += PARTS) {
		pthread_t threads[N_THREADS];

		for (uintptr_t i = 0; i < N_THREADS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, thread, (void *)(s * 100 + i)), 0);
		collect();
		check_identities();
		for (int i = 0; i < N_THREADS; i++)
			pthread_join(threads[i], NULL);
		if (!keeps_tokens)
			check_visits();
	}
}

static void many_threads(void **state)
{
	(void)state;
	option("OMPP_MAX_DEPTH", "4096");
	option("OMPP_MEM", "1G"); /* the trees are as deep as chance makes them */
	run_threads();
}

static void many_threads_with_wrong_tokens(void **state)
{
	(void)state;
	keeps_tokens = 1;
	run_threads();
}

/* Ends without begins are counted and change nothing else, whether the handle is assigned or not. */
static void ends_alone(void **state)
{
	static const unsigned char plain[] = { 1, 3, 6, 7, 9, 11, 13, 15, 17, 20, 23, 24, 26, 29, 30, 32, 34, 35 };
	static const unsigned char with_token[] = { 1, 3, 5, 7, 9, 11, 13, 17, 18, 20, 23, 24, 26 };
	const struct ompp_profile *p;
	int i;

	(void)state;
	seed = 3;
	for (i = 0; i < N_HANDLES; i++) {
		POMP2_Assign_handle(&h_parallel[i], parallel_ctc[i]);
		POMP2_Assign_handle(&h_loop[i], loop_ctc[i]);
		POMP2_Assign_handle(&h_task[i], task_ctc[i]);
		POMP2_USER_Assign_handle(&h_user[i], user_ctc[i]);
	}
	i = 0;
	ENTER(atomic, Atomic_enter, OMPP_ATOMIC);
	POMP2_Atomic_exit(&h_atomic[0]);
	for (int twice = 0; twice < 2; twice++)
		for (i = 0; i < N_HANDLES; i++) {
			for (size_t k = 0; k < sizeof(plain); k++)
				plain_event(plain[k], i);
			for (size_t k = 0; k < sizeof(with_token); k++)
				token_event(with_token[k], i);
		}
	p = collect();
	check_identities();
	assert_int_equal(n_visits(p, OMPP_ATOMIC), 1);
	for (size_t k = 0; k < p->n_nodes; k++)
		assert_true(!k || p->nodes[k].construct == OMPP_ATOMIC);
	assert_true(note(OMPP_NOTE_STRAY) > 0);
	assert_true(note(OMPP_NOTE_NO_HANDLE) > 0);
	assert_int_equal(note(OMPP_NOTE_LEFT), 0);
}

/* Measuring may be switched off and on at any time. */
static void off_and_on(void **state)
{
	(void)state;
	seed = 77;
	for (int n = 0; n < 200; n++) {
		if (number(2))
			POMP2_Off();
		else
			POMP2_On();
		for (int k = 0; k < 20; k++)
			plain_event(number(N_PLAIN), (int)number(N_HANDLES));
		for (int k = 0; k < 10; k++)
			token_event(number(N_TOKEN), (int)number(N_HANDLES));
	}
	POMP2_On();
	collect();
	check_identities();
}

/* Events that come after the report are lost, or are for a later report. */
static void after_the_report(void **state)
{
	(void)state;
	option("OMPP_REPORTFILE", "none");
	option("OMPP_PROFILE", "0");
	option("OMPP_QUIET", "1");
	seed = 5;
	events();
	POMP2_Finalize();
	events();
	ompp_dump_final(0);
	events();
	POMP2_Finalize();
	ompp_dump_final(0);
	events();
	collect();
	check_identities();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread),       cmocka_unit_test(many_threads),
		cmocka_unit_test(wrong_tokens),     cmocka_unit_test(many_threads_with_wrong_tokens),
		cmocka_unit_test(ends_alone),       cmocka_unit_test(off_and_on),
		cmocka_unit_test(after_the_report),
	};

	return RUN_APART(tests);
}
