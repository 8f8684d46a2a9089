/*
 * Lock: set, unset, test and nested locks by address; who holds a lock, and how long threads wait for it and hold it.
 *
 * The locks below are the test's own and never block: the order of the steps decides who gets one.
 */
#include "tests/unit/steps.h"

#include <stdio.h>

#include "runtime/base/array.h"

REGION(parallel, parallel, 10, 19);
REGION(critical, critical, 20, 29);

struct fake_lock {
	int held;
};

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

/* Returns the lock's name, which is its symbol's. */
static const char *name_of(const struct fake_lock *lock)
{
	return lock == &one ? "one" : "other";
}

/* Returns the path of a lock below the parallel region at this line. */
static const char *below(int line, const struct fake_lock *lock)
{
	static char path[64];

	snprintf(path, sizeof(path), "%d/%s", line, name_of(lock));
	return path;
}

/* The clock: set 1–2, unset 3–4; so entering, the body and leaving take 1 each. */
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

/* The clock: set 1–2, off 3, unset; on; set 4–5, unset 6–7, off 8; set; on; unset 9–10; off for all that follows. */
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

/* A test that fails counts as waiting, not as an execution. */
static void failed_tests_are_waiting(void **state)
{
	const struct ompp_cell *c;

	(void)state;
	POMP2_Init_lock(&one);
	assert_int_equal(POMP2_Test_lock(&one), 1); /* 1–2 */
	assert_int_equal(POMP2_Test_lock(&one), 0); /* 3–4 */
	POMP2_Unset_lock(&one);                     /* 5–6 */
	collect();
	check_identities();
	c = cell(name_of(&one), "0");
	assert_int_equal(c->n_exec, 1);
	assert_int_equal(c->enter_ns, us(2));
	assert_int_equal(c->body_ns, us(3));
	assert_int_equal(c->exit_ns, us(1));
}

/* The clock: set 1–2, set 3–4, unset 5–6, unset 7–8; so the lock is held from 2 to 7. */
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
	POMP2_Set_lock(&one);                            /* 1–2 */
	POMP2_Critical_enter(&h_critical, critical_ctc); /* 3 */
	POMP2_Unset_lock(&one);                          /* 4–5 */
	POMP2_Critical_exit(&h_critical);
	collect();
	check_identities();
	assert_int_equal(cell(name_of(&one), "0")->body_ns, us(4 - 2));
	assert_int_equal(cell(name_of(&one), "0")->exit_ns, us(1));
	assert_false(has_cell(below(20, &one), "0"));
}

/* Each thread has its own numbers; an unset by another thread is counted in that thread. */
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

enum { MANY = 5000 };
static struct fake_lock many[MANY], few[4];

static void set_all(struct fake_lock *locks, size_t n, const char *site)
{
	size_t i;

	for (i = 0; i < n; i++) {
		ompp_set_lock(site, &locks[i]);
		POMP2_Unset_lock(&locks[i]);
	}
}

static const struct ompp_region *region(const char *name)
{
	const struct ompp_profile *p = collect();
	size_t i;

	for (i = 0; i < p->n_regions; i++)
		if (!strcmp(p->regions[i].name, name))
			return &p->regions[i];
	fail_msg("no region %s", name);
	return NULL;
}

/* Each lock is set in 1–2 and unset in 3–4. */
static void many_of_an_array_are_one(void **state)
{
	(void)state;
	set_all(many, MANY, NULL);
	set_all(few, 4, NULL);
	assert_int_equal(collect()->n_regions, 1 + 4);
	check_identities();
	assert_int_equal(cell("many[*]", "0")->n_exec, MANY);
	assert_int_equal(cell("many[*]", "0")->body_ns, us(MANY));
	assert_int_equal(region("many[*]")->n_locks, MANY);
	assert_int_equal(cell("few[3]", "0")->n_exec, 1);
	assert_int_equal(region("few[3]")->n_locks, 1);
	assert_int_equal(region("few[0]")->id, 2); /* the locks of the first array took no further numbers */
	assert_int_equal(note(OMPP_NOTE_LOCKS), 0);
}

static void any_array_is_one(void **state)
{
	(void)state;
	option("OMPP_COLLAPSE_LOCKS", "array");
	set_all(few, 4, NULL);
	set_all(&one, 1, NULL);
	assert_int_equal(collect()->n_regions, 2);
	assert_int_equal(cell("few[*]", "0")->n_exec, 4);
	assert_int_equal(cell("one", "0")->n_exec, 1);
}

static void each_is_a_region(void **state)
{
	(void)state;
	option("OMPP_COLLAPSE_LOCKS", "0");
	set_all(many, MANY, "7:3:a.c:many[i]");
	assert_int_equal(collect()->n_regions, MANY);
	assert_int_equal(cell("many[4999]", "0")->n_exec, 1);
}

/* Locks of the heap are known by where they are made; beyond OMPP_LOCKS_OF_ONE_PLACE, those of a place share a region.
 */
static void locks_without_a_variable(void **state)
{
	struct fake_lock *heap = calloc(1000, sizeof(*heap)), *node = calloc(4, sizeof(*node));
	const struct ompp_region *r;
	size_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		ompp_init_lock("11:5:b/a.c:heap[i].l", &heap[i]);
	for (i = 0; i < 4; i++)
		ompp_init_lock("12:5:b/a.c:node->l", &node[i]);
	set_all(heap, 1000, "30:5:b/a.c:p->l");
	ompp_set_lock("31:5:b/a.c:node->l", &node[2]);
	POMP2_Unset_lock(&node[2]);
	for (i = 0; i < 5; i++) {
		static const char *const sites[] = { "44:3:z.c:q", "42:3:z.c:q", "43:3:z.c:q", "43:5:b/a.c:q",
			                             "41:3:z.c:q" };

		ompp_set_lock(sites[i], &node[0]);
		POMP2_Unset_lock(&node[0]);
	}
	assert_int_equal(collect()->n_regions, 3);
	check_identities();
	assert_int_equal(cell("heap[*].l", "0")->n_exec, 1000);
	assert_int_equal(cell("heap[*].l", "0")->body_ns, us(1000));
	r = region("heap[*].l");
	assert_int_equal(r->n_locks, 1000);
	assert_string_equal(r->file, "b/a.c");
	assert_int_equal(r->begin_line, 11);
	assert_string_equal(r->sites, "a.c:30");
	assert_string_equal(region("node->l #3")->sites, "a.c:31");
	assert_string_equal(region("node->l #1")->sites, "a.c:43, z.c:42, z.c:43, z.c:44 and more");
	free(heap);
	free(node);
}

/* A lock that is made where another one was is not that other one. */
static void a_place_of_two_locks(void **state)
{
	struct fake_lock *heap = calloc(1, sizeof(*heap));

	(void)state;
	ompp_init_lock("1:3:a.c:first", heap);
	ompp_set_lock("3:3:a.c:first", heap);
	POMP2_Unset_lock(heap);
	POMP2_Destroy_lock(heap);
	ompp_init_lock("2:3:a.c:second", heap);
	set_all(heap, 1, "4:3:a.c:second");
	set_all(heap, 1, "4:3:a.c:second");
	collect();
	assert_int_equal(cell("first", "0")->n_exec, 1);
	assert_int_equal(cell("second", "0")->n_exec, 2);
	free(heap);
}

/* OMPP_FILTER takes the name that the report gives a lock. */
static void a_lock_can_be_filtered(void **state)
{
	(void)state;
	option("OMPP_FILTER", "few[2]");
	set_all(few, 4, NULL);
	collect();
	assert_true(has_cell("few[1]", "0"));
	assert_false(has_cell("few[2]", "0"));
}

static void wrong_sites(void **state)
{
	static const char *const wrong[] = { "",          ":",       "1",         "1:",
		                             "1:9:a.c:x", "1:3:a.c", "x:3:a.c:l", "99999999999:3:a.c:l" };
	size_t i;

	(void)state;
	for (i = 0; i < OMPP_COUNT_OF(wrong); i++)
		set_all(&few[0], 1, wrong[i]);
	assert_int_equal(collect()->n_regions, 1);
	assert_int_equal(cell("few", "0")->n_exec, 8);
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
		cmocka_unit_test(many_of_an_array_are_one),
		cmocka_unit_test(any_array_is_one),
		cmocka_unit_test(each_is_a_region),
		cmocka_unit_test(locks_without_a_variable),
		cmocka_unit_test(a_place_of_two_locks),
		cmocka_unit_test(a_lock_can_be_filtered),
		cmocka_unit_test(wrong_sites),
	};

	return RUN_APART(tests);
}
