/*
 * Profile, wrong: files whose members contradict each other are refused.
 */
#define _GNU_SOURCE
#include "tests/unit/profile_file.h"

#include "reports/profile/profile_check.h"

/* Patterns of objects that do not exist, of unknown kinds, or with numbers of any size are dropped, or at least do no
 * harm. */
static void test_wrong_patterns(void **state)
{
	static const struct ompp_pattern wrong[] = {
		{ 10000, 1, OMPP_PATTERN_STRIDE, 1, 0, 64, "0", 1, 1, 0 },
		{ 2, 10000, OMPP_PATTERN_STRIDE, 1, 0, 64, "0", 1, 1, 0 },
		{ 2, 1, OMPP_N_PATTERNS, 1, 0, 64, "0", 1, 1, 0 },
	};
	struct ompp_pattern huge[OMPP_N_PATTERNS];
	struct ompp_profile profile, again;
	struct ompp_arena arena;

	(void)state;
	example_data_profile(&profile, 1);
	profile.n_patterns = 1;
	ompp_arena_init(&arena, 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(wrong); i++) {
		profile.patterns = &wrong[i];
		reread(&profile, &arena, &again);
		assert_int_equal(again.n_patterns, 0);
		assert_non_null(strstr(again.notes[again.n_notes - 1].text, "damaged"));
	}
	for (int kind = 0; kind < OMPP_N_PATTERNS; kind++)
		huge[kind] = (struct ompp_pattern){ .object = 2,
			                            .region = kind ? 1 : OMPP_NONE,
			                            .kind = (enum ompp_pattern_kind)kind,
			                            .n = UINT64_MAX,
			                            .n_of = UINT64_MAX,
			                            .n_lines = UINT64_MAX,
			                            .step_bytes = INT64_MIN,
			                            .rows = "0",
			                            .n_rows = UINT32_MAX };
	profile.patterns = huge;
	profile.n_patterns = OMPP_N_PATTERNS;
	reread(&profile, &arena, &again);
	assert_int_equal(again.n_patterns, OMPP_N_PATTERNS);
	free(report(&again, "text"));
	free(report(&again, "csv"));
	ompp_arena_fini(&arena);
}

/* Before a count that is out of order, of no call path, or of no certainty, all is shown; the rest is not. */
static void test_wrong_numa_values(void **state)
{
	struct ompp_profile profile, again;
	struct ompp_numa_value values[12];
	struct ompp_arena arena;

	(void)state;
	example_counter_profile(&profile);
	assert_true(profile.n_numa_values > 4 && profile.n_numa_values <= 12 && profile.numa_values[3].node > 0);
	for (int i = 0; i < 3; i++) {
		memcpy(values, profile.numa_values, profile.n_numa_values * sizeof(values[0]));
		values[4].node = i == 0 ? UINT32_MAX : i == 1 ? 0 : values[4].node;
		values[4].metric.certainty = i == 2 ? (enum ompp_certainty)(OMPP_NOT_COUNTED + 1) : OMPP_EXACT;
		ompp_arena_init(&arena, 0);
		again = profile;
		again.numa_values = values;
		reread(&again, &arena, &again);
		assert_int_equal(again.n_numa_values, 4);
		assert_non_null(strstr(again.notes[again.n_notes - 1].text, "damaged"));
		free(report(&again, "text"));
		ompp_arena_fini(&arena);
	}
}

/* Accesses to objects that do not exist, out of order, or below 0 are all dropped. */
static void test_wrong_accesses(void **state)
{
	static const struct ompp_access wrong[] = { { UINT32_MAX, 0, 0, { 0 } },
		                                    { 1, EXAMPLE_ROWS, 0, { 0 } },
		                                    { 1, 0, 10000, { 0 } },
		                                    { 1, 0, 2, { -1 } },
		                                    { 0, ROW_0, OMPP_OBJECT_OTHER, { 1 } },
		                                    { 1, ROW_0, OMPP_OBJECT_STACK, { 1 } } };
	struct ompp_profile profile, again;
	struct ompp_arena arena;
	struct ompp_access *accesses;

	(void)state;
	example_data_profile(&profile, 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(wrong); i++) {
		ompp_arena_init(&arena, 0);
		accesses = ompp_arena_alloc(&arena, profile.n_accesses * sizeof(*accesses));
		assert_non_null(accesses);
		memcpy(accesses, profile.accesses, profile.n_accesses * sizeof(*accesses));
		accesses[3] = wrong[i]; /* it stands behind the accesses of node 1, row 0 to (stack) */
		again = profile;
		again.accesses = accesses;
		reread(&again, &arena, &again);
		assert_int_equal(n_measured(&again) + again.n_accesses, 0);
		assert_int_equal(again.n_objects, profile.n_objects);
		assert_non_null(strstr(again.notes[again.n_notes - 1].text, "damaged"));
		free(report(&again, "text"));
		ompp_arena_fini(&arena);
	}
}

/* Of call paths with numbers of chance those that stay have cells that there are, by rows in order, and what is right
 * stays as it is. */
static void test_wrong_cells(void **state)
{
	enum { CELLS = 12, NODES = 6 };
	static struct ompp_region region = { .construct = OMPP_LOOP };
	static struct ompp_cell cells[CELLS];
	struct ompp_profile profile = { .regions = &region, .n_regions = 1, .cells = cells, .n_cells = CELLS };

	(void)state;
	srand(7);
	for (int round = 0; round < 20000; round++) {
		struct ompp_node nodes[NODES] = { { .parent = OMPP_NONE } }, before[NODES];
		int repaired = 0, is_right = 1;
		size_t n, sum = 0;

		for (uint32_t i = 0; i < CELLS; i++)
			cells[i].row = i % 4 + (rand() % 40 ? 0 : (uint32_t)rand() % 3);
		for (uint32_t i = 0; i < NODES; i++) {
			nodes[i].construct = OMPP_LOOP;
			nodes[i].parent = i ? (uint32_t)rand() % (i + !(rand() % 20)) : OMPP_NONE;
			nodes[i].first_cell = rand() % 9 ? (uint32_t)(rand() % (CELLS + 2)) : (uint32_t)rand() << 1;
			nodes[i].n_cells = rand() % 9 ? (uint32_t)rand() % 5 : (uint32_t)rand() << 1;
		}
		memcpy(before, nodes, sizeof(nodes));
		n = ompp_valid_nodes(&profile, nodes, NODES, &repaired);
		for (size_t i = 0; i < n; i++) {
			uint32_t k = 0, first = before[i].first_cell;

			while (k < before[i].n_cells && first < CELLS && k < CELLS - first &&
			       (!k || cells[first + k].row > cells[first + k - 1].row))
				k++;
			assert_int_equal(nodes[i].n_cells, k);
			assert_int_equal(nodes[i].first_cell, first);
			assert_true(!i || nodes[i].parent < i);
			is_right &= k == before[i].n_cells;
			sum += k;
		}
		assert_true(sum <= CELLS);
		assert_true(n < NODES || repaired == !is_right);
		if (n < NODES)
			assert_true(before[n].parent >= n || sum + nodes[n].n_cells > CELLS);
	}
}

/* Of each pair that is not from one MPI run, the message says what the two are. */
static void test_misfit(void **state)
{
	static const struct ompp_region one[] = { { 1, OMPP_LOOP, "/src/a.c", 10, 20, "", 0, 0, "", "", "", 0 } };
	static const struct ompp_region same[] = { { 1, OMPP_SINGLE, "/src/a.c", 10, 30, "", 0, 0, "", "", "", 0 },
		                                   { 2, OMPP_LOOP, "/src/a.c", 10, 20, "", 0, 0, "", "", "", 0 } };
	static const struct ompp_region moved[] = { { 1, OMPP_LOOP, "/src/a.c", 10, 21, "", 0, 0, "", "", "", 0 } };
	const int64_t minute = INT64_C(60000000000);
	const struct {
		const char *app;
		int rank, size;
		int64_t late_ns, pid;
		uint32_t threads;
		const struct ompp_region *regions;
		size_t n_regions;
		const char *cause;
		/* clang-format off */
	} cases[] = {
		{ "a", 1, 4, 0,            7, 2, same,  2, NULL },
		{ "a", 1, 4, minute,       7, 3, one,   1, NULL },
		{ "a", 1, 4, minute,       7, 2, NULL,  0, NULL },
		{ "b", 1, 4, 0,            7, 2, one,   1, "two programs, 'a' and 'b'" },
		{ "a", 1, 4, 0,            7, 2, moved, 1, "two versions of 'a': the LOOP in line 10 of 'a.c' ends in different lines" },
		{ "a", 0, 4, 0,            7, 2, one,   1, "both rank 0" },
		{ "a", 1, 2, 0,            7, 2, one,   1, "two MPI runs, of 4 and 2 ranks" },
		{ "a", 1, 4, 3 * minute,   7, 2, one,   1, "ranks of two MPI runs, which did not run at the same time" },
		{ "a", 1, 4, -3 * minute,  7, 2, one,   1, "ranks of two MPI runs, which did not run at the same time" },
		{ "a", -1, 0, 0,           7, 2, one,   1, "two runs or processes of 'a'" },
		{ "a", -1, 0, 3 * minute,  7, 8, one,   1, "two runs or processes of 'a', with 2 and 8 threads" },
		{ "a", -1, 0, 0,        4711, 2, one,   1, "two reports of one run of 'a'" },
	};
	/* clang-format on */
	struct ompp_profile two[3];
	struct ompp_arena arena;
	size_t other;

	(void)state;
	ompp_arena_init(&arena, 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		const char *cause;

		example_profile(&two[0]);
		two[0].app = "a";
		two[0].mpi_rank = 0;
		two[0].mpi_size = 4;
		two[0].regions = one;
		two[0].n_regions = 1;
		two[1] = two[0];
		two[1].app = cases[i].app;
		two[1].mpi_rank = cases[i].rank;
		two[1].mpi_size = cases[i].size;
		two[1].start_unix_ns += cases[i].late_ns;
		two[1].end_unix_ns += cases[i].late_ns;
		two[1].pid = cases[i].pid;
		two[1].max_threads = cases[i].threads;
		two[1].regions = cases[i].regions;
		two[1].n_regions = cases[i].n_regions;
		cause = ompp_misfit(two, 1, &other, &arena);
		if (!cases[i].cause) {
			assert_null(cause);
			continue;
		}
		assert_non_null(cause);
		assert_string_equal(cause, cases[i].cause);
		assert_int_equal(other, 0);
	}
	two[1] = two[2] = two[0];
	two[1].mpi_rank = two[2].mpi_rank = 3;
	assert_null(ompp_misfit(two, 1, &other, &arena));
	assert_string_equal(ompp_misfit(two, 2, &other, &arena), "both rank 3");
	assert_int_equal(other, 1);
	assert_null(ompp_misfit(two, 0, &other, &arena));
	ompp_arena_fini(&arena);
}

/* Samples come back from the file as they went in. */
static void test_samples(void **state)
{
	struct ompp_profile profile, again;
	struct ompp_arena arena;

	(void)state;
	example_sample_profile(&profile);
	profile.sample_tick_fs = 270270;
	ompp_arena_init(&arena, 0);
	reread(&profile, &arena, &again);
	assert_int_equal(again.n_notes, profile.n_notes);
	assert_int_equal(again.sample_tick_fs, 270270);
	assert_string_equal(again.sample_source, "pebs");
	assert_string_equal(again.sample_latencies, "cycles");
	assert_int_equal(again.sample_period, 10007);
	assert_int_equal(again.sample_kinds, OMPP_MEM_BOTH);
	assert_int_equal(again.touched, 1);
	assert_int_equal(again.n_samples, profile.n_samples);
	for (size_t i = 0; i < again.n_samples; i++) {
		assert_int_equal(again.samples[i].node, profile.samples[i].node);
		assert_int_equal(again.samples[i].row, profile.samples[i].row);
		assert_int_equal(again.samples[i].object, profile.samples[i].object);
		assert_int_equal(again.samples[i].home, profile.samples[i].home);
		assert_int_equal(again.samples[i].n_far, profile.samples[i].n_far);
		assert_memory_equal(&again.samples[i].sum, &profile.samples[i].sum, sizeof(again.samples[i].sum));
	}
	assert_int_equal(again.n_sample_histogram, profile.n_sample_histogram);
	assert_memory_equal(again.sample_histogram, profile.sample_histogram,
	                    again.n_sample_histogram * sizeof(again.sample_histogram[0]));
	assert_int_equal(again.n_sample_lines, profile.n_sample_lines);
	for (size_t i = 0; i < again.n_sample_lines; i++) {
		assert_string_equal(again.sample_lines[i].file, profile.sample_lines[i].file);
		assert_int_equal(again.sample_lines[i].line, profile.sample_lines[i].line);
		assert_string_equal(again.sample_lines[i].function, profile.sample_lines[i].function);
		assert_memory_equal(&again.sample_lines[i].sum, &profile.sample_lines[i].sum,
		                    sizeof(again.sample_lines[i].sum));
	}
	assert_int_equal(again.n_first_touches, profile.n_first_touches);
	for (size_t i = 0; i < again.n_first_touches; i++) {
		assert_int_equal(again.first_touches[i].n_pages, profile.first_touches[i].n_pages);
		assert_string_equal(again.first_touches[i].file, profile.first_touches[i].file);
		assert_string_equal(again.first_touches[i].small, profile.first_touches[i].small);
	}
	assert_string_equal(again.pages_method, "access hooks");
	assert_int_equal(again.page_bytes, 4096);
	assert_int_equal(again.n_pages_lost, 7);
	assert_int_equal(again.n_paged, profile.n_paged);
	assert_memory_equal(again.paged, profile.paged, again.n_paged * sizeof(again.paged[0]));
	assert_int_equal(again.n_hot_pages, profile.n_hot_pages);
	for (size_t i = 0; i < again.n_hot_pages; i++) {
		assert_memory_equal(&again.hot_pages[i], &profile.hot_pages[i], offsetof(struct ompp_hot_page, smalls));
		assert_string_equal(again.hot_pages[i].smalls, profile.hot_pages[i].smalls);
	}
	assert_int_equal(again.n_page_variables, profile.n_page_variables);
	for (size_t i = 0; i < again.n_page_variables; i++) {
		const struct ompp_page_variable *a = &again.page_variables[i], *b = &profile.page_variables[i];

		assert_string_equal(a->small, b->small);
		assert_true(a->object == b->object && a->n_bytes == b->n_bytes && a->n_parts == b->n_parts);
		assert_int_equal(a->n_alone, b->n_alone);
	}
	assert_int_equal(again.all_objects, 1);
	assert_int_equal(again.n_allocations, profile.n_allocations);
	for (size_t i = 0; i < again.n_allocations; i++) {
		struct ompp_allocation a = again.allocations[i], b = profile.allocations[i];

		assert_string_equal(a.name, b.name);
		assert_string_equal(a.path, b.path);
		assert_string_equal(a.allocator, b.allocator);
		assert_string_equal(a.calls, b.calls);
		a.name = a.path = a.allocator = a.calls = b.name = b.path = b.allocator = b.calls = NULL;
		assert_memory_equal(&a, &b, sizeof(a));
	}
	ompp_arena_fini(&arena);
}

static void *copy(struct ompp_arena *arena, const void *array, size_t n_bytes)
{
	void *out = ompp_arena_alloc(arena, n_bytes);

	assert_non_null(out);
	return memcpy(out, array, n_bytes);
}

/* Each way in which samples may not fit, by number; returns 0 when there is none of this number. */
static int break_samples(struct ompp_profile *p, struct ompp_arena *arena, int which)
{
	struct ompp_sampled *s = copy(arena, p->samples, p->n_samples * sizeof(*s));
	struct ompp_sampled_latency *h = copy(arena, p->sample_histogram, p->n_sample_histogram * sizeof(*h));
	struct ompp_sampled_line *l = copy(arena, p->sample_lines, p->n_sample_lines * sizeof(*l));
	struct ompp_first_touch *t = copy(arena, p->first_touches, p->n_first_touches * sizeof(*t));
	struct ompp_allocation *a = copy(arena, p->allocations, p->n_allocations * sizeof(*a));
	struct ompp_paged *g = copy(arena, p->paged, p->n_paged * sizeof(*g));
	struct ompp_hot_page *o = copy(arena, p->hot_pages, p->n_hot_pages * sizeof(*o));
	struct ompp_page_variable *v = copy(arena, p->page_variables, p->n_page_variables * sizeof(*v));

	p->page_variables = v;
	p->paged = g;
	p->hot_pages = o;
	p->samples = s;
	p->sample_histogram = h;
	p->sample_lines = l;
	p->first_touches = t;
	p->allocations = a;
	switch (which) {
	case 0:
		s[3].node = (uint32_t)p->n_nodes;
		break;
	case 1:
		s[3].row = EXAMPLE_ROWS;
		break;
	case 2:
		s[3].object = (uint32_t)p->n_objects;
		break;
	case 3:
		s[3].sum.kind = OMPP_MEM_BOTH;
		break;
	case 4:
		s[3].sum.kind = OMPP_MEM_NEITHER;
		break;
	case 5:
		s[14].sum.level = OMPP_MEM_N_LEVELS;
		break;
	case 6:
		s[3].sum.n_timed = s[3].sum.n + 1;
		break;
	case 7:
		s[3].sum.estimate = -1;
		break;
	case 8:
		s[3].sum.variance = INT64_MAX;
		break;
	case 9:
		s[2].sum.latency_ticks = 5;
		break; /* without a timed sample */
	case 10:
		s[3].n_far = s[3].sum.n + 1;
		break;
	case 11:
		s[3] = s[2];
		break;
	case 12:
		h[3].sampled = (uint32_t)p->n_samples;
		break;
	case 13:
		h[p->n_sample_histogram - 1].bucket = OMPP_HISTOGRAM_BUCKETS;
		break;
	case 14:
		h[3].n++;
		break; /* one more than there are timed samples */
	case 15:
		h[3] = h[2];
		break;
	case 16:
		l[3].object = (uint32_t)p->n_objects;
		break;
	case 17:
		l[3].file = "";
		break;
	case 18:
		l[3].sum.n = UINT64_MAX;
		break;
	case 19:
		l[3] = l[2];
		break;
	case 20:
		t[1].node = (uint32_t)p->n_nodes;
		break;
	case 21:
		t[4].row = ROW_0;
		break;
	case 22:
		t[1].n_pages = UINT64_MAX;
		break;
	case 23:
		t[2] = t[1];
		break;
	case 24:
		a[1].object = (uint32_t)p->n_objects;
		break;
	case 25:
		a[1].row = EXAMPLE_ROWS;
		break;
	case 26:
		a[1].region = (uint32_t)p->n_regions;
		break;
	case 27:
		a[1].n_live = a[1].n_blocks + 1;
		break;
	case 28:
		a[1].peak_bytes = a[0].peak_bytes + 1;
		break;
	case 29:
		g[1].n_private = g[1].n_pages + 1;
		break;
	case 30:
		g[2].n_read_shared = 25;
		break;
	case 31:
		g[1].n_written_once = g[1].n_pages + 1;
		break;
	case 32:
		g[3].n_parts = 65;
		break;
	case 33:
		g[6].region = (uint32_t)p->n_regions;
		break;
	case 34:
		g[6].object = OMPP_NONE;
		break;
	case 35:
		g[1].region = 0;
		break;
	case 36:
		g[7].scope = 2;
		break;
	case 37:
		g[0].object = g[1].object;
		break;
	case 38:
		o[0].object = (uint32_t)p->n_objects;
		break;
	case 39:
		o[1].n_parts = 65;
		break;
	case 40:
		o[3].loads = o[0].loads + 1;
		break;
	case 41:
		g[1].loads = UINT64_MAX;
		break;
	case 42:
		v[0].object = (uint32_t)p->n_objects;
		break;
	case 43:
		v[0].n_alone = v[0].n_parts + 1;
		break;
	case 44:
		v[1] = v[0];
		break;
	default:
		return 0;
	}
	return 1;
}

/* Samples that cannot be are all dropped, and a note says that the file is damaged. */
static void test_wrong_samples(void **state)
{
	struct ompp_profile profile, again;
	struct ompp_arena arena;

	(void)state;
	for (int i = 0;; i++) {
		int is_broken;

		example_sample_profile(&profile);
		ompp_arena_init(&arena, 0);
		is_broken = break_samples(&profile, &arena, i);
		reread(&profile, &arena, &again);
		if (!is_broken) {
			ompp_arena_fini(&arena);
			assert_int_equal(i, 45);
			break;
		}
		if (again.n_samples + again.n_sample_histogram + again.n_sample_lines + again.n_first_touches ||
		    again.n_allocations || again.n_paged || again.n_hot_pages || again.n_page_variables ||
		    again.pages_method[0] || again.sample_source[0] || again.touched)
			fail_msg("wrong samples %d were taken", i);
		assert_non_null(strstr(again.notes[again.n_notes - 1].text, "damaged"));
		free(report(&again, "text"));
		ompp_arena_fini(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_numa_values), cmocka_unit_test(test_wrong_accesses),
		cmocka_unit_test(test_wrong_patterns),    cmocka_unit_test(test_misfit),
		cmocka_unit_test(test_wrong_cells),       cmocka_unit_test(test_samples),
		cmocka_unit_test(test_wrong_samples)
	};

	return cmocka_run_group_tests(tests, save, forget);
}
