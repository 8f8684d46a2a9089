/*
 * Durations: buckets have all durations, each where it belongs, and none is far wider than what it holds; a node's
 * durations, however they come, are those of its visits, with the first one apart and the last one waiting.
 */
#include "tests/unit/steps.h"

#include "runtime/core/callgraph.h"
#include "runtime/core/region.h"
#include "runtime/sums/sum_durations.h"

enum { N_RUNS = 200, MOST_VISITS = 500 };

static uint64_t seed = 1;

/* Returns a number of up to 62 bits, small ones as often as large ones. */
static uint64_t any_ticks(void)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return seed >> (2 + (seed >> 8) % 62);
}

static void buckets_have_all(void **state)
{
	(void)state;
	assert_int_equal(ompp_duration_bucket(0), 0);
	assert_true(ompp_duration_bucket(INT64_MAX) < OMPP_DURATION_BUCKETS);
	for (uint32_t i = 0; i + 4 < OMPP_DURATION_BUCKETS; i++) {
		uint64_t least = ompp_duration_least(i), next = ompp_duration_least(i + 1);

		assert_true(least < next);
		assert_int_equal(ompp_duration_bucket(least), i);
		assert_int_equal(ompp_duration_bucket(next - 1), i);
		assert_true(next - least <= 16 || next - least <= (least + 32) / 2);
	}
}

/* Counts the visits as any reader does: those in buckets, and the one that waits. */
static uint64_t visits_in(const struct ompp_durations *d, uint32_t bucket)
{
	return d->buckets[bucket] + (d->last_n && ompp_duration_bucket(d->last_ticks) == bucket);
}

/* Slices have the counted visits in their order, each as many as the first, but for the last one. */
static void check_series(const struct ompp_series *s, const uint64_t *ticks, int n)
{
	int at = 0;

	for (int k = 0; k < OMPP_N_SLICES; k++) {
		uint64_t sum = 0;

		assert_true(s->slices[k].n == s->slices[0].n || at + (int)s->slices[k].n == n);
		for (uint64_t i = 0; i < s->slices[k].n; i++)
			sum += ticks[at++];
		assert_true(s->slices[k].ticks == sum);
	}
	assert_int_equal(at, n);
	assert_true(n < OMPP_N_SLICES || s->slices[OMPP_N_SLICES / 2 - 1].n > 0);
}

/* The profile has the same of a node: what its visits took but the first, by bucket and by slice, rounded to ns. */
static void check_profile(const struct ompp_callnode *node, const uint64_t *ticks, int n)
{
	struct ompp_merge_path path = { .construct = OMPP_LOOP };
	struct ompp_merge_sums sums = { .path = 0 };
	struct ompp_arena arena;
	struct ompp_merge merge = { .arena = &arena, .sums = &sums, .n_sums = 1, .paths = &path, .n_paths = 1 };
	struct ompp_profile p = { 0 };
	uint64_t least = n > 1 ? UINT64_MAX : 0, most = 0, sum = 0, n_in_slices = 0, n_in_buckets = 0;
	uint64_t ns_in_slices = 0;

	for (int i = 1; i < n; i++) {
		least = ticks[i] < least ? ticks[i] : least;
		most = ticks[i] > most ? ticks[i] : most;
		sum += ticks[i];
	}
	ompp_arena_init(&arena, 0);
	ompp_sum_durations(&merge, &sums, node);
	assert_int_equal(merge.failed, 0);
	assert_int_equal(ompp_collect_durations_start(&merge, &p), 0);
	ompp_collect_durations(&merge, &p, 3, &sums, (struct ompp_clock_rate){ 1, 1 });
	assert_int_equal(p.n_durations, 1);
	assert_true(p.durations[0].cell == 3 && p.durations[0].n_first == 1);
	assert_int_equal(p.durations[0].first_ns, ticks[0]);
	assert_int_equal(p.durations[0].n, n - 1);
	assert_int_equal(p.durations[0].least_ns, least);
	assert_int_equal(p.durations[0].most_ns, most);
	assert_true(n < 2 || ticks[p.durations[0].most_at - 1] == most);
	for (size_t i = 0; i < p.n_duration_buckets; i++) {
		const struct ompp_duration_bucket *b = &p.duration_buckets[i];
		uint64_t in = 0;

		for (int k = 1; k < n; k++)
			in += (int64_t)ticks[k] >= b->least_ns && (int64_t)ticks[k] <= b->most_ns;
		assert_true(b->n > 0 && b->n == in);
		assert_true(!i || b->number > b[-1].number);
		n_in_buckets += b->n;
	}
	for (size_t i = 0; i < p.n_duration_slices; i++) {
		const struct ompp_duration_slice *slice = &p.duration_slices[i];

		assert_true(slice->n > 0 && slice->number == i && slice->cell == 3);
		n_in_slices += slice->n;
		ns_in_slices += (uint64_t)slice->ns;
	}
	assert_int_equal(n_in_buckets, n - 1);
	assert_int_equal(n_in_slices, n - 1);
	assert_true(ns_in_slices == sum);
	ompp_arena_fini(&arena);
}

static void durations_of_visits(struct ompp_callgraph *graph, struct ompp_callnode *node, const uint64_t *ticks, int n)
{
	uint64_t seen[OMPP_DURATION_BUCKETS] = { 0 }, least = UINT64_MAX, most = 0, most_at = 0;
	const struct ompp_durations *d;

	for (int i = 0; i < n; i++) {
		node->n++;
		node->ticks += ticks[i];
		ompp_callgraph_took(graph, node, ticks[i]);
	}
	check_profile(node, ticks, n);
	d = node->durations;
	if (n == 1) {
		assert_true(d == &ompp_no_durations);
		return;
	}
	assert_int_equal(d->n_first, 1);
	assert_true(d->first_ticks == ticks[0]);
	for (int i = 1; i < n; i++)
		seen[ompp_duration_bucket(ticks[i])]++;
	for (uint32_t i = 0; i < OMPP_DURATION_BUCKETS; i++)
		assert_true(seen[i] == visits_in(d, i));
	check_series(&d->series, ticks + 1, n > 2 ? n - 2 : 0);
	for (int i = 1; i + 1 < n; i++) {
		least = ticks[i] < least ? ticks[i] : least;
		if (i == 1 || ticks[i] > most) {
			most = ticks[i];
			most_at = (uint64_t)i + 1;
		}
	}
	assert_true(d->least_ticks == least);
	assert_true(n < 3 || (d->least_ticks + d->range_ticks == most && d->most_at == most_at));
	assert_true(d->last_n == (n > 1 ? (uint64_t)n : 0) && d->last_ticks == (n > 1 ? ticks[n - 1] : 0));
}

static void nodes_keep_their_durations(void **state)
{
	static uint64_t ticks[MOST_VISITS];
	static struct ompp_callgraph graph;

	(void)state;
	assert_int_equal(ompp_callgraph_init(&graph, 16 << 20, 0), 0);
	for (uint32_t run = 0; run < N_RUNS; run++) {
		struct ompp_callnode *node = ompp_callgraph_child(&graph, graph.root, OMPP_KEY(run + 1000, 0), 100);
		int n = 1 + (int)(run % 7 ? run : run * 2);

		for (int i = 0; i < n; i++)
			ticks[i] = i % 3 ? any_ticks() : 1000 + (uint64_t)i;
		assert_null(node->durations); /* of a region that nobody knows none are kept */
		node->n++;
		ompp_callgraph_took(&graph, node, 1);
		assert_null(node->durations);
		node->n = 0;
		node->durations = &ompp_no_durations;
		durations_of_visits(&graph, node, ticks, n);
	}
	assert_true(ompp_no_durations.least_ticks == UINT64_MAX && !ompp_no_durations.n_first);
	/* in a forked child they begin anew */
	ompp_callgraph_clear(&graph);
	assert_true(graph.newest->durations != &ompp_no_durations);
	durations_of_visits(&graph, graph.newest, ticks, 100);
	ompp_callgraph_fini(&graph);
}

/* Where a quarter of the memory is used, further nodes keep none, and there is room for more nodes. */
static void no_memory(void **state)
{
	static struct ompp_callgraph graph;
	struct ompp_callnode *node;

	(void)state;
	assert_int_equal(ompp_callgraph_init(&graph, 2 << 20, 0), 0);
	node = ompp_callgraph_child(&graph, graph.root, OMPP_KEY(1000, 0), 100);
	while (graph.left_bytes >= (1 << 20))
		assert_non_null(ompp_callgraph_alloc(&graph, 1024));
	assert_non_null(ompp_callgraph_child(&graph, graph.root, OMPP_KEY(1001, 0), 100));
	node->durations = &ompp_no_durations;
	for (node->n = 1; node->n < 4; node->n++)
		ompp_callgraph_took(&graph, node, 5);
	assert_null(node->durations);
	ompp_callgraph_fini(&graph);
}

/* What other instances took may be more than the visits themselves did; the first visit is then 0, not below. */
static void others_took_more(void **state)
{
	static struct ompp_callgraph graph;
	struct ompp_callnode *node;

	(void)state;
	assert_int_equal(ompp_callgraph_init(&graph, 16 << 20, 0), 0);
	node = ompp_callgraph_child(&graph, graph.root, OMPP_KEY(1000, 0), 100);
	node->durations = &ompp_no_durations;
	node->n = 1;
	node->ticks = 20;
	node->task_ticks = 50;
	ompp_callgraph_took(&graph, node, 0);
	node->n = 2;
	node->ticks += 30;
	ompp_callgraph_took(&graph, node, 30);
	assert_int_equal(node->durations->n_first, 1);
	assert_int_equal(node->durations->first_ticks, 0);
	assert_int_equal(node->durations->last_ticks, 30);
	ompp_callgraph_fini(&graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(buckets_have_all),
		                            cmocka_unit_test(nodes_keep_their_durations), cmocka_unit_test(no_memory),
		                            cmocka_unit_test(others_took_more) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
