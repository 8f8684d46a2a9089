/*
 * Varied: the reports of profiles of chance (varied_profile.h), in each format and section, merged and saved, are what
 * they were.  A saved profile gives the report of the profile itself.
 *
 * tests/golden/varied.txt has a checksum for each section and format over all profiles.  Usage:
 *
 *   test_varied                       compares, and says which differ
 *   test_varied record                prints what varied.txt shall be (make update-golden)
 *   test_varied list FORMAT VIEW      prints the checksum of each profile
 *   test_varied show FORMAT VIEW N    prints the report of profile N
 *
 * Where a change of reports is not on purpose, lists of the build before and of this one tell N.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports/analysis/init.h"
#include "reports/exchange/exchange.h"
#include "reports/profile/merge.h"
#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "reports/web/report_page.h"
#include "runtime/base/array.h"
#include "tests/golden/varied_profile.h"
#include "tests/golden/varied_sums.h"

enum { PROFILES = 180, ARENA_BYTES = 256 << 20, MERGED = 3 };

/* How a report is asked for, by the number of the profile. */
static const struct ompp_report_options asked[] = {
	{ .property_min = 0 },
	{ .sort = "time", .top = 3 },
	{ .sort = "name", .rows = 2, .columns = "all" },
	{ .region = "a.c,R00004", .property_min = 10000000 },
	{ .sort = "count", .object = "a,x,mod::count", .instances = 1 },
	{ .by = "place", .numa = "emulate:3", .emulated = 3, .far_min = 100000000 },
	{ .text_columns = 70, .bar_columns = 12, .has_blocks = 1, .has_color = 1, .color = "always" },
	{ .text_columns = 132, .bar_columns = 20, .top = 1, .memory_rate = 20000 },
};

struct made {
	struct ompp_arena arena;
	struct ompp_profile profile;
	struct ompp_report_options options;
};

static int is_merged(uint32_t number)
{
	return number % 5 == 4;
}

static void make(struct made *m, uint32_t number)
{
	struct ompp_profile parts[MERGED];

	ompp_arena_init(&m->arena, ARENA_BYTES);
	m->options = asked[number % OMPP_COUNT_OF(asked)];
	if (!is_merged(number)) {
		varied_profile(&m->profile, number, &m->arena);
		return;
	}
	for (uint32_t i = 0; i < MERGED; i++) /* of the same example, as ranks of one run */
		varied_profile(&parts[i], number + i * (PROFILES / VARIED_BASES) * VARIED_BASES, &m->arena);
	if (number % 2)
		varied_ranks(parts, MERGED, number, &m->arena);
	if (ompp_profile_merge(parts, MERGED, &m->arena, &m->profile))
		abort();
}

static int is_of(const char *list, const char *word)
{
	return !strcmp(list, word);
}

/* Writes a profile in a format; "saved" is the file, "page" the page. */
static int put(const struct made *m, const char *format, const char *view, int fd, struct ompp_arena *scratch)
{
	struct ompp_report_options options = m->options;
	struct ompp_page_extra extra = { 0 };

	options.format = format;
	options.views = view;
	if (is_of(format, "saved"))
		return ompp_profile_write(&m->profile, fd, scratch);
	if (is_of(format, "page"))
		return ompp_report_page(&m->profile, &options, &extra, fd, scratch);
	if (!ompp_report_has_format(format))
		return ompp_exchange_lacks(format, &m->profile)
		             ? 0
		             : ompp_exchange_write(&m->profile, &options, fd, scratch);
	return ompp_report_show(&m->profile, &options, fd, scratch);
}

/* Returns the bytes of a report, or of the file; the caller unmaps n_bytes + 1. */
static char *report_of(const struct made *m, const char *format, const char *view, size_t *n_bytes)
{
	struct ompp_arena scratch;
	int fd = memfd_create("report", MFD_CLOEXEC), rc;
	char *text;

	ompp_arena_init(&scratch, ARENA_BYTES);
	rc = put(m, format, view, fd, &scratch);
	ompp_arena_fini(&scratch);
	if (rc)
		dprintf(fd, "error %d\n", rc);
	*n_bytes = (size_t)lseek(fd, 0, SEEK_END);
	text = mmap(NULL, *n_bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
	if (text == MAP_FAILED)
		abort();
	return text;
}

static uint64_t sum_of(const struct made *m, const char *format, const char *view)
{
	size_t n_bytes;
	char *text = report_of(m, format, view, &n_bytes);
	uint64_t sum = is_of(format, "saved") ? varied_sum_add(VARIED_SUM_START, text, n_bytes)
	                                      : varied_sum_add_text(VARIED_SUM_START, text, n_bytes, 0);

	munmap(text, n_bytes + 1);
	return sum;
}

static struct varied_sum lines[256];
static size_t n_lines;

static void add_line(const char *format, const char *view)
{
	if (n_lines == OMPP_COUNT_OF(lines))
		abort();
	lines[n_lines++] = (struct varied_sum){ format, view, VARIED_SUM_START };
}

static void add_lines(void)
{
	const char *name;

	for (size_t f = 0; (name = ompp_report_format(f)); f++)
		for (size_t v = 0; ompp_report_view(v); v++)
			add_line(name, ompp_report_view(v));
	for (size_t f = 0; (name = ompp_exchange_name(f)); f++)
		add_line(name, "all");
	add_line("page", "all");
	add_line("saved", "all");
}

static void sum_up(void)
{
	for (uint32_t number = 0; number < PROFILES; number++) {
		struct made m;

		make(&m, number);
		for (size_t i = 0; i < n_lines; i++) {
			uint64_t sum = sum_of(&m, lines[i].what, lines[i].of);

			lines[i].sum = varied_sum_add(lines[i].sum, &sum, sizeof(sum));
		}
		ompp_arena_fini(&m.arena);
	}
}

/* A saved profile, a merged one, too, gives the report of the profile itself, and is not damaged.  Returns the number
 * of those that are otherwise. */
static int compare_saved(void)
{
	int n_other = 0;

	for (uint32_t number = 0; number < PROFILES; number++) {
		struct made m, again;
		size_t n_bytes;
		const char *why = NULL;
		char *image;

		make(&m, number);
		image = report_of(&m, "saved", "", &n_bytes);
		ompp_arena_init(&again.arena, ARENA_BYTES);
		again.options = m.options;
		if (ompp_profile_parse(image, n_bytes, &again.arena, &again.profile, &why) ||
		    again.profile.is_damaged || sum_of(&m, "csv", "all") != sum_of(&again, "csv", "all")) {
			fprintf(stderr, "test_varied: profile %u, saved and read, gives another report\n", number);
			n_other++;
		}
		munmap(image, n_bytes + 1);
		ompp_arena_fini(&again.arena);
		ompp_arena_fini(&m.arena);
	}
	return n_other;
}

static void list(const char *format, const char *view)
{
	for (uint32_t number = 0; number < PROFILES; number++) {
		struct made m;

		make(&m, number);
		printf("%u %016llx\n", number, (unsigned long long)sum_of(&m, format, view));
		ompp_arena_fini(&m.arena);
	}
}

static void show(const char *format, const char *view, uint32_t number)
{
	struct made m;
	size_t n_bytes;
	char *text;

	make(&m, number);
	text = report_of(&m, format, view, &n_bytes);
	fwrite(text, 1, n_bytes, stdout);
	munmap(text, n_bytes + 1);
	ompp_arena_fini(&m.arena);
}

int main(int argc, char **argv)
{
	varied_start();
	if (argc > 3 && is_of(argv[1], "list")) {
		list(argv[2], argv[3]);
		return 0;
	}
	if (argc > 4 && is_of(argv[1], "show")) {
		show(argv[2], argv[3], (uint32_t)strtoul(argv[4], NULL, 10));
		return 0;
	}
	add_lines();
	sum_up();
	if (argc > 1) {
		varied_sums_print(lines, n_lines);
		return 0;
	}
	if (compare_saved())
		return 1;
	return VARIED_HAS_FLOATS ? varied_sums_compare(lines, n_lines, "varied") : 77;
}
