/*
 * Profile: what is saved can be read again; of a damaged file all before the damage is read, or the error is clear.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/profile/merge.h"
#include "reports/profile/misfit.h"
#include "reports/profile/profile_file.h"
#include "reports/profile/schema.h"
#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/histogram.h"
#include "runtime/ompp_mem.h"
#include "tests/golden/example.h"

static unsigned char *file;
static size_t n_file;

/* Returns all bytes that were written to a file descriptor; the caller frees them. */
static unsigned char *contents(int fd, size_t *n)
{
	off_t end = lseek(fd, 0, SEEK_END);
	unsigned char *data = malloc((size_t)end + 1);

	assert_non_null(data);
	assert_int_equal(pread(fd, data, (size_t)end, 0), end);
	data[end] = '\0';
	*n = (size_t)end;
	close(fd);
	return data;
}

static char *report(const struct ompp_profile *profile, const char *format)
{
	struct ompp_arena arena;
	int fd = memfd_create("report", 0);
	size_t n;

	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_report_write(profile, "", format, fd, &arena), 0);
	ompp_arena_fini(&arena);
	return (char *)contents(fd, &n);
}

static int save(void **state)
{
	struct ompp_profile profile;
	struct ompp_arena arena;
	int fd = memfd_create("profile", 0);

	(void)state;
	example_data_profile(&profile, 0);
	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_profile_write(&profile, fd, &arena), 0);
	ompp_arena_fini(&arena);
	file = contents(fd, &n_file);
	return 0;
}

static int forget(void **state)
{
	(void)state;
	free(file);
	return 0;
}

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

static size_t n_measured(const struct ompp_profile *profile)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->n_objects; i++)
		n += profile->objects[i].measured != 0;
	return n;
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

/* Writes the profile to a file, and reads that into `again`.  Returns the file's bytes. */
static size_t reread(const struct ompp_profile *profile, struct ompp_arena *arena, struct ompp_profile *again)
{
	int fd = memfd_create("again", 0);
	unsigned char *data;
	const char *why;
	size_t n;

	assert_int_equal(ompp_profile_write(profile, fd, arena), 0);
	data = contents(fd, &n);
	assert_int_equal(ompp_profile_parse(data, n, arena, again, &why), 0);
	free(data);
	return n;
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

/* Of each pair that is not from one MPI run, the message says what the two are. */
static void test_misfit(void **state)
{
	static const struct ompp_region one[] = { { 1, OMPP_LOOP, "/src/a.c", 10, 20, "", 0, 0, "", "", "" } };
	static const struct ompp_region same[] = { { 1, OMPP_SINGLE, "/src/a.c", 10, 30, "", 0, 0, "", "", "" },
		                                   { 2, OMPP_LOOP, "/src/a.c", 10, 20, "", 0, 0, "", "", "" } };
	static const struct ompp_region moved[] = { { 1, OMPP_LOOP, "/src/a.c", 10, 21, "", 0, 0, "", "", "" } };
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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_report),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_unknown_section),
		cmocka_unit_test(test_checksums),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_shared_cells),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_absent_words),
		cmocka_unit_test(test_first_text),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_taskloop),
		cmocka_unit_test(test_wrong_numa_values),
		cmocka_unit_test(test_merge_counters),
		cmocka_unit_test(test_merge_numa_values),
		cmocka_unit_test(test_wrong_accesses),
		cmocka_unit_test(test_wrong_patterns),
		cmocka_unit_test(test_merge_data),
		cmocka_unit_test(test_merge_missing),
		cmocka_unit_test(test_misfit),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_wrong_samples),
		cmocka_unit_test(test_merge_samples),
		cmocka_unit_test(test_merge_other_samples),
	};

	return cmocka_run_group_tests(tests, save, forget);
}
