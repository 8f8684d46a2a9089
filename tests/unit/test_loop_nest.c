/*
 * Loop nest: against all pairs of iterations of small nests that are made by chance, a nest is free only where no two
 * iterations that another order reverses get to the same byte, and it is free where none do and all accesses have the
 * same steps.  Each order makes each iteration once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/access/loop_nest.h"

enum { NESTS = 20000, MOST = 6, BASE = 100000 };

static uintptr_t at(const struct ompp_loop_nest_access *a, size_t outer, size_t inner)
{
	return a->base + outer * a->outer + inner * a->inner;
}

static int meet(const struct ompp_loop_nest_access *a, uintptr_t x, const struct ompp_loop_nest_access *b, uintptr_t y)
{
	return (a->is_store || b->is_store) && x < y + b->n_bytes && y < x + a->n_bytes;
}

/* Does one iteration that is earlier in the outer loop and later in the inner one meet another? */
static int is_reversed(const struct ompp_loop_nest *nest)
{
	for (uint32_t a = 0; a < nest->n; a++)
		for (uint32_t b = 0; b < nest->n; b++)
			for (size_t o = 0; o < nest->n_outer; o++)
				for (size_t o2 = o + 1; o2 < nest->n_outer; o2++)
					for (size_t i = 0; i < nest->n_inner; i++)
						for (size_t i2 = 0; i2 < i; i2++)
							if (meet(&nest->accesses[a], at(&nest->accesses[a], o, i),
							         &nest->accesses[b], at(&nest->accesses[b], o2, i2)))
								return 1;
	return 0;
}

static size_t chance_step(void)
{
	static const int steps[] = { 0, 1, 4, 8, 16, 24, 32, 40, 48, 64 };
	int step = steps[rand() % 10];

	return (size_t)(rand() % 4 ? step : -step);
}

static struct ompp_loop_nest chance_nest(int is_alike)
{
	struct ompp_loop_nest nest = { .n_inner = (size_t)(rand() % MOST + 2),
		                       .n_outer = (size_t)(rand() % MOST + 2),
		                       .n = (uint32_t)(rand() % 3 + 1) };

	for (uint32_t i = 0; i < nest.n; i++) {
		struct ompp_loop_nest_access *a = &nest.accesses[i];

		*a = (struct ompp_loop_nest_access){ .base = (uintptr_t)(BASE + 8 * (rand() % 30)),
			                             .inner = chance_step(),
			                             .outer = chance_step(),
			                             .n_bytes = rand() % 4 ? 8 : 4,
			                             .is_store = rand() % 2 };
		if (is_alike && i) {
			a->inner = nest.accesses[0].inner;
			a->outer = nest.accesses[0].outer;
			a->n_bytes = nest.accesses[0].n_bytes;
		}
	}
	return nest;
}

static void test_dependences(void **state)
{
	int n_free = 0, n_bound = 0;

	(void)state;
	srand(1);
	for (int i = 0; i < NESTS; i++) {
		struct ompp_loop_nest nest = chance_nest(i % 2);
		int is_free = ompp_loop_nest_is_free(&nest), is_wide = 1;
		size_t least = nest.accesses[0].n_bytes, step = nest.accesses[0].inner;

		is_wide = step == 0 || (intptr_t)step >= (intptr_t)least || (intptr_t)step <= -(intptr_t)least;
		if (is_free)
			assert_false(is_reversed(&nest));
		else if (i % 2 && is_wide)
			assert_true(is_reversed(&nest));
		n_free += is_free;
		n_bound += !is_free;
	}
	assert_true(n_free > NESTS / 20 && n_bound > NESTS / 20);
}

/* Of each access, by address: how often it was made, and where in the order. */
struct seen {
	int n[64][64], last;
	int order[64][64];
};

static void see(void *context, uint32_t access, uintptr_t address)
{
	struct seen *s = context;

	assert_int_equal(access, 0);
	s->n[address / 64][address % 64]++;
	s->order[address / 64][address % 64] = s->last++;
}

/* The address of an iteration is 64 times the outer one, and the inner one. */
static void assert_order(enum ompp_loop_order order, size_t n_outer, size_t n_inner)
{
	struct ompp_loop_nest nest = { .n_inner = n_inner,
		                       .n_outer = n_outer,
		                       .n = 1,
		                       .accesses = { { .inner = 1, .outer = 64, .n_bytes = 8 } } };
	struct seen s;
	size_t block = ompp_loop_nest_block(&nest);

	memset(&s, 0, sizeof(s));
	ompp_loop_nest_walk(&nest, order, see, &s);
	assert_int_equal(s.last, n_outer * n_inner);
	for (size_t o = 0; o < n_outer; o++)
		for (size_t i = 0; i < n_inner; i++) {
			size_t rows = o / block * block, high = n_outer - rows < block ? n_outer - rows : block;
			size_t columns = i / block * block,
			       wide = n_inner - columns < block ? n_inner - columns : block;

			assert_int_equal(s.n[o][i], 1);
			assert_int_equal(s.order[o][i],
			                 order == OMPP_LOOP_AS_IT_IS ? o * n_inner + i
			                 : order == OMPP_LOOP_INTERCHANGED
			                         ? i * n_outer + o
			                         : rows * n_inner + high * columns + (o - rows) * wide + (i - columns));
		}
}

static void test_orders(void **state)
{
	(void)state;
	for (size_t n = 1; n < 40; n++)
		for (size_t m = 1; m < 40; m++) {
			assert_order(OMPP_LOOP_AS_IT_IS, n, m);
			assert_order(OMPP_LOOP_INTERCHANGED, n, m);
			assert_order(OMPP_LOOP_IN_BLOCKS, n, m);
		}
}

/* Rows are near, columns are not, and a transposition is as far in one order as in the other. */
static void test_nearer(void **state)
{
	const struct ompp_loop_nest_access row = { .inner = 8, .outer = 8000, .n_bytes = 8 },
					   column = { .inner = 8000, .outer = 8, .n_bytes = 8 },
					   again = { .inner = 8, .outer = 0, .n_bytes = 8 };
	struct ompp_loop_nest nest = { .n_inner = 100, .n_outer = 100, .n = 1, .accesses = { row } };

	(void)state;
	assert_false(ompp_loop_nest_is_nearer(&nest, OMPP_LOOP_INTERCHANGED));
	assert_false(ompp_loop_nest_is_nearer(&nest, OMPP_LOOP_IN_BLOCKS));
	nest.accesses[0] = column;
	assert_true(ompp_loop_nest_is_nearer(&nest, OMPP_LOOP_INTERCHANGED));
	assert_true(ompp_loop_nest_is_nearer(&nest, OMPP_LOOP_IN_BLOCKS));
	nest.accesses[nest.n++] = row;
	assert_false(ompp_loop_nest_is_nearer(&nest, OMPP_LOOP_INTERCHANGED));
	assert_true(ompp_loop_nest_is_nearer(&nest, OMPP_LOOP_IN_BLOCKS));
	nest.accesses[0] = again;
	assert_true(ompp_loop_nest_is_nearer(&nest, OMPP_LOOP_IN_BLOCKS));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_dependences), cmocka_unit_test(test_orders),
		                            cmocka_unit_test(test_nearer) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
