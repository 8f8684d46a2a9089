/*
 * Lock: set, unset, test and nested locks by address; a lock's holder, waiting and holding times.
 *
 * The locks below are the test's own and never block: the order of the steps decides who gets one.
 */
#include "tests/unit/steps.h"

#include <stdio.h>

REGION(parallel, parallel, 10, 19);
REGION(critical, critical, 20, 29);

struct fake_lock { int held; };

void omp_init_lock(void *s);
void omp_destroy_lock(void *s);
void omp_set_lock(void *s);
void omp_unset_lock(void *s);
int omp_test_lock(void *s);
void omp_init_nest_lock(void *s);
void omp_destroy_nest_lock(void *s);
void omp_set_nest_lock(void *s);
void omp_unset_nest_lock(void *s);
int omp_test_nest_lock(void *s);

void omp_init_lock(void *s)
{
	((struct fake_lock *)s)->held = 0;
}

void omp_destroy_lock(void *s)
{
	(void)s;
}

void omp_set_lock(void *s)
{
	((struct fake_lock *)s)->held++;
}

void omp_unset_lock(void *s)
{
	((struct fake_lock *)s)->held--;
}

int omp_test_lock(void *s)
{
	struct fake_lock *lock = s;

	return lock->held ? 0 : (lock->held = 1);
}

void omp_init_nest_lock(void *s)
{
	omp_init_lock(s);
}

void omp_destroy_nest_lock(void *s)
{
	(void)s;
}

void omp_set_nest_lock(void *s)
{
	omp_set_lock(s);
}

void omp_unset_nest_lock(void *s)
{
	omp_unset_lock(s);
}

int omp_test_nest_lock(void *s)
{
	return ++((struct fake_lock *)s)->held;
}

static struct fake_lock one, other;

static const char *name_of(const void *lock)
{
	static char names[8][32];
	static int next;
	char *name = names[next++ % 8];

	snprintf(name, sizeof(names[0]), "0x%lx", (unsigned long)(uintptr_t)lock);
	return name;
}

/* A path of one lock below a parallel region. */
static const char *below(int line, const void *lock)
{
	static char path[64];

	snprintf(path, sizeof(path), "%d/%s", line, name_of(lock));
	return path;
}

/* set 1–2; unset 3–4: enter 1, body 1, exit 1 */
static void a_lock_is_a_region(void **state)
{
	const struct ompp_cell *c;
	int i;

	(void)state;
	POMP2_Init_lock(&one);
	POMP2_Init_lock(&other);
	for (i = 0; i < 3; i++) {
		POMP2_Set_lock(&one);
		POMP2_Set_lock(&other);
		POMP2_Unset_lock(&other);
		POMP2_Unset_lock(&one);
	}
	POMP2_Destroy_lock(&one);
	collect();
	check_identities();
	c = cell(name_of(&other), "0");
	assert_int_equal(c->n_exec, 3);
	assert_int_equal(c->enter_ns, us(3));
	assert_int_equal(c->body_ns, us(3));
	assert_int_equal(c->exit_ns, us(3));
	assert_int_equal(c->incl_ns, us(6));
	c = cell(name_of(&one), "0");
	assert_int_equal(c->n_exec, 3);
	assert_int_equal(c->body_ns, us(3 * 5));
	assert_int_equal(c->exec_ns, us(3 * 7));
}

/* set 1–2, off 3, unset; on; set 4–5, unset 6–7, off 8; set; on; unset 9–10; off, and all of it. */
static void off_and_on(void **state)
{
	const struct ompp_cell *c;

	(void)state;
	POMP2_Init_lock(&one);
	POMP2_Set_lock(&one);
	POMP2_Off();
	POMP2_Unset_lock(&one);
	POMP2_On();
	POMP2_Set_lock(&one);
	POMP2_Unset_lock(&one);
	POMP2_Off();
	POMP2_Set_lock(&one);
	POMP2_On();
	POMP2_Unset_lock(&one);
	POMP2_Off();
	POMP2_Set_lock(&one);
	POMP2_Unset_lock(&one);
	POMP2_Set_lock(&other);
	POMP2_Unset_lock(&other);
	collect();
	check_identities();
	c = cell(name_of(&one), "0");
	assert_int_equal(c->n_exec, 3);
	assert_int_equal(c->enter_ns, us((2 - 1) + (5 - 4)));
	assert_int_equal(c->body_ns, us((3 - 2) + (6 - 5) + (9 - 8)));
	assert_int_equal(c->exit_ns, us((7 - 6) + (10 - 9)));
	assert_false(has_cell(name_of(&other), "0"));
}

/* A failed test is waiting, not an execution. */
static void failed_tests_are_waiting(void **state)
{
	const struct ompp_cell *c;

	(void)state;
	POMP2_Init_lock(&one);
	assert_int_equal(POMP2_Test_lock(&one), 1);     /* 1–2 */
	assert_int_equal(POMP2_Test_lock(&one), 0);     /* 3–4 */
	POMP2_Unset_lock(&one);                         /* 5–6 */
	collect();
	check_identities();
	c = cell(name_of(&one), "0");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->enter_ns, us(2));
	assert_int_equal(c->body_ns, us(3));
	assert_int_equal(c->exit_ns, us(1));
}

/* set 1–2, set 3–4, unset 5–6, unset 7–8: held from 2 to 7 */
static void nested_locks_are_held_once(void **state)
{
	const struct ompp_cell *c;

	(void)state;
	POMP2_Init_nest_lock(&one);
	POMP2_Set_nest_lock(&one);
	assert_int_equal(POMP2_Test_nest_lock(&one), 2);
	POMP2_Unset_nest_lock(&one);
	POMP2_Unset_nest_lock(&one);
	collect();
	check_identities();
	c = cell(name_of(&one), "0");
	assert_int_equal(c->n_exec, 2);
	assert_int_equal(c->enter_ns, us(2));
	assert_int_equal(c->body_ns, us(7 - 2));
	assert_int_equal(c->exit_ns, us(2));
	assert_int_equal(collect()->regions[0].construct, OMPP_NEST_LOCK);
}

/* The body of a lock may span other regions: it is charged where the lock was set. */
static void unset_in_another_region(void **state)
{
	(void)state;
	POMP2_Set_lock(&one);                                   /* 1–2 */
	POMP2_Critical_enter(&h_critical, critical_ctc);        /* 3 */
	POMP2_Unset_lock(&one);                                 /* 4–5 */
	POMP2_Critical_exit(&h_critical);
	collect();
	check_identities();
	assert_int_equal(cell(name_of(&one), "0")->body_ns, us(4 - 2));
	assert_int_equal(cell(name_of(&one), "0")->exit_ns, us(1));
	assert_false(has_cell(below(20, &one), "0"));
}

/* Each thread has its own numbers; an unset by another thread is counted there. */
static int64_t team;

static void other_thread(void)
{
	at(1);
	ompp_parallel_begin(&h_parallel, team);
	at(3);
	POMP2_Unset_lock(&one);
	POMP2_Set_lock(&other);
	POMP2_Unset_lock(&other);
	POMP2_Parallel_end(&h_parallel);
}

static void threads_are_told_apart(void **state)
{
	(void)state;
	start_thread(1, other_thread);
	at(0);
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	ompp_parallel_begin(&h_parallel, team);
	at(2);
	POMP2_Set_lock(&one);
	at(4);
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	join_threads();
	collect();
	check_identities();
	assert_int_equal(cell(below(10, &one), "0")->n_exec, 1);
	assert_int_equal(cell(below(10, &one), "1")->n_exec, 0);
	assert_int_equal(cell(below(10, &one), "1")->exit_ns, us(1));
	assert_int_equal(cell(below(10, &other), "1")->n_exec, 1);
	assert_false(has_cell(below(10, &other), "0"));
}

static void locks_can_be_collapsed(void **state)
{
	const struct ompp_cell *c;

	(void)state;
	option("OMPP_COLLAPSE_LOCKS", "1");
	POMP2_Set_lock(&one);
	POMP2_Set_lock(&other);
	POMP2_Unset_lock(&other);
	POMP2_Unset_lock(&one);
	assert_int_equal(collect()->n_regions, 1);
	check_identities();
	c = cell("(all locks)", "0");
	assert_int_equal(c->n_exec, 2);
	assert_int_equal(c->enter_ns, us(2));
	assert_int_equal(c->exit_ns, us(2));
}

static void locks_can_be_disabled(void **state)
{
	(void)state;
	option("OMPP_DISABLE_LOCK", "1");
	POMP2_Set_lock(&one);
	assert_int_equal(one.held, 1);
	POMP2_Unset_lock(&one);
	assert_int_equal(one.held, 0);
	POMP2_Critical_enter(&h_critical, critical_ctc);
	POMP2_Critical_exit(&h_critical);
	assert_int_equal(collect()->n_regions, 1);
}

/* 5,000 locks are more than the table takes: the rest are one region, and counted. */
static void too_many_locks(void **state)
{
	static struct fake_lock many[5000];
	const struct ompp_profile *p;
	uint64_t n = 0;
	size_t i;

	(void)state;
	for (i = 0; i < 5000; i++) {
		POMP2_Set_lock(&many[i]);
		POMP2_Unset_lock(&many[i]);
	}
	p = collect();
	check_identities();
	for (i = 0; i < p->n_cells; i++)
		n += p->cells[i].n_exec;
	assert_int_equal(n, 5000 + 1);                  /* and the root */
	assert_int_equal(cell("(other locks)", "0")->n_exec, 5000 - 4096);
	assert_int_equal(note(OMPP_NOTE_LOCKS), 2 * (5000 - 4096));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lock_is_a_region),
		cmocka_unit_test(off_and_on),
		cmocka_unit_test(failed_tests_are_waiting),
		cmocka_unit_test(nested_locks_are_held_once),
		cmocka_unit_test(unset_in_another_region),
		cmocka_unit_test(threads_are_told_apart),
		cmocka_unit_test(locks_can_be_collapsed),
		cmocka_unit_test(locks_can_be_disabled),
		cmocka_unit_test(too_many_locks),
	};

	return RUN_APART(tests);
}
