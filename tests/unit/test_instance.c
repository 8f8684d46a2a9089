/*
 * Instance: records of untied task instances.  Their numbers are dense whatever lacks memory, tokens are never used
 * twice, and an instance is taken by one thread alone.
 */
#include "tests/unit/steps.h"

#include "runtime/core/callgraph.h"
#include "runtime/core/instance.h"
#include "runtime/core/region.h"

enum { INDEX_BITS = 20, N_THREADS = 4, N_EACH = 1500 /* more than a page of records altogether */ };

#define INDEX(token) ((token) & ((UINT64_C(1) << INDEX_BITS) - 1))

static struct ompp_thread threads[N_THREADS];
static uint64_t tokens[N_THREADS * N_EACH];

static void init(struct ompp_thread *t, size_t limit_bytes)
{
	assert_int_equal(ompp_callgraph_init(&t->graph, limit_bytes, 0), 0);
}

/* Fills a thread's memory up to less than n bytes. */
static void fill(struct ompp_thread *t, size_t n_bytes)
{
	while (ompp_callgraph_alloc(&t->graph, n_bytes))
		;
}

/* Makes instances until there is no memory for one more.  Returns how many that are; their numbers follow each other.
 */
static uint32_t make_all(struct ompp_thread *t, uint32_t first)
{
	uint32_t n = 0;
	uint64_t token;

	while ((token = ompp_instance_new(t)))
		assert_int_equal(INDEX(token), first + n++);
	return n;
}

/* Where a record's page, or the record itself, finds no memory, its number is the next one's. */
static void numbers_without_memory(void **state)
{
	uint32_t n;

	(void)state;
	init(&threads[0], 1 << 20);
	fill(&threads[0], 4096); /* a page of records has more */
	for (int i = 0; i < 100; i++)
		assert_int_equal(ompp_instance_new(&threads[0]), 0);
	assert_int_equal(threads[0].graph.n_lost, 100);
	init(&threads[1], 1 << 20);
	n = make_all(&threads[1], 0);
	assert_true(n > 1000);
	n += make_all(&threads[0], n); /* as far as there are pages of others */
	init(&threads[2], 1 << 20);
	assert_true(make_all(&threads[2], n) > 1000);
}

/* What fails again and again takes no memory. */
static void memory_of_failures(void **state)
{
	size_t used;

	(void)state;
	init(&threads[0], 1 << 20);
	fill(&threads[0], 4096);
	assert_int_equal(ompp_instance_new(&threads[0]), 0);
	used = threads[0].graph.used_bytes;
	assert_int_equal(ompp_instance_new(&threads[0]), 0);
	assert_int_equal(threads[0].graph.used_bytes, used);
}

static void *make_many(void *number)
{
	uint32_t k = *(uint32_t *)number;

	for (uint32_t i = 0; i < N_EACH; i++)
		tokens[k * N_EACH + i] = ompp_instance_new(&threads[k]);
	return NULL;
}

/* Threads that make records at the same time get all numbers, each once. */
static void numbers_of_threads(void **state)
{
	static unsigned char seen[N_THREADS * N_EACH];
	uint32_t numbers[N_THREADS];
	pthread_t ids[N_THREADS];

	(void)state;
	for (uint32_t k = 0; k < N_THREADS; k++) {
		numbers[k] = k;
		init(&threads[k], 16 << 20);
	}
	for (uint32_t k = 0; k < N_THREADS; k++)
		assert_int_equal(pthread_create(&ids[k], NULL, make_many, &numbers[k]), 0);
	for (uint32_t k = 0; k < N_THREADS; k++)
		pthread_join(ids[k], NULL);
	for (size_t i = 0; i < OMPP_COUNT_OF(tokens); i++) {
		assert_in_range(INDEX(tokens[i]), 0, OMPP_COUNT_OF(tokens) - 1);
		assert_int_equal(seen[INDEX(tokens[i])]++, 0);
	}
}

/* A record that is free is used again, by another token; that of before is nobody's. */
static void tokens_are_new(void **state)
{
	uint64_t first, second, new_token;
	uint32_t n;

	(void)state;
	init(&threads[0], 1 << 20);
	first = ompp_instance_new(&threads[0]);
	ompp_instance_free(&threads[0], first);
	ompp_instance_free(&threads[0], first); /* once is enough */
	second = ompp_instance_new(&threads[0]);
	assert_int_equal(INDEX(second), INDEX(first));
	assert_int_not_equal(second, first);
	assert_int_equal(INDEX(ompp_instance_new(&threads[0])), INDEX(first) + 1);
	assert_null(ompp_instance_take(first, &n, &new_token));
	assert_null(ompp_instance_take(0, &n, &new_token));
	assert_null(ompp_instance_take(UINT64_MAX, &n, &new_token));
}

/* An instance goes on elsewhere with what was open in it, once; where it ran it is moved then. */
static void taken_once(void **state)
{
	enum { N_OPEN = 20 /* more than a new record has room for */ };
	static struct ompp_frame frames[N_OPEN];
	struct ompp_thread *t = &threads[0];
	const struct ompp_instance_part *parts;
	uint64_t token, new_token, other;
	uint32_t n;

	(void)state;
	init(t, 1 << 20);
	token = frames[0].instance = ompp_instance_new(t);
	assert_null(ompp_instance_take(token, &n, &new_token)); /* nothing was noted yet */
	t->base = frames;
	t->limit = t->top = &frames[N_OPEN - 1];
	for (uint32_t i = 0; i < N_OPEN; i++) {
		frames[i].key = OMPP_KEY(i + 1, 0);
		frames[i].flags = OMPP_FRAME_FOLDED | (i ? 0u : OMPP_FRAME_TASK | OMPP_FRAME_UNTIED);
	}
	assert_int_equal(ompp_thread_instance(t), token);
	ompp_instance_note(t);
	assert_false(ompp_instance_is_moved(frames));
	parts = ompp_instance_take(token, &n, &new_token);
	assert_non_null(parts);
	assert_int_equal(n, N_OPEN);
	for (uint32_t i = 0; i < N_OPEN; i++) {
		assert_int_equal(parts[i].key, OMPP_KEY(i + 1, 0));
		assert_int_equal(parts[i].flags,
		                 i ? 0 : OMPP_FRAME_TASK | OMPP_FRAME_UNTIED); /* folding is its thread's */
	}
	assert_true(ompp_instance_is_moved(frames));
	assert_null(ompp_instance_take(token, &n, &other));
	frames[0].instance = new_token;
	assert_false(ompp_instance_is_moved(frames));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_without_memory),
		cmocka_unit_test(memory_of_failures),
		cmocka_unit_test(numbers_of_threads),
		cmocka_unit_test(tokens_are_new),
		cmocka_unit_test(taken_once),
	};

	return RUN_APART(tests);
}
