/*
 * Access: calls what a compiler's hooks would call.  One part makes accesses of all kinds at known places; in the other
 * threads name, move, count and report at the same time, and their sums are known by arithmetic.  Built with
 * -fsanitize=thread, the second part shows data races.
 */
#include "tests/unit/steps.h"

#include <stdatomic.h>
#include <stdio.h>

#include "runtime/access/access.h"
#include "runtime/ompp.h"

enum { THREADS = 4, ROUNDS = 400, BLOCKS = 8, BLOCK_BYTES = 5000, EACH = 7 };

static char memory[64], blocks[THREADS][BLOCKS][BLOCK_BYTES];
static _Atomic int done;

/* Returns the sum of a field over all nodes and rows; −1 when there is no such object. */
static int64_t sum(const struct ompp_profile *p, const char *object, enum ompp_access_field field)
{
	int64_t total = -1;

	for (size_t i = 0; i < p->n_objects; i++)
		if (!strcmp(p->objects[i].name, object))
			total = 0;
	for (size_t i = 0; i < p->n_accesses; i++)
		if (!strcmp(p->objects[p->accesses[i].object].name, object))
			total += p->accesses[i].values[field];
	return total;
}

static void load(const char *p, unsigned int size)
{
	ompp_access_miss((uintptr_t)p, size, OMPP_SLOT_LOAD);
}

static void store(const char *p, unsigned int size)
{
	ompp_access_miss((uintptr_t)p, size, OMPP_SLOT_STORE);
}

/* a has the bytes 0 to 15, b 16 to 31, and c, inside b, 24 to 27; the rest has no name. */
static void test_kinds(void **unused)
{
	const struct ompp_profile *p;

	(void)unused;
	ompp_access_made(0);
	ompp_data_begin(memory, 16, "a");
	ompp_data_begin(memory + 16, 16, "b");
	ompp_data_begin(memory + 24, 4, "c");
	for (unsigned int size = 0; size < OMPP_SIZES; size++)
		load(memory, size);                                          /* a: 5 loads, 31 bytes */
	store(memory + 8, 3);                                                /* a: 1, 8 */
	load(memory + 12, 3);                                                /* a: 1, 4; b: 1, 4 */
	store(memory + 26, 2);                                               /* b: 1, 4, of which c: 1, 2 */
	store(memory + 24, 1);                                               /* b: 1, 2; c: 1, 2 */
	load(memory + 60, 2);                                                /* other */
	ompp_access_block((uintptr_t)memory + 4, 40, OMPP_SLOT_BLOCK_STORE); /* a 12, b 16, c 4, other 12 */
	ompp_access_block((uintptr_t)memory, 0, OMPP_SLOT_BLOCK_LOAD);       /* nothing */
	ompp_access_block((uintptr_t)memory + 24, 4, OMPP_SLOT_ATOMIC);      /* b, c */
	ompp_off();
	load(memory, 3); /* not counted */
	ompp_on();
	load(memory, 0); /* a: 1, 1 */
	ompp_data_end("a");
	load(memory, 0); /* other */
	p = collect();
	assert_int_equal(sum(p, "a", OMPP_ACCESS_LOADS), 7);
	assert_int_equal(sum(p, "a", OMPP_ACCESS_LOAD_BYTES), 31 + 4 + 1);
	assert_int_equal(sum(p, "a", OMPP_ACCESS_STORES), 2);
	assert_int_equal(sum(p, "a", OMPP_ACCESS_STORE_BYTES), 8 + 12);
	assert_int_equal(sum(p, "b", OMPP_ACCESS_LOADS), 1);
	assert_int_equal(sum(p, "b", OMPP_ACCESS_LOAD_BYTES), 4);
	assert_int_equal(sum(p, "c", OMPP_ACCESS_STORES), 3);
	assert_int_equal(sum(p, "c", OMPP_ACCESS_STORE_BYTES), 2 + 2 + 4);
	assert_int_equal(sum(p, "c", OMPP_ACCESS_ATOMICS), 1);
	assert_int_equal(sum(p, "c", OMPP_ACCESS_ATOMIC_BYTES), 4);
	assert_int_equal(sum(p, "b", OMPP_ACCESS_ATOMICS), 1);
	assert_int_equal(sum(p, "(other)", OMPP_ACCESS_LOADS), 2);
	assert_int_equal(sum(p, "(other)", OMPP_ACCESS_STORES), 1);
	assert_int_equal(sum(p, "(other)", OMPP_ACCESS_STORE_BYTES), 12);
	assert_int_equal(sum(p, "a", OMPP_ACCESS_ALL), 9);
	assert_int_equal(sum(p, "b", OMPP_ACCESS_STORE_BYTES), 4 + 2 + 16);
}

/* Where c cuts b in parts, b's stores are counted in each part, but each store once. */
static void test_nested_is_one(void **unused)
{
	const struct ompp_profile *p;

	(void)unused;
	ompp_access_made(0);
	ompp_data_begin(memory, 32, "outer");
	ompp_data_begin(memory + 8, 8, "inner");
	ompp_access_block((uintptr_t)memory, 32, OMPP_SLOT_BLOCK_LOAD);
	store(memory + 4, 3);
	p = collect();
	assert_int_equal(sum(p, "outer", OMPP_ACCESS_LOADS), 1);
	assert_int_equal(sum(p, "outer", OMPP_ACCESS_LOAD_BYTES), 32);
	assert_int_equal(sum(p, "inner", OMPP_ACCESS_LOADS), 1);
	assert_int_equal(sum(p, "inner", OMPP_ACCESS_LOAD_BYTES), 8);
	assert_int_equal(sum(p, "outer", OMPP_ACCESS_STORES), 1);
	assert_int_equal(sum(p, "outer", OMPP_ACCESS_STORE_BYTES), 8);
	assert_int_equal(sum(p, "inner", OMPP_ACCESS_STORE_BYTES), 4);
}

static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg;
	char name[16];

	snprintf(name, sizeof(name), "own%d", me);
	for (int i = 0; i < ROUNDS; i++) {
		char *block = blocks[me][i % BLOCKS], *theirs = blocks[(me + 1) % THREADS][i % BLOCKS];

		ompp_data_begin(block, BLOCK_BYTES, name);
		for (int k = 0; k < EACH; k++)
			load(block + k * 700, 3);
		ompp_data_begin(block, 8, "common"); /* moved from under the others' feet */
		store(block + 4000, 2);
		load(theirs, 0); /* someone's, or nobody's, or common */
		ompp_data_end(name);
		load(block + 700, 3); /* nobody's */
	}
	atomic_fetch_add(&done, 1);
	return NULL;
}

static void test_race(void **unused)
{
	pthread_t threads[THREADS];
	const struct ompp_profile *p;
	int64_t all = 0;
	char name[16];

	(void)unused;
	ompp_access_made(0);
	ompp_data_begin(memory, 1, "first");
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
	while (atomic_load(&done) < THREADS)
		collect();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	p = collect();
	for (int i = 0; i < THREADS; i++) {
		snprintf(name, sizeof(name), "own%d", i);
		assert_true(sum(p, name, OMPP_ACCESS_LOADS) >= ROUNDS * EACH);
		assert_true(sum(p, name, OMPP_ACCESS_LOADS) <= ROUNDS * (EACH + 1));
		assert_int_equal(sum(p, name, OMPP_ACCESS_STORES), ROUNDS);
		assert_int_equal(sum(p, name, OMPP_ACCESS_STORE_BYTES), 4 * ROUNDS);
	}
	for (size_t i = 0; i < p->n_accesses; i++) /* common lies in another object or alone: take it out */
		if (strcmp(p->objects[p->accesses[i].object].name, "common"))
			all += p->accesses[i].values[OMPP_ACCESS_LOADS];
	assert_true(all <= THREADS * ROUNDS * (EACH + 2));
	assert_true(all + sum(p, "common", OMPP_ACCESS_LOADS) >= THREADS * ROUNDS * (EACH + 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds), cmocka_unit_test(test_nested_is_one),
		                            cmocka_unit_test(test_race) };

	return RUN_APART(tests);
}
