/*
 * Profile: what is saved reads back as the same report; old, damaged and strange files.
 */
#define _GNU_SOURCE
#include "tests/unit/profile_file.h"

#include "runtime/base/checksum.h"

/* A report from the file has the same bytes as one from the process. */
static void test_same_report(void **state)
{
	static const char *const formats[] = { "text", "csv" };
	struct ompp_profile example, profile;
	struct ompp_arena arena;
	const char *why;

	(void)state;
	example_data_profile(&example, 0);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_parse(file, n_file, &arena, &profile, &why), 0);
	for (size_t i = 0; i < 2; i++) {
		char *before = report(&example, formats[i]), *after = report(&profile, formats[i]);

		assert_string_equal(before, after);
		free(before);
		free(after);
	}
	ompp_arena_fini(&arena);
}

/* Reads bytes as ompp reads a file, or a pipe.  Returns what the report says of them, or why they cannot be read. */
static char *report_of(const unsigned char *data, size_t n, int is_pipe)
{
	struct ompp_profile profile;
	struct ompp_arena arena;
	int pipe_fds[2] = { -1, -1 }, fd = is_pipe ? 0 : memfd_create("profile", 0);
	const char *why = NULL;
	char *text;

	if (is_pipe) {
		assert_int_equal(pipe(pipe_fds), 0);
		fd = pipe_fds[1];
	}
	assert_int_equal(write(fd, data, n), n);
	if (is_pipe)
		close(fd);
	ompp_arena_init(&arena, 0);
	text = ompp_profile_read(is_pipe ? pipe_fds[0] : fd, &arena, &profile, &why) ? strdup(why)
	                                                                             : report(&profile, "csv");
	close(is_pipe ? pipe_fds[0] : fd);
	ompp_arena_fini(&arena);
	return text;
}

/* A file, of which a section at a time is in memory, and a pipe say what memory says: whole, cut off, and damaged. */
static void test_read(void **state)
{
	(void)state;
	for (size_t n = 0; n <= n_file; n += n_file - n < 61 && n < n_file ? n_file - n : 61)
		for (int is_damaged = 0; is_damaged < 2; is_damaged++) {
			unsigned char *cut = malloc(n_file);
			struct ompp_profile profile;
			struct ompp_arena arena;
			const char *why;
			char *expected, *of_file, *of_pipe;
			size_t n_bytes = is_damaged ? n_file : n;

			assert_non_null(cut);
			memcpy(cut, file, n_file);
			if (is_damaged && n < n_file)
				cut[n] ^= 0x40;
			ompp_arena_init(&arena, 0);
			expected = ompp_profile_parse(cut, n_bytes, &arena, &profile, &why) ? strdup(why)
			                                                                    : report(&profile, "csv");
			of_file = report_of(cut, n_bytes, 0);
			of_pipe = report_of(cut, n_bytes, 1);
			assert_string_equal(of_file, expected);
			assert_string_equal(of_pipe, expected);
			ompp_arena_fini(&arena);
			free(expected);
			free(of_file);
			free(of_pipe);
			free(cut);
		}
}

/* Of a file that is cut off anywhere, the rest is read, with a note, and a report can be made of it. */
static void test_cut_off(void **state)
{
	size_t n_read = 0, last_cells = 0;

	(void)state;
	for (size_t n = 0; n < n_file; n++) {
		unsigned char *cut = malloc(n ? n : 1);
		struct ompp_profile profile;
		struct ompp_arena arena;
		const char *why = NULL;
		int rc;

		assert_non_null(cut);
		memcpy(cut, file, n);
		ompp_arena_init(&arena, 0);
		rc = ompp_profile_parse(cut, n, &arena, &profile, &why);
		if (rc) {
			assert_int_equal(rc, -EINVAL);
			assert_non_null(why);
		} else {
			assert_non_null(strstr(profile.notes[profile.n_notes - 1].text, "damaged"));
			assert_true(profile.n_cells >= last_cells);
			assert_int_equal(n_measured(&profile) + profile.n_accesses + profile.n_shared_lines, 0);
			last_cells = profile.n_cells;
			n_read++;
			if (n % 16 == 0)
				free(report(&profile, "text"));
		}
		ompp_arena_fini(&arena);
		free(cut);
	}
	assert_true(n_read > n_file / 2);
	assert_true(last_cells > 0);
}

/* A change of any byte is noticed. */
static void test_flipped(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_file; i++) {
		struct ompp_profile profile;
		struct ompp_arena arena;
		const char *why = NULL;

		if (i >= 12 && i < OMPP_FILE_HEADER_BYTES)
			continue; /* reserved */
		file[i] ^= 0x20;
		ompp_arena_init(&arena, 0);
		if (!ompp_profile_parse(file, n_file, &arena, &profile, &why))
			assert_non_null(strstr(profile.notes[profile.n_notes - 1].text, "damaged"));
		else
			assert_non_null(why);
		ompp_arena_fini(&arena);
		file[i] ^= 0x20;
	}
}

static void test_versions(void **state)
{
	struct ompp_profile profile;
	struct ompp_arena arena;
	const char *why;

	(void)state;
	ompp_arena_init(&arena, 0);
	file[8] = OMPP_PROFILE_VERSION + 1;
	assert_int_equal(ompp_profile_parse(file, n_file, &arena, &profile, &why), -EPROTO);
	assert_non_null(strstr(why, "newer"));
	file[8] = OMPP_PROFILE_VERSION - 1;
	assert_int_equal(ompp_profile_parse(file, n_file, &arena, &profile, &why), -EPROTO);
	assert_non_null(strstr(why, "older"));
	file[8] = OMPP_PROFILE_VERSION;
	assert_int_equal(ompp_profile_parse("text", 4, &arena, &profile, &why), -EINVAL);
	ompp_arena_fini(&arena);
}

/* A section of an unknown kind is skipped. */
static void test_unknown_section(void **state)
{
	unsigned char section[OMPP_SECTION_HEADER_BYTES + 8] = "NEWS", *more = malloc(n_file + sizeof(section));
	struct ompp_profile profile;
	struct ompp_arena arena;
	const char *why;
	uint64_t sum;

	(void)state;
	assert_non_null(more);
	ompp_put32(section + 4, 1);
	ompp_put64(section + 8, 1);
	sum = ompp_checksum(ompp_checksum(OMPP_CHECKSUM_START, section, 24), section + 32, 8);
	ompp_put64(section + 24, sum);
	memcpy(more, file, OMPP_FILE_HEADER_BYTES);
	memcpy(more + OMPP_FILE_HEADER_BYTES, section, sizeof(section));
	memcpy(more + OMPP_FILE_HEADER_BYTES + sizeof(section), file + OMPP_FILE_HEADER_BYTES,
	       n_file - OMPP_FILE_HEADER_BYTES);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_parse(more, n_file + sizeof(section), &arena, &profile, &why), 0);
	assert_int_equal(profile.n_notes, 2); /* both are the example's, and neither is about damage */
	ompp_arena_fini(&arena);
	free(more);
}

/* The sums of pieces side by side are those of each by itself, whatever their lengths. */
static void test_checksums(void **state)
{
	enum { MOST = 11, BYTES = 400 };
	unsigned char bytes[BYTES];
	uint32_t random = 1;

	(void)state;
	for (size_t i = 0; i < BYTES; i++) {
		random = random * 1664525 + 1013904223;
		bytes[i] = (unsigned char)(random >> 24);
	}
	for (size_t n = 0; n <= MOST; n++)
		for (unsigned int turn = 0; turn < 50; turn++) {
			struct ompp_summed pieces[MOST];
			uint64_t expected[MOST];

			for (size_t i = 0; i < n; i++) {
				size_t at, n_bytes;

				random = random * 1664525 + 1013904223;
				at = random >> 24;
				n_bytes = turn && i % 3 == turn % 3 ? 0 : (random >> 12) % (BYTES - at);

				pieces[i] = (struct ompp_summed){ OMPP_CHECKSUM_START + i, bytes + at, n_bytes };
				expected[i] = ompp_checksum(OMPP_CHECKSUM_START + i, bytes + at, n_bytes);
			}
			ompp_checksums(pieces, n);
			for (size_t i = 0; i < n; i++)
				assert_true(pieces[i].sum == expected[i]);
		}
	assert_true(ompp_checksum(OMPP_CHECKSUM_START, "foobar", 6) == UINT64_C(0x85944171f73967e8)); /* FNV-1a */
}

/* Files whose checksums are computed beside each other read as each by itself does, whole, damaged and cut off; and
 * what is said to be sound ends before the damage. */
static void test_images(void **state)
{
	unsigned char *copies[OMPP_PROFILE_IMAGES];

	(void)state;
	for (size_t i = 0; i < OMPP_PROFILE_IMAGES; i++)
		assert_non_null(copies[i] = malloc(n_file));
	for (size_t turn = 0; turn < 40; turn++) {
		struct ompp_profile_image images[OMPP_PROFILE_IMAGES];
		size_t n = turn % OMPP_PROFILE_IMAGES + 1, bad = turn % n, at = (turn * 7919 + 40) % n_file;

		for (size_t i = 0; i < n; i++) {
			memcpy(copies[i], file, n_file);
			images[i] = (struct ompp_profile_image){ .data = copies[i], .n_bytes = n_file };
		}
		if (turn % 3)
			copies[bad][at] ^= 0x10;
		else
			images[bad].n_bytes = at;
		ompp_profile_sum(images, n);
		for (size_t i = 0; i < n; i++) {
			struct ompp_profile alone, beside;
			const char *why = "", *why_beside = "";
			struct ompp_arena arena;
			int rc, rc_beside;

			ompp_arena_init(&arena, 0);
			rc = ompp_profile_parse(copies[i], images[i].n_bytes, &arena, &alone, &why);
			rc_beside = ompp_profile_parse_image(&images[i], &arena, &beside, &why_beside);
			assert_int_equal(rc, rc_beside);
			assert_string_equal(why, why_beside);
			assert_true(i != bad || at < OMPP_FILE_HEADER_BYTES || images[i].n_sound <= at);
			assert_true(i == bad || images[i].n_sound > OMPP_FILE_HEADER_BYTES);
			if (!rc) {
				assert_int_equal(alone.is_damaged, beside.is_damaged);
				assert_true(alone.is_damaged == (i == bad));
				assert_int_equal(alone.n_cells, beside.n_cells);
				assert_int_equal(alone.n_notes, beside.n_notes);
				assert_memory_equal(alone.cells, beside.cells, alone.n_cells * sizeof(*alone.cells));
			}
			ompp_arena_fini(&arena);
		}
	}
	for (size_t i = 0; i < OMPP_PROFILE_IMAGES; i++)
		free(copies[i]);
}

/* Of nodes that claim the same cells some must be wrong, and a merge must not write beyond its memory. */
static void test_shared_cells(void **state)
{
	struct ompp_profile profile, merged;
	struct ompp_node nodes[64];
	struct ompp_arena arena;
	unsigned char *data;
	const char *why;
	size_t n, n_claimed = 0;
	int fd = memfd_create("shared", 0);

	(void)state;
	example_profile(&profile);
	assert_true(profile.n_nodes <= 64);
	memcpy(nodes, profile.nodes, profile.n_nodes * sizeof(nodes[0]));
	for (size_t i = 1; i < profile.n_nodes; i++) {
		nodes[i].first_cell = 0;
		nodes[i].n_cells = 2;
	}
	nodes[1].n_cells = (uint32_t)profile.n_cells;
	profile.nodes = nodes;
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_write(&profile, fd, &arena), 0);
	data = contents(fd, &n);
	assert_int_equal(ompp_profile_parse(data, n, &arena, &profile, &why), 0);
	assert_non_null(strstr(profile.notes[profile.n_notes - 1].text, "damaged"));
	for (size_t i = 0; i < profile.n_nodes; i++)
		n_claimed += profile.nodes[i].n_cells;
	assert_true(n_claimed <= profile.n_cells);
	assert_int_equal(ompp_profile_merge(&profile, 1, &arena, &merged), 0);
	free(report(&merged, "csv"));
	ompp_arena_fini(&arena);
	free(data);
}

static void test_full_disk(void **state)
{
	struct ompp_profile profile;
	struct ompp_arena arena;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip();
	example_profile(&profile);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_write(&profile, fileno(full), &arena), -ENOSPC);
	assert_int_equal(ompp_report_write(&profile, "", "text", fileno(full), &arena), -ENOSPC);
	ompp_arena_fini(&arena);
	fclose(full);
}

/* Last words that all cells lack take no place in the file, and are read as they were; where one cell has the last of
 * them, all cells have them. */
static void test_absent_words(void **state)
{
	struct ompp_profile example, again;
	struct ompp_cell cells[64] = { { 0 } };
	struct ompp_arena arena;
	size_t n_shorter, n_longer;

	(void)state;
	example_profile(&example);
	assert_true(example.n_cells > 1 && example.n_cells <= 64);
	for (size_t i = 0; i < example.n_cells; i++) {
		cells[i] = (struct ompp_cell){ .row = example.cells[i].row, .exec_ns = (int64_t)i };
		cells[i].to_bytes = cells[i].from_bytes = OMPP_MISSING;
		cells[i].sent_bytes = cells[i].received_bytes = OMPP_MISSING;
	}
	example.cells = cells;
	ompp_arena_init(&arena, 0);
	n_shorter = reread(&example, &arena, &again);
	assert_int_equal(again.n_cells, example.n_cells);
	assert_memory_equal(again.cells, cells, example.n_cells * sizeof(cells[0]));
	cells[1].received_bytes = 0;
	n_longer = reread(&example, &arena, &again);
	assert_memory_equal(again.cells, cells, example.n_cells * sizeof(cells[0]));
	assert_true(n_longer - n_shorter >= 15 * 8 * example.n_cells);
	ompp_arena_fini(&arena);
}

/* A text that is the last word of its section's only record is read again, though it stands at the begin of the texts,
 * and its word is 0. */
static void test_first_text(void **state)
{
	struct ompp_profile example, again;
	struct ompp_shared_line line;
	struct ompp_arena arena;

	(void)state;
	example_data_profile(&example, 0);
	assert_true(example.n_shared_lines > 1 && example.shared_lines[0].rows[0]);
	line = example.shared_lines[0];
	example.shared_lines = &line;
	example.n_shared_lines = 1;
	ompp_arena_init(&arena, 0);
	reread(&example, &arena, &again);
	assert_int_equal(again.n_shared_lines, 1);
	assert_string_equal(again.shared_lines[0].rows, line.rows);
	ompp_arena_fini(&arena);
}

/* The waits at barriers are saved and read again; merged, those of several ranks refer to the result's cells. */
static void test_waits(void **state)
{
	const struct ompp_wait waits[] = {
		{ .cell = 1,
		  .n = 3,
		  .work_ns = 300,
		  .spread_ns = 7,
		  .off_ns = OMPP_MISSING,
		  .asleep_ns = 4,
		  .n_looked = 2,
		  .looked_ns = 50,
		  .cause_ns = { 1, 2, 3, 4, 5, 6, 7, 22 },
		  .made_ns = 9,
		  .least_ns = 90,
		  .most_ns = 111,
		  .n_slices = 5,
		  .apart_ns = -6,
		  .apart_error_ns = 2,
		  .pace_ps = 300000 },
		{ .cell = 4,
		  .n = 1,
		  .spread_ns = OMPP_MISSING,
		  .apart_error_ns = OMPP_MISSING,
		  .pace_ps = OMPP_MISSING },
	};
	struct ompp_profile example, profiles[2], merged;
	struct ompp_wait wrong[2];
	struct ompp_arena arena;

	(void)state;
	example_profile(&example);
	example.waits = waits;
	example.n_waits = 2;
	example.processors_milli = 2500;
	example.queued_ns = 777;
	ompp_arena_init(&arena, 0);
	reread(&example, &arena, &profiles[0]);
	assert_int_equal(profiles[0].n_waits, 2);
	assert_memory_equal(profiles[0].waits, waits, sizeof(waits));
	assert_int_equal(profiles[0].processors_milli, 2500);
	assert_int_equal(profiles[0].queued_ns, 777);
	profiles[1] = profiles[0];
	profiles[1].mpi_rank = 1;
	assert_int_equal(ompp_profile_merge(profiles, 2, &arena, &merged), 0);
	assert_int_equal(merged.n_waits, 4);
	for (size_t i = 0; i < merged.n_waits; i++) {
		const struct ompp_wait *w = &merged.waits[i];
		const struct ompp_cell *c = &merged.cells[w->cell], *of = &example.cells[w->n == 3 ? 1 : 4];

		assert_true(!i || w->cell > merged.waits[i - 1].cell);
		assert_int_equal(c->exec_ns, of->exec_ns);
		assert_int_equal(c->row % example.n_rows, of->row);
	}
	memcpy(wrong, waits, sizeof(wrong));
	wrong[1].cell = (uint32_t)example.n_cells;
	example.waits = wrong;
	reread(&example, &arena, &profiles[0]);
	assert_int_equal(profiles[0].n_waits, 1);
	wrong[0].cause_ns[OMPP_CAUSE_BODY] = -5;
	wrong[1].cell = 1;
	reread(&example, &arena, &profiles[0]);
	assert_int_equal(profiles[0].n_waits, 1);
	assert_int_equal(profiles[0].waits[0].cause_ns[OMPP_CAUSE_BODY], OMPP_MISSING);
	ompp_arena_fini(&arena);
}

/* Every number of the data sections is read as it was written. */
static void test_data(void **state)
{
	struct ompp_profile example, again;
	struct ompp_arena arena;

	(void)state;
	for (int is_modelled = 0; is_modelled < 2; is_modelled++) {
		example_data_profile(&example, is_modelled);
		ompp_arena_init(&arena, 0);
		reread(&example, &arena, &again);
		assert_string_equal(again.data_method, "hooks");
		assert_int_equal(again.hooked, 1);
		assert_int_equal(again.sharing, !is_modelled);
		assert_int_equal(again.n_accesses, example.n_accesses);
		assert_memory_equal(again.accesses, example.accesses, example.n_accesses * sizeof(*again.accesses));
		assert_int_equal(again.n_objects, example.n_objects);
		for (size_t i = 0; i < again.n_objects; i++) {
			struct ompp_object object = again.objects[i];

			assert_string_equal(object.name, example.objects[i].name);
			object.name = example.objects[i].name;
			assert_memory_equal(&object, &example.objects[i], sizeof(object));
		}
		assert_int_equal(again.n_cache_levels, example.n_cache_levels);
		for (size_t i = 0; i < again.n_cache_levels; i++) {
			assert_string_equal(again.cache_levels[i].name, example.cache_levels[i].name);
			assert_int_equal(again.cache_levels[i].bytes, example.cache_levels[i].bytes);
			assert_int_equal(again.cache_levels[i].ways, example.cache_levels[i].ways);
			assert_int_equal(again.cache_levels[i].line_bytes, example.cache_levels[i].line_bytes);
			assert_int_equal(again.cache_levels[i].shared, example.cache_levels[i].shared);
		}
		assert_int_equal(again.n_shared_lines, example.n_shared_lines);
		for (size_t i = 0; i < again.n_shared_lines; i++) {
			assert_int_equal(again.shared_lines[i].offset_bytes, example.shared_lines[i].offset_bytes);
			assert_int_equal(again.shared_lines[i].n_stores, example.shared_lines[i].n_stores);
			assert_int_equal(again.shared_lines[i].n_transfers, example.shared_lines[i].n_transfers);
			assert_string_equal(again.shared_lines[i].rows, example.shared_lines[i].rows);
		}
		assert_int_equal(again.n_numa_nodes, 2);
		assert_int_equal(again.n_patterns, 2);
		for (size_t i = 0; i < again.n_patterns; i++) {
			const struct ompp_pattern *have = &again.patterns[i], *want = &example.patterns[i];

			assert_true(have->object == want->object && have->region == want->region &&
			            have->kind == want->kind);
			assert_true(have->n == want->n && have->n_of == want->n_of && have->n_lines == want->n_lines);
			assert_true(have->step_bytes == want->step_bytes && have->n_rows == want->n_rows);
			assert_string_equal(have->rows, want->rows);
		}
		ompp_arena_fini(&arena);
	}
}

/* Every number that counters add is read as it was written. */
static void test_counters(void **state)
{
	struct ompp_profile example, again;
	struct ompp_arena arena;

	(void)state;
	example_counter_profile(&example);
	ompp_arena_init(&arena, 0);
	reread(&example, &arena, &again);
	assert_int_equal(again.n_metrics, example.n_metrics);
	for (size_t i = 0; i < again.n_metrics; i++) {
		assert_string_equal(again.metrics[i].name, example.metrics[i].name);
		assert_string_equal(again.metrics[i].detail, example.metrics[i].detail);
		assert_int_equal(again.metrics[i].certainty, example.metrics[i].certainty);
	}
	assert_memory_equal(again.values, example.values, example.n_cells * example.n_metrics * sizeof(*again.values));
	assert_int_equal(again.n_evals, example.n_evals);
	for (size_t i = 0; i < again.n_evals; i++) {
		assert_string_equal(again.evals[i].name, example.evals[i].name);
		assert_string_equal(again.evals[i].expression, example.evals[i].expression);
		assert_string_equal(again.evals[i].unit, example.evals[i].unit);
	}
	assert_int_equal(again.n_numa_values, example.n_numa_values);
	for (size_t i = 0; i < again.n_numa_values; i++) {
		const struct ompp_numa_value *a = &again.numa_values[i], *b = &example.numa_values[i];

		assert_int_equal(a->node, b->node);
		assert_int_equal(a->place, b->place);
		assert_int_equal(a->process, b->process);
		assert_int_equal(a->value, b->value);
		assert_string_equal(a->metric.name, b->metric.name);
		assert_string_equal(a->metric.unit, b->metric.unit);
		assert_int_equal(a->metric.certainty, b->metric.certainty);
		assert_string_equal(a->metric.detail, b->metric.detail);
	}
	ompp_arena_fini(&arena);
}

/* The tasks of a TASKLOOP are executed at call paths of their own, as those of a TASK are. */
static void test_taskloop(void **state)
{
	struct ompp_region regions[64];
	struct ompp_node nodes[64];
	struct ompp_profile example, profile, again;
	struct ompp_arena arena;
	int n = 0;

	(void)state;
	example_profile(&example);
	profile = example;
	assert_true(example.n_regions <= OMPP_COUNT_OF(regions) && example.n_nodes <= OMPP_COUNT_OF(nodes));
	memcpy(regions, example.regions, example.n_regions * sizeof(*regions));
	memcpy(nodes, example.nodes, example.n_nodes * sizeof(*nodes));
	for (size_t i = 0; i < example.n_regions; i++)
		if (regions[i].construct == OMPP_TASK)
			regions[i].construct = OMPP_TASKLOOP;
	for (size_t i = 0; i < example.n_nodes; i++) {
		n += nodes[i].construct == OMPP_TASKEXEC;
		if (nodes[i].construct == OMPP_TASK)
			nodes[i].construct = OMPP_TASKLOOP;
	}
	assert_true(n > 0);
	profile.regions = regions;
	profile.nodes = nodes;
	ompp_arena_init(&arena, 0);
	reread(&profile, &arena, &again);
	assert_int_equal(again.n_nodes, example.n_nodes);
	assert_int_equal(again.n_notes, example.n_notes);
	ompp_arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_same_report),  cmocka_unit_test(test_read),
		                            cmocka_unit_test(test_cut_off),      cmocka_unit_test(test_flipped),
		                            cmocka_unit_test(test_versions),     cmocka_unit_test(test_unknown_section),
		                            cmocka_unit_test(test_checksums),    cmocka_unit_test(test_images),
		                            cmocka_unit_test(test_shared_cells), cmocka_unit_test(test_full_disk),
		                            cmocka_unit_test(test_data),         cmocka_unit_test(test_absent_words),
		                            cmocka_unit_test(test_first_text),   cmocka_unit_test(test_waits),
		                            cmocka_unit_test(test_counters),     cmocka_unit_test(test_taskloop) };

	return cmocka_run_group_tests(tests, save, forget);
}
