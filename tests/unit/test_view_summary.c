/*
 * Views, summary: what the 20 lines of the summary show of much and of little.
 */
#define _GNU_SOURCE
#include "tests/unit/views_case.h"

#include "reports/findings/finding.h"
#include "reports/tables/remarks.h"

/* Returns the summary, after a check that it has at most 20 lines of a terminal's width and shares that add up to all.
 */
static char *summary(const struct ompp_report_options *options)
{
	struct ompp_report_options shown = *options;
	char *text, *csv;
	size_t n_lines = 0;
	double sum = 0;

	shown.views = "summary";
	text = show(&shown);
	for (char *line = text; *line; line += strcspn(line, "\n") + 1, n_lines++) {
		size_t n = 0;

		for (char *p = line; *p != '\n'; p++)
			n += ((unsigned char)*p & 0xc0) != 0x80;
		if (n > 80) {
			printf("%zu columns: %.*s\n", n, (int)strcspn(line, "\n"), line);
			fail();
		}
	}
	if (n_lines > 20)
		printf("%zu lines:\n%s", n_lines, text);
	assert_true(n_lines <= 20);
	shown.format = "csv";
	csv = strstr(show(&shown), "##BEG shares\n");
	assert_non_null(csv);
	for (csv = strchr(strchr(csv, '\n') + 1, '\n') + 1; *csv != '#'; csv = strchr(csv, '\n') + 1)
		sum += strtod(strchr(csv, ',') + 1, NULL);
	assert_true(sum > 99.99999 && sum < 100.00001);
	return text;
}

static void test_summary(void **state)
{
	struct ompp_report_options options = { .property_min = 10000000 };
	char *text = summary(&options);

	(void)state;
	has(text, "\nexample: wall time 10.00 s, CPU time 19.00 s, 5 threads\n");
	has(text, "    16.0580 (32.12%) work in parallel regions\n");
	has(text, "      0.300 ( 3.00%) LOOP a.c (12-16): imbalance in parallel loop\n");
	has(text, "\nown cost may be above 10 %: 1 region [costly]; times ~: 2 regions, +- 3.16 ms\n");
	has(text, "; 1 more, see general\n");
	options.property_min = 900000000;
	has(summary(&options), "\nno finding of 90.00 % or more, ");
	options = (struct ompp_report_options){ 0 };
	has(summary(&options), " of run 3 of ");
	assert_null(strstr(show(&(struct ompp_report_options){ .format = "csv" }), "summary"));
	text = show(&(struct ompp_report_options){ .views = "" });
	assert_true(strstr(text, "ompP Summary") < strstr(text, "ompP General Information"));
	text = show(&(struct ompp_report_options){ .views = "flat,all" });
	has(text, "ompP Summary");
	has(text, "ompP Performance Properties");
}

/* With as much to say as there can be, and long names of all kinds, the summary still has 20 lines of 80 columns. */
static void test_summary_of_much(void **state)
{
	static const char name[] = "a_name_of_sixty_characters_\303\274_which_is_more_than_fits_beside";
	struct ompp_report_options options = { 0 };
	struct ompp_region regions[32];
	struct ompp_object objects[16];
	struct ompp_condition conditions[] = { { "Not Measured", "12 constructs of 3 files" } };
	struct ompp_profile_note notes[] = { { name, 3 }, { name, 0 }, { name, 1 } };
	char *text;

	(void)state;
	example_data_profile(&profile, 1);
	assert_true(profile.n_regions <= 32 && profile.n_objects <= 16);
	memcpy(regions, profile.regions, profile.n_regions * sizeof(regions[0]));
	memcpy(objects, profile.objects, profile.n_objects * sizeof(objects[0]));
	for (size_t i = 0; i < profile.n_regions; i++)
		regions[i].file = regions[i].name = name;
	for (size_t i = 0; i < profile.n_objects; i++)
		objects[i].name = name;
	profile.app = name;
	profile.regions = regions;
	profile.objects = objects;
	profile.conditions = conditions;
	profile.n_conditions = 1;
	profile.notes = notes;
	profile.n_notes = 3;
	profile.off_ns = 1000 * MS;
	profile.final = 0;
	profile.n_dump = 12;
	profile.signal = 11;
	profile.mpi_rank = 10;
	profile.mpi_size = 128;
	text = summary(&options);
	has(text, "\n  ended by signal 11, incremental report 12, MPI rank 10/128, ompp_off 1.000 s\n");
	has(text, ") a_name");
	has(text, "\ndata by modelled L3 misses (hooks): a_name_of_…");
	has(text, "\nnot measured: 12 constructs of 3 files, data a_name_of_…");
	has(text, "\nnote: 3 a_name_of_");
	notes[0].n = 0; /* of no loss, it gives way to a finding */
	profile.n_notes = 1;
	text = summary(&options);
	assert_null(strstr(text, "\nnote: "));
}

/* The summary of a program that is serial, or of an empty profile. */
static void test_summary_of_little(void **state)
{
	struct ompp_report_options options = { 0 };
	struct ompp_profile bare = profile;
	char *text;

	(void)state;
	bare.n_nodes = 1;
	bare.n_cells = bare.n_regions = bare.n_rows = bare.n_notes = bare.n_metrics = 0;
	bare.cost_ns = 0;
	profile = bare;
	text = summary(&options);
	has(text, "      20.00 (100.0%) in no region that was measured\n");
	has(text, "\nno OpenMP was seen: was the program built by kinst, and ran it regions?\n");
	assert_null(strstr(text, "saves up to"));
	has(text, "\nexample: wall time 10.00 s, CPU time 19.00 s, 2 threads\n");
	assert_null(strstr(text, "not measured"));
	profile.max_threads = 1;
	has(summary(&options), "1 thread\n");
}

/* More waiting than time, as a damaged profile may say: no share is negative, and they still add up to all. */
static void test_summary_of_loss(void **state)
{
	struct ompp_report_options options = { 0 };
	struct ompp_cell cells[200];
	char *text;

	(void)state;
	assert_true(profile.n_cells <= 200);
	memcpy(cells, profile.cells, profile.n_cells * sizeof(cells[0]));
	for (size_t i = 0; i < profile.n_cells; i++)
		cells[i].exit_bar_ns = cells[i].exit_bar_ns > 0 ? 30000 * MS : cells[i].exit_bar_ns;
	profile.cells = cells;
	text = summary(&options);
	has(text, " ( 0.00%) work in parallel regions\n");
	assert_null(strstr(text, "(-"));
}

/* What to try first is the whole advice where the screen has room, in lines that begin with whole words, or the
 * beginning of it in one line. */
static void test_advice(void **state)
{
	static const char start[] = "to try first: ";
	struct ompp_analysis screen = { .columns = 80, .line_columns = 80, .arena = &arena };
	uint64_t dice = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		char advice[400] = "";
		struct ompp_finding finding = { .advice = advice };
		struct ompp_findings findings = { .list = &finding, .n = 1 };
		size_t n_lines, most, n = 1, first;
		const char *text, *line;

		for (size_t end = 0; end < 20 + (size_t)round % 300;) {
			dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			for (uint64_t letters = (dice >> 33) % 15 + 1; letters > 0; letters--)
				advice[end++] = 'a';
			advice[end++] = dice >> 61 ? 'b' : '.';
			advice[end++] = ' ';
		}
		advice[strlen(advice) - 1] = '\0';
		most = 1 + (dice >> 40) % 4;
		text = line = ompp_remark_advice(&screen, &findings, most);
		assert_non_null(text);
		assert_memory_equal(text, start, sizeof(start) - 1);
		for (n_lines = 1; (n = strcspn(line, "\n")), line[n]; line += n + 1, n_lines++)
			assert_true(n <= (n_lines > 1 ? 76 : 80) && line[n + 1] != ' ');
		assert_true(ompp_text_columns(line) <= 80 && n_lines <= most);
		first = strlen(text) - (sizeof(start) - 1);
		if (strstr(text, "…"))
			assert_int_equal(n_lines, 1);
		else
			assert_true(first == strlen(advice) || advice[first - 1] == '.');
		for (size_t i = 0; i < first && (unsigned char)text[sizeof(start) - 1 + i] < 0x80; i++)
			assert_true(text[sizeof(start) - 1 + i] == advice[i] ||
			            (text[sizeof(start) - 1 + i] == '\n' && advice[i] == ' '));
		if (strlen(advice) + sizeof(start) < (most - 1) * 60 + 80) /* a line loses a word of 16 at the most */
			assert_int_equal(first, strlen(advice));
	}
}

/* Other programs that had the processors are named first, and the advice is about the program where there is any. */
static void test_advice_beside_others(void **state)
{
	struct ompp_analysis screen = { .columns = 80, .line_columns = 80, .arena = &arena };
	struct ompp_finding list[] = { { .name = "ProcessorTakenAway", .advice = "Measure elsewhere." },
		                       { .name = "SerialPart", .advice = "Parallelise it." } };
	struct ompp_findings findings = { .list = list, .n = 2 };

	(void)state;
	assert_string_equal(ompp_remark_advice(&screen, &findings, 1),
	                    "to try first, on a quiet machine: Parallelise it.");
	findings.n = 1;
	assert_string_equal(ompp_remark_advice(&screen, &findings, 1), "to try first: Measure elsewhere.");
	findings = (struct ompp_findings){ .list = list + 1, .n = 1 };
	assert_string_equal(ompp_remark_advice(&screen, &findings, 1), "to try first: Parallelise it.");
}

/* Advice that is cut in one line gets a second one, for which a note of no loss gives way. */
static void test_advice_has_room(void **state)
{
	static const struct ompp_profile_note note = { "of no loss", 0 };
	const char *lines[OMPP_MOST_REMARKS];
	struct ompp_findings findings;
	size_t n, advice;

	(void)state;
	profile.notes = &note;
	profile.n_notes = 1;
	assert_int_equal(ompp_findings(&analysis, &findings), 0);
	analysis.columns = 60;
	n = ompp_remarks(&analysis, &findings, OMPP_MOST_REMARKS + 1, lines, &advice);
	assert_true(n > 1 && advice < n);
	has(lines[advice], "\u2026");
	assert_int_equal(ompp_remarks(&analysis, &findings, n + 1, lines, &advice), n);
	assert_int_equal(ompp_remarks(&analysis, &findings, n, lines, &advice), n - 1);
	for (size_t i = 0; i < n - 1; i++)
		assert_null(strstr(lines[i], "of no loss"));
	analysis.columns = 200; /* all of the advice is in one line */
	assert_int_equal(ompp_remarks(&analysis, &findings, n, lines, &advice), n);
	assert_null(strstr(lines[advice], "\u2026"));
}

/* A place that is long loses what the words say again before any part of a name: the construct, and that it has none.
 */
static void test_long_places(void **state)
{
	struct ompp_region regions[32];
	struct ompp_report_options options = { 0 };
	char *text;

	(void)state;
	assert_true(profile.n_regions <= 32);
	memcpy(regions, profile.regions, profile.n_regions * sizeof(regions[0]));
	for (size_t i = 0; i < profile.n_regions; i++)
		if (regions[i].construct == OMPP_LOOP)
			regions[i].file = "/src/a_name_of_21_bytes_.c";
	profile.regions = regions;
	text = summary(&options);
	has(text, " a_name_of_21_bytes_.c (12-16): imbalance in parallel loop\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_advice, start, stop),
		                            cmocka_unit_test_setup_teardown(test_advice_beside_others, start, stop),
		                            cmocka_unit_test_setup_teardown(test_advice_has_room, start, stop),
		                            cmocka_unit_test_setup_teardown(test_long_places, start, stop),
		                            cmocka_unit_test_setup_teardown(test_summary, start, stop),
		                            cmocka_unit_test_setup_teardown(test_summary_of_much, start, stop),
		                            cmocka_unit_test_setup_teardown(test_summary_of_little, start, stop),
		                            cmocka_unit_test_setup_teardown(test_summary_of_loss, start, stop) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
