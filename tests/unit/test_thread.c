/*
 * Thread: frames of single constructs, their times and counts; frames that were left, stray, too deep or switched off.
 *
 * The first event of a test starts the thread; no fork, which would read the clock twice, is needed for that.
 */
#include "tests/unit/steps.h"

#include <stdio.h>
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/jump.h"
#include "runtime/events/visit.h"

REGION(loop, for, 10, 12);
REGION(workshare, workshare, 13, 14);
REGION(sections, sections, 15, 19);
REGION(single, single, 20, 24);
REGION_WITH(critical, critical, 25, 29, "criticalName=lock_a*");
REGION(atomic, atomic, 30, 30);
REGION(ordered, ordered, 31, 32);
REGION(barrier, barrier, 33, 33);
REGION(flush, flush, 34, 34);
REGION(master, master, 35, 36);
REGION_WITH(user, userRegion, 40, 49, "userRegionName=solve*");

static void check_one(const char *path, int64_t n_exec, int64_t exec)
{
	const struct ompp_cell *c;

	collect();
	check_identities();
	c = cell(path, "0");
	assert_int_equal(c->n_exec, n_exec);
	assert_int_equal(c->exec_ns, us(exec));
	assert_int_equal(c->incl_ns, us(exec));
	assert_int_equal(note(OMPP_NOTE_OPEN) + note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_STRAY), 0);
}

/* The clock: enter 1, exit 2, three times. */
static void simple_constructs(void **state)
{
	int64_t old;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		POMP2_Atomic_enter(&h_atomic, atomic_ctc);
		POMP2_Atomic_exit(&h_atomic);
		POMP2_Flush_enter(&h_flush, flush_ctc);
		POMP2_Flush_exit(&h_flush);
		POMP2_Master_begin(&h_master, master_ctc);
		POMP2_Master_end(&h_master);
		POMP2_Barrier_enter(&h_barrier, &old, barrier_ctc);
		assert_int_equal(old, 0);
		POMP2_Barrier_exit(&h_barrier, old);
		POMP2_Begin(&h_user, user_ctc);
		POMP2_End(&h_user);
	}
	check_one("30", 3, 3);
	check_one("34", 3, 3);
	check_one("35", 3, 3);
	check_one("33", 3, 3);
	check_one("solve", 3, 3);
	assert_int_equal(collect()->n_nodes, 6);
	assert_int_equal(collect()->n_events, 30);
}

/* The clock: enter 1, barrier 2–3, exit 4; the barrier is the exit barrier. */
static void loops_and_workshares(void **state)
{
	int64_t old;

	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_Implicit_barrier_enter(&h_loop, &old);
	POMP2_Implicit_barrier_exit(&h_loop, old);
	POMP2_For_exit(&h_loop);
	POMP2_Workshare_enter(&h_workshare, workshare_ctc);
	POMP2_Workshare_exit(&h_workshare);
	check_one("10", 1, 3);
	assert_int_equal(cell("10", "0")->exit_bar_ns, us(1));
	assert_int_equal(cell("10", "0")->body_ns, us(2));
	check_one("13", 1, 1);
	assert_int_equal(cell("13", "0")->body_ns, us(1));
}

/* The clock: enter 1, section 2–3, section 4–5, barrier 6–7, exit 8. */
static void sections(void **state)
{
	const struct ompp_cell *c;
	int64_t old;
	int i;

	(void)state;
	POMP2_Sections_enter(&h_sections, sections_ctc);
	for (i = 0; i < 2; i++) {
		POMP2_Section_begin(&h_sections, sections_ctc);
		POMP2_Section_end(&h_sections);
	}
	POMP2_Implicit_barrier_enter(&h_sections, &old);
	POMP2_Implicit_barrier_exit(&h_sections, old);
	POMP2_Sections_exit(&h_sections);
	check_one("15", 1, 7);
	c = cell("15", "0");
	assert_int_equal(c->n_body, 2);
	assert_int_equal(c->body_ns, us(2));
	assert_int_equal(c->exit_bar_ns, us(1));
	assert_int_equal(c->mgmt_ns, us(4));
}

/* The clock: enter 1, begin 2, end 3, barrier 4–5, exit 6; then once without the body. */
static void single(void **state)
{
	const struct ompp_cell *c;
	int64_t old;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		POMP2_Single_enter(&h_single, single_ctc);
		if (!i) {
			POMP2_Single_begin(&h_single);
			POMP2_Single_end(&h_single);
		}
		POMP2_Implicit_barrier_enter(&h_single, &old);
		POMP2_Implicit_barrier_exit(&h_single, old);
		POMP2_Single_exit(&h_single);
	}
	check_one("20", 2, 5 + 3);
	c = cell("20", "0");
	assert_int_equal(c->n_body, 1);
	assert_int_equal(c->body_ns, us(1));
	assert_int_equal(c->exit_bar_ns, us(2));
	assert_int_equal(c->mgmt_ns, us(8 - 1 - 2));
}

/* The clock: enter 1, begin 2, (atomic 3–4,) end 5, exit 6. */
static void critical_and_ordered(void **state)
{
	const struct ompp_cell *c;

	(void)state;
	POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Critical_begin(&h_critical);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	POMP2_Critical_end(&h_critical);
	POMP2_Critical_exit(&h_critical);
	POMP2_Ordered_enter(&h_ordered, ordered_ctc);
	POMP2_Ordered_begin(&h_ordered);
	POMP2_Ordered_end(&h_ordered);
	POMP2_Ordered_exit(&h_ordered);
	check_one("lock_a", 1, 5);
	check_one("25/30", 1, 1);
	c = cell("25", "0");
	assert_int_equal(c->n_body, 1);
	assert_int_equal(c->enter_ns, us(1));
	assert_int_equal(c->body_ns, us(3));
	assert_int_equal(c->exit_ns, us(1));
	check_one("31", 1, 3);
	c = cell("31", "0");
	assert_int_equal(c->enter_ns, us(1));
	assert_int_equal(c->body_ns, us(1));
	assert_int_equal(c->exit_ns, us(1));
}

/* "ordered depend(sink: …)" has no body: all its time is waiting for other iterations. */
static void ordered_without_a_body(void **state)
{
	(void)state;
	POMP2_Ordered_enter(&h_ordered, ordered_ctc);
	POMP2_Ordered_exit(&h_ordered);
	check_one("31", 1, 1);
	assert_int_equal(cell("31", "0")->enter_ns, us(1));
	assert_int_equal(cell("31", "0")->exit_ns, 0);
}

/* The fake source's metric counts its own readings: there is one at every enter and exit that counters cover. */
static void metrics_cover_what_they_should(void **state)
{
	int64_t old;

	(void)state;
	POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Critical_begin(&h_critical);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	POMP2_Critical_end(&h_critical);
	POMP2_Critical_exit(&h_critical);
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_Implicit_barrier_enter(&h_loop, &old);
	POMP2_Implicit_barrier_exit(&h_loop, old);
	POMP2_For_exit(&h_loop);
	POMP2_Begin(&h_user, user_ctc);
	POMP2_End(&h_user);
	assert_int_equal(collect()->n_metrics, 1);
	assert_string_equal(collect()->metrics[0].name, "FAKE_READS");
	assert_int_equal(metric("25", "0"), 1);               /* of the body; for an ATOMIC nothing is read */
	assert_int_equal(metric("25/30", "0"), OMPP_MISSING); /* ATOMIC has no counters */
	assert_int_equal(metric("10", "0"), 3 - 1);           /* less the barrier's */
	assert_int_equal(metric("solve", "0"), 1);
}

/* ---- events that are not as they should be ---- */

static __attribute__((noinline)) void leaves_by_return(int depth)
{
	char room[200];

	room[0] = (char)depth;
	__asm__ volatile("" : : "r"(room) : "memory");
	if (depth)
		leaves_by_return(depth - 1);
	else
		POMP2_Critical_enter(&h_critical, critical_ctc);
	__asm__ volatile("" : : "r"(room) : "memory");
}

/* A region is entered and left; the next event, in the caller, shows it.  The loop around lasts from before to after.
 */
static void regions_left_by_return(void **state)
{
	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	leaves_by_return(3);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	POMP2_For_exit(&h_loop);
	collect();
	check_identities();
	assert_int_equal(cell("10/25", "0")->n_exec, 1);
	assert_true(has_cell("10/30", "0"));
	assert_false(has_cell("10/25/30", "0"));
	assert_int_equal(note(OMPP_NOTE_LEFT), 1);
	assert_int_equal(note(OMPP_NOTE_OPEN), 0);
}

static jmp_buf back;

static __attribute__((noinline)) void leaves_by_longjmp(void)
{
	POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Critical_begin(&h_critical);
	longjmp(back, 1);
}

static void regions_left_by_longjmp(void **state)
{
	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	if (!setjmp(back))
		leaves_by_longjmp();
	POMP2_For_exit(&h_loop);
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_int_equal(cell("10/25", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LEFT), 2);
}

/* In the function that calls setjmp() the stack does not show what was left; the sign is that the same place enters the
 * same region again, in which another region is open by then. */
static void regions_left_again_by_longjmp(void **state)
{
	static volatile int n;

	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	n = 0;
	setjmp(back);
	if (n++ < 5) {
		POMP2_Critical_enter(&h_critical, critical_ctc);
		POMP2_Critical_begin(&h_critical);
		longjmp(back, 1);
	}
	POMP2_For_exit(&h_loop);
	collect();
	check_identities();
	assert_int_equal(cell("10/25", "0")->n_exec, 5);
	assert_int_equal(cell("10/25", "0")->exec_ns, us(5 * 2));
	assert_false(has_cell("10/25/25", "0"));
	assert_int_equal(note(OMPP_NOTE_LEFT), 10);
}

/* A jump that is seen ends at once what was opened since its setjmp().  Regions that were open before go on, also when
 * the same region was opened again since.  The clock: For 1, user 2, set 3–4, user ends 5, critical 6–7, jump 8. */
static void jumps(void **state)
{
	static int buffer, other;

	(void)state;
	ompp_jump_set(&other); /* this is before the thread is known, so a jump here leaves everything */
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_Begin(&h_user, user_ctc);
	ompp_jump_set(&buffer);
	POMP2_End(&h_user);
	POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Critical_begin(&h_critical);
	ompp_jump_go(&buffer);
	ompp_jump_go(&buffer);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc); /* 9 */
	POMP2_Atomic_exit(&h_atomic);              /* 10 */
	collect();
	check_identities();
	assert_int_equal(cell("10/solve", "0")->exec_ns, us(5 - 2));
	assert_int_equal(cell("10/25", "0")->exec_ns, us(8 - 6));
	assert_int_equal(cell("10/25", "0")->body_ns, us(8 - 7));
	assert_int_equal(cell("10/30", "0")->exec_ns, us(10 - 9));
	assert_int_equal(note(OMPP_NOTE_OPEN), 1);
	ompp_jump_go(&other);
	collect();
	assert_int_equal(note(OMPP_NOTE_OPEN) + note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_STRAY), 0);
	ompp_jump_go(&other);
	ompp_jump_go(&h_loop); /* a setjmp() that is not known */
}

/* After a goto out of a critical inside a loop, the same place enters the same region again.  The counter is volatile
 * so that the compiler does not unroll the loop into five places. */
static void regions_left_by_goto(void **state)
{
	volatile int i;

	(void)state;
	for (i = 0; i < 5; i++)
		POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Critical_exit(&h_critical);
	collect();
	check_identities();
	assert_int_equal(cell("25", "0")->n_exec, 5);
	assert_int_equal(note(OMPP_NOTE_LEFT), 4);
	assert_int_equal(note(OMPP_NOTE_OPEN), 0);
	assert_int_equal(collect()->n_nodes, 2);
}

static void stray_ends_are_counted(void **state)
{
	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_Assign_handle(&h_single, single_ctc);
	POMP2_Single_end(&h_single);
	POMP2_Single_exit(&h_single);
	POMP2_For_exit(&h_loop);
	POMP2_For_exit(&h_loop);
	collect();
	assert_int_equal(note(OMPP_NOTE_STRAY), 3);
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_false(has_cell("20", "0"));
}

static void unassigned_handles_are_counted(void **state)
{
	static void *nobody;

	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_Critical_exit(&nobody);
	POMP2_Critical_begin(&nobody);
	POMP2_For_exit(&h_loop);
	collect();
	assert_int_equal(note(OMPP_NOTE_NO_HANDLE), 2);
}

static void broken_ctc_strings_lose_the_region_only(void **state)
{
	static void *broken;

	(void)state;
	POMP2_For_enter(&broken, "nonsense");
	POMP2_For_exit(&broken);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	collect();
	assert_int_equal(cell("30", "0")->n_exec, 1);
	assert_true(note(OMPP_NOTE_LOST_REGION) > 0);
}

/* Recursion enters one region again and again: OMPP_MAX_DEPTH levels have nodes, deeper ones fold into the last. */
static void recurse(int depth)
{
	POMP2_Begin(&h_user, user_ctc);
	if (depth > 1)
		recurse(depth - 1);
	__asm__ volatile("" ::: "memory");
	POMP2_End(&h_user);
}

static void recursion_folds(void **state)
{
	const struct ompp_profile *p;

	(void)state;
	option("OMPP_MAX_DEPTH", "3");
	recurse(10);
	p = collect();
	check_identities();
	assert_int_equal(p->n_nodes, 1 + 3);
	assert_int_equal(cell("40", "0")->n_exec, 1);
	assert_int_equal(cell("40", "0")->exec_ns, us(19));
	assert_int_equal(cell("40/40", "0")->exec_ns, us(17));
	assert_int_equal(cell("40/40/40", "0")->n_exec, 8);
	assert_int_equal(cell("40/40/40", "0")->exec_ns, us(15));
	assert_int_equal(note(OMPP_NOTE_FOLDED), 7);
	assert_int_equal(note(OMPP_NOTE_LEFT), 0);
}

/* 70,000 levels do not fit into the frame stack of 65,536; the levels that fit stay right. */
static void frame_stack_overflows(void **state)
{
	struct ompp_caller caller = { 0, 1 };
	int64_t i;

	(void)state;
	POMP2_Assign_handle(&h_user, user_ctc);
	POMP2_Assign_handle(&h_master, master_ctc);
	POMP2_For_enter(&h_loop, loop_ctc);
	for (i = 0; i < 35000; i++) { /* each is inside the one before, as in a recursion */
		caller.stack = (uintptr_t)&caller - 4096 - 16 * (uintptr_t)i;
		ompp_visit_enter(((struct ompp_region_def *)h_user)->key, caller);
		ompp_visit_enter(((struct ompp_region_def *)h_master)->key, caller);
	}
	for (i = 0; i < 35000; i++) {
		POMP2_Master_end(&h_master);
		POMP2_End(&h_user);
	}
	POMP2_For_exit(&h_loop);
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LOST_DEPTH), 70000 - (OMPP_N_FRAMES - 2 - 1));
	assert_int_equal(note(OMPP_NOTE_OPEN) + note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_STRAY), 0);
	/* every visit below the limit is counted once */
	assert_int_equal(collect()->n_events, 2 * (OMPP_N_FRAMES - 2));
}

/* A jump to a setjmp() beyond the limit leaves what was opened since then, and one to a setjmp() below the limit all
 * that is beyond it. */
static void jumps_out_of_overflows(void **state)
{
	static jmp_buf shallow, deep;
	struct ompp_caller caller = { 0, 1 };
	const struct ompp_frame *top;
	uint32_t flags;

	(void)state;
	POMP2_Assign_handle(&h_user, user_ctc);
	POMP2_For_enter(&h_loop, loop_ctc);
	top = ompp_self->top;
	ompp_jump_set(&shallow);
	for (int i = 0; i < OMPP_N_FRAMES + 10; i++) {
		caller.stack = (uintptr_t)&caller - 4096 - 16 * (uintptr_t)i;
		ompp_visit_enter(((struct ompp_region_def *)h_user)->key, caller);
		if (ompp_self->n_over == 3)
			ompp_jump_set(&deep);
		if (ompp_self->top != ompp_self->limit)
			continue;
		flags = ompp_self->top->flags;
		ompp_self->top->flags |= OMPP_FRAME_UNTIMED; /* as a storm's visit, which goes on behind a jump */
		ompp_jump_set(&deep);
		ompp_jump_go(&deep);
		assert_ptr_equal(ompp_self->top, ompp_self->limit);
		ompp_self->top->flags = flags;
	}
	assert_true(ompp_self->n_over > 3);
	ompp_jump_go(&deep);
	assert_int_equal(ompp_self->n_over, 3);
	ompp_jump_go(&shallow);
	assert_int_equal(ompp_self->n_over, 0);
	assert_ptr_equal(ompp_self->top, top);
	ompp_jump_go(&deep); /* its frames are gone, and there is nothing to leave */
	assert_int_equal(ompp_self->n_over, 0);
	assert_ptr_equal(ompp_self->top, top);
	POMP2_For_exit(&h_loop);
	collect();
	check_identities();
	assert_int_equal(note(OMPP_NOTE_OPEN) + note(OMPP_NOTE_LEFT) + note(OMPP_NOTE_STRAY), 0);
}

/* What does not fit into OMPP_MEM is counted as lost. */
static void memory_overflows(void **state)
{
	static void *handles[20000];
	const struct ompp_profile *p;
	uint64_t n = 0;
	size_t i;
	int k;

	(void)state;
	option("OMPP_MEM", "256K");
	for (k = 0; k < 2; k++)
		for (i = 0; i < 20000; i++) {
			char ctc[128];

			snprintf(ctc, sizeof(ctc), "0*regionType=atomic*sscl=t.c:%zu:%zu*escl=t.c:%zu:%zu***", i + 1,
			         i + 1, i + 1, i + 1);
			POMP2_Atomic_enter(&handles[i], ctc);
			POMP2_Atomic_exit(&handles[i]);
		}
	p = collect();
	check_identities();
	for (i = 1; i < p->n_nodes; i++)
		n += p->cells[p->nodes[i].first_cell].n_exec;
	assert_int_equal(n, 40000);
	assert_true(note(OMPP_NOTE_LOST_MEMORY) > 20000);
	assert_int_equal(cell("(lost)", "0")->n_exec, note(OMPP_NOTE_LOST_MEMORY));
	assert_int_equal(cell("1", "0")->n_exec, 2);
}

/* The clock: loop 1, atomic 2–3, off 4, from which on it stands; on; the single ends 5, critical 6, off 7. */
static void off_and_on(void **state)
{
	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	POMP2_Off();
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	POMP2_Single_enter(&h_single, single_ctc);
	POMP2_On();
	POMP2_Single_exit(&h_single);
	POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Off();
	POMP2_Off();
	POMP2_Critical_exit(&h_critical);
	POMP2_For_exit(&h_loop);
	POMP2_On();
	POMP2_On();
	assert_int_equal(collect()->off_ns, us(1 + 1));
	check_identities();
	assert_int_equal(cell("10", "0")->n_exec, 1);
	assert_int_equal(cell("10", "0")->exec_ns, us(7 - 1));
	assert_int_equal(cell("10/30", "0")->n_exec, 1);
	assert_int_equal(cell("10/30", "0")->exec_ns, us(3 - 2));
	assert_int_equal(cell("10/25", "0")->n_exec, 1);
	assert_int_equal(cell("10/25", "0")->exec_ns, us(7 - 6));
	assert_int_equal(cell("10/20", "0")->n_exec, 1);
	assert_int_equal(cell("10/20", "0")->exec_ns, us(5 - 4));
	assert_int_equal(note(OMPP_NOTE_STRAY) + note(OMPP_NOTE_LEFT), 0);
}

/* Counts of the time when measuring is off are left out; the fake source counts one at each enter and exit here. */
static void off_and_metrics(void **state)
{
	int i;

	(void)state;
	POMP2_Begin(&h_user, user_ctc);
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_For_exit(&h_loop);
	POMP2_Off();
	for (i = 0; i < 10; i++) {
		POMP2_For_enter(&h_loop, loop_ctc);
		POMP2_For_exit(&h_loop);
	}
	POMP2_On();
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_For_exit(&h_loop);
	POMP2_Off();
	POMP2_End(&h_user);
	POMP2_Begin(&h_user, user_ctc);
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_On();
	POMP2_For_exit(&h_loop);
	POMP2_End(&h_user);
	collect();
	assert_int_equal(cell("solve", "0")->n_exec, 2);
	assert_int_equal(cell("solve/10", "0")->n_exec, 3);
	assert_int_equal(metric("solve/10", "0"), 1 + 1 + 1);
	assert_int_equal(metric("solve", "0"), 2 + 1 + 2 + 1 + 2); /* with one at each switch while measuring is on */
	assert_int_equal(note(OMPP_NOTE_SWITCHED), 0);
}

/* Regions that are left while it is off, or begun then and left later, count as ever; those wholly off do not. */
static __attribute__((noinline)) void leaves_both(int on)
{
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	if (on)
		POMP2_On();
}

static void off_and_left(void **state)
{
	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc); /* 1 */
	POMP2_Off();                        /* 2 */
	leaves_both(0);
	POMP2_Single_enter(&h_single, single_ctc);
	POMP2_Single_exit(&h_single);
	collect();
	assert_false(has_cell("10/30", "0"));
	assert_int_equal(note(OMPP_NOTE_LEFT), 0);
	assert_int_equal(note(OMPP_NOTE_OPEN), 1);
	leaves_both(1);
	POMP2_Single_enter(&h_single, single_ctc); /* 3, of which 2–3 are the atomic's; 4 */
	POMP2_Single_exit(&h_single);              /* 5 */
	POMP2_For_exit(&h_loop);                   /* 6 */
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->exec_ns, us(6 - 1));
	assert_int_equal(cell("10/30", "0")->n_exec, 1);
	assert_int_equal(cell("10/30", "0")->exec_ns, us(3 - 2));
	assert_int_equal(cell("10/20", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_LEFT), 1);
	assert_int_equal(note(OMPP_NOTE_STRAY) + note(OMPP_NOTE_OPEN), 0);
}

/* Regions inside of one that began while measuring was off have their place below that one. */
static void off_and_below(void **state)
{
	(void)state;
	POMP2_Off();
	POMP2_Begin(&h_user, user_ctc);
	POMP2_On();
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	POMP2_End(&h_user);
	collect();
	assert_int_equal(cell("solve", "0")->n_exec, 1);
	assert_int_equal(cell("solve", "0")->exec_ns, us(3));
	assert_int_equal(cell("solve/30", "0")->exec_ns, us(1));
	assert_int_equal(note(OMPP_NOTE_STRAY), 0);
}

static void off_from_the_start(void **state)
{
	(void)state;
	POMP2_Off();
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_For_exit(&h_loop);
	POMP2_For_enter(&h_loop, loop_ctc);
	collect();
	assert_int_equal(note(OMPP_NOTE_OPEN), 0);
	POMP2_For_exit(&h_loop);
	POMP2_On();
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	POMP2_Atomic_exit(&h_atomic);
	collect();
	assert_false(has_cell("10", "0"));
	assert_int_equal(cell("30", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_STRAY), 0);
}

static void events_keep_errno(void **state)
{
	(void)state;
	errno = 77;
	POMP2_For_enter(&h_loop, loop_ctc);
	leaves_by_return(2);
	POMP2_For_exit(&h_loop);
	assert_int_equal(errno, 77);
}

static void open_regions_run_to_the_report(void **state)
{
	(void)state;
	POMP2_For_enter(&h_loop, loop_ctc);
	POMP2_Atomic_enter(&h_atomic, atomic_ctc);
	collect();
	check_identities();
	assert_int_equal(cell("10", "0")->exec_ns, us(2));
	assert_int_equal(cell("10/30", "0")->exec_ns, us(1));
	assert_int_equal(cell("10/30", "0")->n_exec, 1);
	assert_int_equal(note(OMPP_NOTE_OPEN), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simple_constructs),
		cmocka_unit_test(loops_and_workshares),
		cmocka_unit_test(sections),
		cmocka_unit_test(single),
		cmocka_unit_test(critical_and_ordered),
		cmocka_unit_test(ordered_without_a_body),
		cmocka_unit_test(metrics_cover_what_they_should),
		cmocka_unit_test(regions_left_by_return),
		cmocka_unit_test(regions_left_by_longjmp),
		cmocka_unit_test(regions_left_again_by_longjmp),
		cmocka_unit_test(jumps),
		cmocka_unit_test(regions_left_by_goto),
		cmocka_unit_test(stray_ends_are_counted),
		cmocka_unit_test(unassigned_handles_are_counted),
		cmocka_unit_test(broken_ctc_strings_lose_the_region_only),
		cmocka_unit_test(recursion_folds),
		cmocka_unit_test(frame_stack_overflows),
		cmocka_unit_test(jumps_out_of_overflows),
		cmocka_unit_test(memory_overflows),
		cmocka_unit_test(off_and_on),
		cmocka_unit_test(off_and_metrics),
		cmocka_unit_test(off_and_left),
		cmocka_unit_test(off_and_below),
		cmocka_unit_test(off_from_the_start),
		cmocka_unit_test(events_keep_errno),
		cmocka_unit_test(open_regions_run_to_the_report),
	};

	return RUN_APART(tests);
}
