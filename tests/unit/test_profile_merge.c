/*
 * Profile, merge: profiles of several processes add up.
 */
#define _GNU_SOURCE
#include "tests/unit/profile_file.h"

/* With two ranks, sums are twice as large, rows stand beside each other, and wall-clock times are as before. */
static void test_merge(void **state)
{
	struct ompp_profile ranks[2], merged;
	struct ompp_arena arena;
	uint64_t n_one = 0, n_both = 0;

	(void)state;
	example_profile(&ranks[0]);
	ranks[0].mpi_rank = 0;
	ranks[1] = ranks[0];
	ranks[1].mpi_rank = 1;
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(merged.n_regions, ranks[0].n_regions);
	assert_int_equal(merged.n_nodes, ranks[0].n_nodes);
	assert_int_equal(merged.n_rows, 2 * ranks[0].n_rows);
	assert_int_equal(merged.n_cells, 2 * ranks[0].n_cells);
	assert_int_equal(merged.n_metrics, ranks[0].n_metrics);
	assert_int_equal(merged.max_threads, 4);
	assert_int_equal(merged.duration_ns, ranks[0].duration_ns);
	assert_string_equal(merged.rows[0].label, "r0:0");
	assert_string_equal(merged.rows[ranks[0].n_rows + ROW_1_0].label, "r1:1.0");
	for (size_t i = 0; i < ranks[0].n_cells; i++)
		n_one += ranks[0].cells[i].n_exec;
	for (size_t i = 0; i < merged.n_cells; i++)
		n_both += merged.cells[i].n_exec;
	assert_int_equal(n_both, 2 * n_one);
	for (size_t i = 0; i < merged.n_nodes; i++)
		for (uint32_t k = 1; k < merged.nodes[i].n_cells; k++)
			assert_true(merged.cells[merged.nodes[i].first_cell + k].row >
			            merged.cells[merged.nodes[i].first_cell + k - 1].row);
	ompp_arena_fini(&arena);
}

/* To a rank of a host the other ranks are other programs; of processes that are no ranks of one host nothing is known.
 */
static void test_merge_others(void **state)
{
	struct ompp_profile ranks[2], merged;
	struct ompp_arena arena;

	(void)state;
	for (int r = 0; r < 2; r++) {
		static struct ompp_condition host = { .label = "Host", .value = "a" };

		example_profile(&ranks[r]);
		ranks[r].conditions = &host;
		ranks[r].n_conditions = 1;
		ranks[r].mpi_rank = r;
		ranks[r].user_ns = 100 + 20 * r;
		ranks[r].system_ns = 10;
		ranks[r].others_ns = 300;
		ranks[r].others_error_ns = 5 + r;
	}
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(merged.others_ns, 300 - 130); /* the first one saw the second one's 130 among them */
	assert_int_equal(merged.others_error_ns, 6);
	ranks[0].others_ns = 120;
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(merged.others_ns, 0);
	for (int wrong = 0; wrong < 3; wrong++) {
		static struct ompp_condition other = { .label = "Host", .value = "b" };
		struct ompp_profile was = ranks[1];

		if (wrong == 0)
			ranks[1].mpi_rank = -1;
		else if (wrong == 1)
			ranks[1].others_ns = OMPP_MISSING;
		else
			ranks[1].conditions = &other;
		assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
		assert_int_equal(merged.others_ns, OMPP_MISSING);
		assert_int_equal(merged.others_error_ns, OMPP_MISSING);
		ranks[1] = was;
	}
	ompp_arena_fini(&arena);
}

/* The longest path of several processes is known where that of each is; of half of them nothing stays. */
static void test_merge_span(void **state)
{
	static const struct ompp_span_record spans[] = { { .node = 0, .work_ns = 70, .path_ns = 50 } };
	static const struct ompp_prediction_record predictions[] = { { .node = 1, .n_threads = 1, .n = 1 } };
	struct ompp_profile ranks[2], merged;
	struct ompp_arena arena;

	(void)state;
	for (int has = 0; has < 4; has++) {
		int are_all = has == 3;

		for (int r = 0; r < 2; r++) {
			int has_this = has >> r & 1;

			example_profile(&ranks[r]);
			ranks[r].mpi_rank = r;
			ranks[r].has_span = has_this;
			ranks[r].work_ns = has_this ? 70 : OMPP_MISSING;
			ranks[r].span_ns = ranks[r].burdened_ns = ranks[r].fixed_ns = has_this ? 50 : OMPP_MISSING;
			ranks[r].n_tasks_created = has_this ? 3 : 0;
			ranks[r].spans = spans;
			ranks[r].n_spans = has_this ? 1 : 0;
			ranks[r].predictions = predictions;
			ranks[r].n_predictions = has_this ? 1 : 0;
		}
		ompp_arena_init(&arena, 0);
		assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
		assert_int_equal(merged.has_span, are_all);
		assert_int_equal(merged.work_ns, are_all ? 140 : OMPP_MISSING);
		assert_int_equal(merged.span_ns, are_all ? 50 : OMPP_MISSING);
		assert_int_equal(merged.n_tasks_created, are_all ? 6 : 0);
		assert_int_equal(merged.n_spans, are_all);
		assert_int_equal(merged.n_predictions, are_all);
		ompp_arena_fini(&arena);
	}
}

/* The same call path may have another number on each rank. */
static void test_merge_numa_values(void **state)
{
	static const struct ompp_node a[] = { { .parent = OMPP_NONE, .region = OMPP_NONE },
		                              { .construct = OMPP_PARALLEL } },
				      b[] = { { .parent = OMPP_NONE, .region = OMPP_NONE },
		                              { .region = 4, .construct = OMPP_PARALLEL },
		                              { .construct = OMPP_PARALLEL } };
	static const struct ompp_numa_value
		of_a[] = { { .node = 1, .metric = { "m", "", OMPP_EXACT, "" }, .value = 10 } },
		of_b[] = { { .node = 1, .metric = { "m", "", OMPP_EXACT, "" }, .value = 20 },
		           { .node = 2, .metric = { "m", "", OMPP_EXACT, "" }, .value = 30 } };
	static const struct {
		uint32_t region;
		int64_t value;
		uint32_t process;
	} wanted[] = { { 1, 10, 1 }, { 1, 30, 2 }, { 5, 20, 2 } };
	struct ompp_profile ranks[2], merged;
	struct ompp_arena arena;

	(void)state;
	for (int r = 0; r < 2; r++) {
		example_profile(&ranks[r]);
		ranks[r].nodes = r ? b : a;
		ranks[r].n_nodes = r ? 3 : 2;
		ranks[r].n_cells = 0;
		ranks[r].numa_values = r ? of_b : of_a;
		ranks[r].n_numa_values = r ? 2 : 1;
	}
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(merged.n_numa_values, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct ompp_numa_value *v = &merged.numa_values[i];

		assert_int_equal(merged.regions[merged.nodes[v->node].region].id, wanted[i].region);
		assert_int_equal(v->value, wanted[i].value);
		assert_int_equal(v->process, wanted[i].process);
	}
	ompp_arena_fini(&arena);
}

/* The certainty of ranks with the same counters is the lowest of those that counted; formulas stand there once. */
static void test_merge_counters(void **state)
{
	static const struct {
		enum ompp_certainty a, b, c, merged;
		const char *detail;
	} cases[] = {
		{ OMPP_EXACT, OMPP_EXACT, OMPP_EXACT, OMPP_EXACT, "same" },
		{ OMPP_EXACT, OMPP_SCALED, OMPP_EXACT, OMPP_SCALED, "b" },
		{ OMPP_SCALED, OMPP_SCALED, OMPP_EXACT, OMPP_SCALED, "not the same on all ranks" },
		{ OMPP_EXACT, OMPP_NOT_COUNTED, OMPP_EXACT, OMPP_EXACT, "not counted on all ranks" },
		{ OMPP_NOT_COUNTED, OMPP_EXACT, OMPP_SCALED, OMPP_SCALED, "not counted on all ranks" },
		{ OMPP_NOT_COUNTED, OMPP_NOT_COUNTED, OMPP_SCALED, OMPP_SCALED, "not counted on all ranks" },
		{ OMPP_NOT_COUNTED, OMPP_NOT_COUNTED, OMPP_NOT_COUNTED, OMPP_NOT_COUNTED, "same" },
	};
	struct ompp_profile ranks[3], merged;
	struct ompp_metric metrics[3][16];
	struct ompp_arena arena;

	(void)state;
	ompp_arena_init(&arena, 0);
	for (int r = 0; r < 3; r++) {
		example_counter_profile(&ranks[r]);
		ranks[r].mpi_rank = r;
		memcpy(metrics[r], ranks[r].metrics, ranks[r].n_metrics * sizeof(metrics[r][0]));
		ranks[r].metrics = metrics[r];
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		const enum ompp_certainty certainty[] = { cases[i].a, cases[i].b, cases[i].c };
		static const char *const details[] = { "a", "b", "c" };

		for (int r = 0; r < 3; r++) {
			metrics[r][0].certainty = certainty[r];
			metrics[r][0].detail = !strcmp(cases[i].detail, "same") ? "same" : details[r];
		}
		assert_int_equal(ompp_profile_merge(ranks, 3, &arena, &merged), 0);
		assert_int_equal(merged.metrics[0].certainty, cases[i].merged);
		assert_string_equal(merged.metrics[0].detail, cases[i].detail);
	}
	assert_int_equal(merged.n_metrics, ranks[0].n_metrics);
	assert_int_equal(merged.n_evals, ranks[0].n_evals);
	assert_int_equal(merged.n_numa_values, 3 * ranks[0].n_numa_values);
	for (size_t i = 0; i < merged.n_numa_values; i++) {
		const struct ompp_numa_value *v = &merged.numa_values[i];

		assert_true(!i || v->node >= v[-1].node);
		assert_in_range(v->process, 1, 3);
		assert_true(v->node < merged.n_nodes && merged.nodes[v->node].construct == OMPP_PARALLEL);
	}
	ompp_arena_fini(&arena);
}

/* Returns the sum of a field over all accesses to an object; missing when one of them is missing. */
static int64_t total(const struct ompp_profile *p, const char *name, enum ompp_access_field field)
{
	int64_t sum = 0;

	for (size_t i = 0; i < p->n_accesses; i++)
		if (!strcmp(p->objects[p->accesses[i].object].name, name)) {
			if (p->accesses[i].values[field] == OMPP_MISSING)
				return OMPP_MISSING;
			sum += p->accesses[i].values[field];
		}
	return sum;
}

static const struct ompp_object *find_object(const struct ompp_profile *p, const char *name)
{
	for (size_t i = 0; i < p->n_objects; i++)
		if (!strcmp(p->objects[i].name, name))
			return &p->objects[i];
	fail_msg("no object %s", name);
	return NULL;
}

/* Objects of ranks are the same by name, though they stand in another order. */
static void test_merge_data(void **state)
{
	struct ompp_profile ranks[3], merged;
	struct ompp_object objects[16];
	struct ompp_access accesses[64];
	struct ompp_shared_line line;
	struct ompp_pattern pattern;
	struct ompp_arena arena;
	size_t n;

	(void)state;
	example_data_profile(&ranks[0], 0);
	ranks[0].mpi_rank = 0;
	ranks[1] = ranks[0];
	ranks[1].mpi_rank = 1;
	n = ranks[0].n_objects;
	assert_true(n <= 16 && ranks[0].n_accesses <= 64 && !strcmp(ranks[0].objects[2].name, "a"));
	memcpy(objects, ranks[0].objects, n * sizeof(objects[0]));
	memcpy(accesses, ranks[0].accesses, ranks[0].n_accesses * sizeof(accesses[0]));
	for (size_t i = OMPP_OBJECT_FIRST_NAMED; i < n; i++)
		objects[i] = ranks[0].objects[n + 1 - i]; /* reversed, so that indices no longer ascend */
	for (size_t i = 0; i < ranks[0].n_accesses; i++)
		if (accesses[i].object >= OMPP_OBJECT_FIRST_NAMED)
			accesses[i].object = (uint32_t)(n + 1 - accesses[i].object);
	objects[n - 1].address = 0x9000; /* of a */
	for (size_t i = 0; i < ranks[0].n_accesses; i++)
		if (!strcmp(objects[accesses[i].object].name, "moved"))
			accesses[i].values[OMPP_ACCESS_STORES] = OMPP_MISSING;
	line = ranks[0].shared_lines[0];
	line.object = (uint32_t)(n + 1 - line.object);
	ranks[1].objects = objects;
	ranks[1].accesses = accesses;
	ranks[1].shared_lines = &line;
	ranks[1].n_shared_lines = 1;
	pattern = ranks[0].patterns[0];
	pattern.object = (uint32_t)(n + 1 - pattern.object);
	ranks[1].patterns = &pattern;
	ranks[1].n_patterns = 1;
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(merged.n_objects, n);
	assert_int_equal(merged.n_accesses, 2 * ranks[0].n_accesses);
	for (size_t i = 1; i < merged.n_accesses; i++) {
		const struct ompp_access *x = &merged.accesses[i - 1], *y = &merged.accesses[i];

		assert_true(x->node != y->node ? x->node < y->node
		            : x->row != y->row ? x->row < y->row
		                               : x->object < y->object);
	}
	for (size_t i = 0; i < n; i++) {
		const char *name = ranks[0].objects[i].name;

		assert_int_equal(total(&merged, name, OMPP_ACCESS_LOADS),
		                 2 * total(&ranks[0], name, OMPP_ACCESS_LOADS));
		assert_int_equal(total(&merged, name, OMPP_ACCESS_STORES),
		                 !strcmp(name, "moved") ? OMPP_MISSING
		                                        : 2 * total(&ranks[0], name, OMPP_ACCESS_STORES));
	}
	assert_int_equal(find_object(&merged, "a")->address, OMPP_MISSING);
	assert_int_equal(find_object(&merged, "a")->bytes, 1152000000);
	assert_int_equal(find_object(&merged, "buf")->n_ranges, 4);
	assert_int_equal(find_object(&merged, "hidden")->measured, 0);
	assert_int_equal(find_object(&merged, "x")->measured, 1);
	assert_int_equal(merged.n_shared_lines, 2);
	assert_int_equal(merged.shared_lines[0].n_stores, 6000000);
	assert_int_equal(merged.shared_lines[0].n_transfers, 2 * 2954312);
	assert_string_equal(merged.shared_lines[0].rows, "r0 0: 0-7, 1: 8-15; r1 0: 0-7, 1: 8-15");
	assert_string_equal(merged.shared_lines[1].rows, "r0 0.1: 56-63, 1.0: 0-7, 1.1: 8-15");
	assert_int_equal(merged.n_patterns, 2);
	assert_int_equal(merged.patterns[0].n, 2 * 2954312);
	assert_string_equal(merged.objects[merged.patterns[0].object].name, "mod::count");
	assert_string_equal(merged.patterns[0].rows, "r0 0, 1; r1 0, 1");
	assert_int_equal(merged.sharing, 1);
	assert_string_equal(merged.data_method, "hooks");
	free(report(&merged, "text"));
	ompp_arena_fini(&arena);
}

/* One rank named nothing, and of another one no number is sure. */
static void test_merge_missing(void **state)
{
	struct ompp_profile ranks[2], merged;
	struct ompp_object objects[16];
	struct ompp_arena arena;

	(void)state;
	example_profile(&ranks[0]);
	example_data_profile(&ranks[1], 1);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(find_object(&merged, "(other)")->measured, 0);
	assert_int_equal(find_object(&merged, "(stack)")->measured, 0);
	assert_int_equal(find_object(&merged, "a")->measured, 1);
	assert_int_equal(merged.n_accesses, ranks[1].n_accesses);
	assert_int_equal(merged.hooked, 1);
	assert_int_equal(merged.n_cache_levels, 2);
	assert_string_equal(merged.data_method, "hooks");

	ranks[0] = ranks[1];
	ranks[0].objects = memcpy(objects, ranks[1].objects, ranks[1].n_objects * sizeof(objects[0]));
	ranks[0].n_accesses = 0;
	ranks[0].data_method = "breakpoints";
	for (size_t i = 0; i < ranks[0].n_objects; i++)
		objects[i].measured = 0;
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(n_measured(&merged), 0);
	assert_string_equal(merged.data_method, "not the same on all ranks");
	ompp_arena_fini(&arena);
}

/* Adds up the samples of an object, and what their buckets say. */
static void add_up(const struct ompp_profile *p, const char *name, struct ompp_sampled_sum *sum, uint64_t *n_buckets)
{
	*sum = (struct ompp_sampled_sum){ 0 };
	*n_buckets = 0;
	for (size_t i = 0; i < p->n_samples; i++)
		if (!strcmp(p->objects[p->samples[i].object].name, name)) {
			sum->n += p->samples[i].sum.n;
			sum->n_timed += p->samples[i].sum.n_timed;
			sum->estimate += p->samples[i].sum.estimate;
			sum->variance += p->samples[i].sum.variance;
			sum->latency_ticks += p->samples[i].sum.latency_ticks;
			sum->squares += p->samples[i].sum.squares;
		}
	for (size_t i = 0; i < p->n_sample_histogram; i++)
		if (!strcmp(p->objects[p->samples[p->sample_histogram[i].sampled].object].name, name))
			*n_buckets += p->sample_histogram[i].n;
}

/* Samples of two ranks: rows stay apart, sums and variances add up, objects are the same by name though they stand in
 * another order. */
static void test_merge_samples(void **state)
{
	struct ompp_profile ranks[2], merged, again;
	struct ompp_sampled_sum one, both;
	struct ompp_object objects[16], swap;
	uint64_t n_one, n_both;
	struct ompp_arena arena;

	(void)state;
	example_sample_profile(&ranks[0]);
	ranks[0].mpi_rank = 0;
	ranks[1] = ranks[0];
	ranks[1].mpi_rank = 1;
	memcpy(objects, ranks[0].objects, ranks[0].n_objects * sizeof(objects[0]));
	swap = objects[2]; /* what a is in rank 0, x is in rank 1 */
	objects[2] = objects[3];
	objects[3] = swap;
	ranks[1].objects = objects;
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(merged.n_notes, 2 * ranks[0].n_notes);
	assert_int_equal(merged.n_samples, 2 * ranks[0].n_samples);
	assert_int_equal(merged.n_sample_histogram, 2 * ranks[0].n_sample_histogram);
	assert_int_equal(merged.n_first_touches, 2 * ranks[0].n_first_touches);
	assert_int_equal(merged.n_allocations, ranks[0].n_allocations);
	assert_int_equal(merged.all_objects, 1);
	assert_int_equal(merged.n_paged, ranks[0].n_paged);
	assert_int_equal(merged.n_pages_lost, 14);
	assert_int_equal(merged.paged[4].object, OMPP_NONE);
	assert_int_equal(merged.paged[4].n_pages, 2 * 281287);
	assert_int_equal(merged.paged[4].n_threads, 4);
	for (size_t i = 0; i < merged.n_paged; i++) /* a and x are in another order in rank 1 */
		if (merged.paged[i].scope == OMPP_PAGED_REGION && merged.paged[i].object >= OMPP_OBJECT_FIRST_NAMED)
			assert_int_equal(merged.paged[i].n_pages, 281250 + 24);
	assert_int_equal(merged.n_hot_pages, 8); /* also those of the same address */
	assert_int_equal(merged.n_page_variables, ranks[0].n_page_variables);
	assert_int_equal(merged.page_variables[1].n_parts, 2 * ranks[0].page_variables[1].n_parts);
	for (size_t i = 0; i < merged.n_allocations; i++) {
		const struct ompp_allocation *a = &merged.allocations[i], *b = &ranks[0].allocations[i];

		assert_string_equal(a->path, b->path);
		assert_int_equal(a->n_blocks, 2 * b->n_blocks);
		assert_int_equal(a->n_live, 2 * b->n_live);
		assert_int_equal(a->bytes, 2 * b->bytes);
		assert_int_equal(a->live_bytes, 2 * b->live_bytes);
		assert_int_equal(a->peak_bytes, b->peak_bytes);
		assert_int_equal(a->peak_error, b->peak_error);
		assert_int_equal(a->lifetime_ns, 2 * b->lifetime_ns);
		assert_int_equal(a->object == OMPP_NONE, b->object == OMPP_NONE);
		if (a->object != OMPP_NONE)
			assert_string_equal(merged.objects[a->object].name, ranks[0].objects[b->object].name);
	}
	assert_int_equal(merged.sample_period, 10007);
	add_up(&ranks[0], "mod::count", &one, &n_one);
	add_up(&merged, "mod::count", &both, &n_both);
	assert_int_equal(both.n, 2 * one.n);
	assert_int_equal(both.n_timed, 2 * one.n_timed);
	assert_int_equal(both.estimate, 2 * one.estimate);
	assert_int_equal(both.variance, 2 * one.variance);
	assert_int_equal(both.latency_ticks, 2 * one.latency_ticks);
	assert_int_equal(both.squares, 2 * one.squares);
	assert_int_equal(n_both, 2 * n_one);
	add_up(&merged, "a", &both, &n_both);
	add_up(&ranks[0], "a", &one, &n_one);
	assert_int_equal(n_both, both.n_timed);
	assert_true(both.n > one.n && both.n != 2 * one.n);
	for (size_t i = 0; i < merged.n_sample_lines; i++)
		if (!strcmp(merged.objects[merged.sample_lines[i].object].name, "mod::count") &&
		    merged.sample_lines[i].sum.kind == OMPP_MEM_STORES)
			assert_int_equal(merged.sample_lines[i].sum.n, 600);
	reread(&merged, &arena, &again); /* it is in order, so the reader takes all of it */
	assert_int_equal(again.n_samples, merged.n_samples);
	assert_int_equal(again.n_sample_histogram, merged.n_sample_histogram);
	assert_int_equal(again.n_sample_lines, merged.n_sample_lines);
	assert_int_equal(again.n_first_touches, merged.n_first_touches);

	/* each rank measures how long a tick is; where they do not agree, the ticks are not the same */
	ranks[0].sample_tick_fs = 270270;
	ranks[1].sample_tick_fs = 270280;
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(merged.sample_tick_fs, 270270);
	ranks[1].sample_tick_fs = 400000;
	assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
	assert_int_equal(merged.sample_tick_fs, 0);
	ompp_arena_fini(&arena);
}

static int has_note(const struct ompp_profile *p, const char *words)
{
	for (size_t i = 0; i < p->n_notes; i++)
		if (strstr(p->notes[i].text, words))
			return 1;
	return 0;
}

/* Samples that were taken in another way are left out with a note, and those of no rank are missed with one. */
static void test_merge_other_samples(void **state)
{
	struct ompp_profile ranks[2], merged;
	struct ompp_arena arena;

	(void)state;
	ompp_arena_init(&arena, 0);
	for (int i = 0; i < 6; i++) {
		example_sample_profile(&ranks[0]);
		ranks[0].mpi_rank = 0;
		ranks[1] = ranks[0];
		ranks[1].mpi_rank = 1;
		switch (i) {
		case 0:
			ranks[1].sample_source = "ibs";
			break;
		case 1:
			ranks[1].sample_latencies = "TSC cycles";
			break;
		case 2:
			ranks[1].sample_period = 5003;
			break;
		case 3:
			ranks[1].sample_latency = 30;
			break;
		case 4:
			ranks[1].sample_kinds = OMPP_MEM_LOADS;
			break;
		default:
			example_profile(&ranks[0]);
			ranks[0].mpi_rank = 0;
		}
		assert_int_equal(ompp_profile_merge(ranks, 2, &arena, &merged), 0);
		assert_int_equal(merged.n_samples, ranks[1].n_samples);
		assert_int_equal(merged.n_sample_histogram, ranks[1].n_sample_histogram);
		assert_string_equal(merged.sample_source, "pebs");
		if (i < 5)
			assert_true(has_note(&merged, "r1: its samples of accesses are not added"));
		else
			assert_true(has_note(&merged, "r0: took no samples") &&
			            has_note(&merged, "r0: looked for no first touches"));
		assert_int_equal(merged.n_first_touches, (i < 5 ? 2 : 1) * ranks[1].n_first_touches);
		free(report(&merged, "text"));
	}
	ompp_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_merge),
		                            cmocka_unit_test(test_merge_others),
		                            cmocka_unit_test(test_merge_span),
		                            cmocka_unit_test(test_merge_counters),
		                            cmocka_unit_test(test_merge_numa_values),
		                            cmocka_unit_test(test_merge_data),
		                            cmocka_unit_test(test_merge_missing),
		                            cmocka_unit_test(test_merge_samples),
		                            cmocka_unit_test(test_merge_other_samples) };

	return cmocka_run_group_tests(tests, save, forget);
}
