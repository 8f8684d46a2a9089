/*
 * Profile: what is saved is read again; damage of any kind gives what stands before it, or a clear answer.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/profile/merge.h"
#include "reports/profile/profile_file.h"
#include "reports/profile/schema.h"
#include "reports/report.h"
#include "tests/golden/example.h"

static unsigned char *file;
static size_t n_file;

/* All bytes of what a function writes to a file descriptor; the caller frees. */
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
	example_profile(&profile);
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

/* A report made from the file is the same bytes as one made in the process. */
static void test_same_report(void **state)
{
	static const char *const formats[] = { "text", "csv" };
	struct ompp_profile example, profile;
	struct ompp_arena arena;
	const char *why;

	(void)state;
	example_profile(&example);
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

/* Cut off anywhere: as much as is there, with a note, and a report that can be made. */
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

/* Any byte changed is noticed. */
static void test_flipped(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_file; i++) {
		struct ompp_profile profile;
		struct ompp_arena arena;
		const char *why = NULL;

		if (i >= 12 && i < OMPP_FILE_HEADER_BYTES)
			continue;               /* reserved */
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

/* A section that is not known is skipped. */
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
	assert_int_equal(profile.n_notes, 2);           /* those of the example, none about damage */
	ompp_arena_fini(&arena);
	free(more);
}

/* Nodes that claim the same cells: not all of them can be right, and a merge must not write beyond its memory. */
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

/* Two ranks: sums twice as large, rows beside each other, times of the wall clock as before. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_report),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_unknown_section),
		cmocka_unit_test(test_shared_cells),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, save, forget);
}
