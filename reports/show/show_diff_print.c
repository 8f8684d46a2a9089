/*
 * Diff print: what changed, as tables.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/command/listing.h"
#include "reports/report.h"
#include "reports/show/show_diff.h"
#include "reports/tables/table.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

/* ---- tables ---- */

/* Puts a number: in text a mean with its significant digits, a count with all digits. */
static void put_number(struct ompp_table *table, double number, int is_time)
{
	int32_t exponent = 0;

	if (isnan(number) || isinf(number)) {
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	} else if (is_time) {
		ompp_table_number(table, OMPP_KIND_TIME, llround(number));
	} else if (fabs(number) < 1e15 && fabs(number - rint(number)) < 1e-9 * (1 + fabs(number))) {
		ompp_table_number(table, OMPP_KIND_METRIC, llround(number));
	} else {
		while (fabs(number) < 1e15 && exponent > -30) {
			number *= 10;
			exponent--;
		}
		while (fabs(number) >= 1e17) {
			number /= 10;
			exponent++;
		}
		ompp_table_decimal(table, (struct ompp_decimal){ llround(number), exponent });
	}
}

/* Puts the mean of a side; for an instance that does not stand out there, "<= 120 000" in text and nothing in records.
 */
static void put_mean(const struct ompp_diff_look *look, const struct ompp_sample *s, double at_most, int is_time,
                     struct ompp_table *table)
{
	enum { BYTES = 32 };
	char *buffer = isnan(at_most) || !ompp_report_is_text(look->format) ? NULL
	                                                                    : ompp_arena_alloc(look->arena, BYTES);
	struct ompp_text t;

	if (!buffer) {
		put_number(table, s->mean, is_time);
		return;
	}
	ompp_text_init(&t, buffer, BYTES);
	ompp_text_str(&t, "<= ");
	ompp_text_grouped(&t, llround(at_most));
	ompp_table_text(table, buffer);
}

/* Returns the base of relative changes: A, or its upper bound. */
static double whole_of(const struct ompp_diff_row *row)
{
	return fabs(isnan(row->at_most_a) ? row->a.mean : row->at_most_a);
}

static void put_share(struct ompp_table *table, double share)
{
	if (isnan(share) || isinf(share) || fabs(share) > 1e9)
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	else
		ompp_table_number(table, OMPP_KIND_SHARE, llround(share * 1e9));
}

/* Returns B's name, with A's line if it is different: "LOOP a.c (33-37), was 29". */
static const char *name_of(const struct ompp_diff_subject *s, struct ompp_arena *arena)
{
	const struct ompp_region *a = s->region_a, *b = s->region_b;
	size_t n = strlen(s->name_b) + 64;
	char *buffer;
	struct ompp_text t;

	if (!a || !b || (a->begin_line == b->begin_line && a->end_line == b->end_line))
		return s->name_b;
	buffer = ompp_arena_alloc(arena, n);
	if (!buffer)
		return s->name_b;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, s->name_b);
	ompp_text_str(&t, ", was ");
	ompp_text_u64(&t, a->begin_line);
	return buffer;
}

static void put_row(const struct ompp_diff_look *look, const struct ompp_diff_row *row, struct ompp_table *table)
{
	int is_estimated = row->is_time && row->certainty == OMPP_SAMPLED;

	put_mean(look, &row->a, row->at_most_a, row->is_time, table);
	put_mean(look, &row->b, row->at_most_b, row->is_time, table);
	put_number(table, row->difference.change, row->is_time);
	put_share(table, ompp_diff_relative(row));
	put_share(table, row->difference.low / whole_of(row));
	put_share(table, row->difference.high / whole_of(row));
	put_number(table, row->difference.low, row->is_time);
	put_number(table, row->difference.high, row->is_time);
	if (isnan(row->adjusted_p))
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	else
		ompp_table_number(table, OMPP_KIND_SHARE, llround(row->adjusted_p * 1e9));
	ompp_table_text(table, ompp_diff_verdict_name(row->verdict));
	ompp_table_text(table, is_estimated && ompp_report_is_text(look->format)
	                               ? ompp_table_title(row->measure, "~", look->arena)
	                               : row->measure);
	ompp_table_text(table, name_of(row->subject, look->arena));
	ompp_table_text(table, ompp_diff_group_name(row->group));
	ompp_table_text(table, row->subject->name_a);
	ompp_table_text(table, row->subject->name_b);
	ompp_table_text(table, row->unit);
	ompp_table_text(table, ompp_diff_certainty_name(row));
	ompp_table_number(table, OMPP_KIND_COUNT, (int64_t)row->a.n);
	ompp_table_number(table, OMPP_KIND_COUNT, (int64_t)row->b.n);
	put_number(table, row->a.n > 1 ? sqrt(row->a.variance) : NAN, row->is_time);
	put_number(table, row->b.n > 1 ? sqrt(row->b.variance) : NAN, row->is_time);
	if (row->group != OMPP_DIFF_INSTANCES)
		return;
	put_number(table, row->at_most_a, 0);
	put_number(table, row->at_most_b, 0);
}

static void put_columns(struct ompp_table *table, enum ompp_diff_group group)
{
	static const char *const records[] = { "group",  "name in A", "name in B", "unit", "certainty",
		                               "runs A", "runs B",    "sd A",      "sd B" };
	static const struct {
		const char *title;
		enum ompp_where where;
	} numbers[] = { { "A", OMPP_IN_BOTH },       { "B", OMPP_IN_BOTH },      { "change", OMPP_IN_BOTH },
		        { "%", OMPP_IN_BOTH },       { "from %", OMPP_IN_BOTH }, { "to %", OMPP_IN_BOTH },
		        { "from", OMPP_IN_RECORDS }, { "to", OMPP_IN_RECORDS },  { "p %", OMPP_IN_RECORDS } };

	for (size_t i = 0; i < OMPP_COUNT_OF(numbers); i++)
		ompp_table_column(table, numbers[i].title,
		                  group > OMPP_DIFF_CLASSES && !strcmp(numbers[i].title, "change") ? OMPP_IN_RECORDS
		                                                                                   : numbers[i].where);
	ompp_table_left_columns(table, OMPP_IN_BOTH, "sure", "measure");
	ompp_table_left_column(table,
	                       group == OMPP_DIFF_DATA        ? "object"
	                       : group == OMPP_DIFF_INSTANCES ? "instance"
	                                                      : "region",
	                       OMPP_IN_BOTH);
	for (size_t i = 0; i < OMPP_COUNT_OF(records); i++)
		ompp_table_column(table, records[i], OMPP_IN_RECORDS);
	for (int side = 0; side < 2 && group == OMPP_DIFF_INSTANCES; side++)
		ompp_table_column(table, side ? "B at most" : "A at most", OMPP_IN_RECORDS);
}

/* Is the row left out in text, as it shows nothing of interest? */
static int is_dull(const struct ompp_diff_row *row)
{
	return row->verdict == OMPP_DIFF_SAME || row->verdict == OMPP_DIFF_SMALL ||
	       (isnan(row->difference.change) ? row->verdict != OMPP_DIFF_EXACT : row->difference.change == 0);
}

static const char *heading_of(enum ompp_diff_group group)
{
	static const char *const headings[] = {
		"The program, seconds",
		"Regions, seconds of all threads",
		"Classes of overhead of parallel regions, seconds of all threads",
		"Counts, by region",
		"Counters, by region",
		"Data objects: accesses, misses, samples",
		"Instances: blocks of an object by their numbers; <=: in no run of that side does it stand out",
	};

	return headings[group];
}

static int print_group(const struct ompp_diff_look *look, enum ompp_diff_group group, int is_text)
{
	const struct ompp_diff *diff = look->diff;
	struct ompp_table table;
	size_t n = 0, n_more = 0;

	ompp_table_init(&table, look->arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, ompp_diff_group_name(group), heading_of(group));
	put_columns(&table, group);
	for (size_t i = 0; i < diff->n_rows; i++) {
		const struct ompp_diff_row *row = &diff->rows[i];

		if (row->group != group || (is_text && is_dull(row)))
			continue;
		if (is_text && look->top && n == look->top) {
			n_more++;
			continue;
		}
		put_row(look, row, &table);
		n++;
	}
	if (!n && is_text)
		return 0;
	if (ompp_print_table(look->format, &table))
		return OMPP_EXIT_FAILED;
	if (n_more)
		printf("%zu more with smaller changes; --top=0 shows all\n\n", n_more);
	return 0;
}

/* Prints the regions that only one side has. */
static int print_lonely(const struct ompp_diff_look *look, const struct ompp_diff_subject **list, size_t n, int is_a)
{
	struct ompp_table table;

	ompp_table_init(&table, look->arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, is_a ? "only in A" : "only in B",
	                 is_a ? "Regions that A alone has, seconds of all threads"
	                      : "Regions that B alone has, seconds of all threads");
	ompp_table_column(&table, "execT", OMPP_IN_BOTH);
	ompp_table_left_column(&table, "region", OMPP_IN_BOTH);
	for (size_t i = 0; i < n; i++) {
		ompp_table_number(&table, OMPP_KIND_TIME, is_a ? list[i]->ns_a : list[i]->ns_b);
		ompp_table_text(&table, is_a ? list[i]->name_a : list[i]->name_b);
	}
	return n ? ompp_print_table(look->format, &table) : 0;
}

/* Says which objects' instances are not compared, and why. */
static int print_unmatched(const struct ompp_diff_look *look, int is_text)
{
	const struct ompp_diff *diff = look->diff;
	struct ompp_table table;

	for (size_t i = 0; i < diff->n_unmatched && is_text; i++)
		printf("Instances of %s cannot be matched: %s.\n%s", ompp_shown(diff->unmatched[i].name),
		       diff->unmatched[i].why, i + 1 == diff->n_unmatched ? "\n" : "");
	if (is_text || !diff->n_unmatched)
		return 0;
	ompp_table_init(&table, look->arena);
	ompp_table_start(&table, OMPP_STYLE_GRID, "unmatched", "Objects whose instances cannot be matched");
	ompp_table_left_columns(&table, OMPP_IN_BOTH, "object", "why");
	for (size_t i = 0; i < diff->n_unmatched; i++) {
		ompp_table_text(&table, diff->unmatched[i].name);
		ompp_table_text(&table, diff->unmatched[i].why);
	}
	return ompp_print_table(look->format, &table);
}

static void print_side(const struct ompp_diff_look *look, const char *side, size_t from, size_t n)
{
	const struct ompp_profile *p = &look->profiles[from];

	printf("%s: %s, %zu run%s with %u threads:", side, ompp_shown(p->app), n, n > 1 ? "s" : "", p->max_threads);
	for (size_t i = 0; i < n && i < 3; i++)
		printf(" %s", ompp_shown(look->paths[from + i]));
	puts(n > 3 ? " …" : "");
}

static void print_head(const struct ompp_diff_look *look)
{
	const struct ompp_diff *diff = look->diff;

	print_side(look, "A", 0, diff->n_a);
	print_side(look, "B", diff->n_a, diff->n_b);
	puts("change: B - A, of the means of the runs");
	if (diff->n_a > 1 && diff->n_b > 1)
		printf("from, to: the %g %% confidence interval of the change by Welch's t-test, in per cent of A\n"
		       "sure: yes or no at the level %g, corrected by Holm's method for all tests of all tables; "
		       "exact: a\n"
		       "      count that is the same in each run of a side\n",
		       100 * (1 - diff->level), diff->level);
	else
		puts("sure: exact for what was counted; of times one run of a side cannot tell; give several");
	for (size_t i = 0; i < diff->n_notes; i++)
		printf("%s.\n", diff->notes[i]);
	puts("");
}

static int has_changed(const struct ompp_diff *diff)
{
	for (size_t i = 0; i < diff->n_rows; i++)
		if (!is_dull(&diff->rows[i]))
			return 1;
	return diff->n_only_a || diff->n_only_b;
}

/* Returns the wall time of the program; NULL when it is not known on both sides. */
static const struct ompp_diff_row *wall_time(const struct ompp_diff *diff)
{
	for (size_t i = 0; i < diff->n_rows; i++) {
		const struct ompp_diff_row *row = &diff->rows[i];

		if (row->group == OMPP_DIFF_PROGRAM && !strcmp(row->measure, "wall time") && row->a.n && row->b.n)
			return row;
	}
	return NULL;
}

/* Says how many times as fast B is, by the wall time, with the error that the runs give. */
static void print_verdict(const struct ompp_diff *diff)
{
	const struct ompp_diff_row *row = wall_time(diff);
	struct ompp_ratio r = row ? ompp_welch_ratio(&row->a, &row->b, diff->level) : (struct ompp_ratio){ NAN, NAN };
	int digits = 2;

	if (isnan(r.ratio))
		return;
	if (isnan(r.error) || (row->a.n < 2 && row->b.n < 2)) {
		printf("B is %.2f times as fast as A by the wall time; one run each has no error: give several\n",
		       r.ratio);
		return;
	}
	while (r.error > 0 && digits < 5 &&
	       r.error < 1.95 * pow(10, -digits)) /* a digit of the error, two from 10 to 19 */
		digits++;
	printf("B is %.*f +- %.*f times as fast as A by the wall time (%g %% confidence)%s\n", digits, r.ratio, digits,
	       r.error, 100 * (1 - diff->level), fabs(r.ratio - 1) <= r.error ? ": no difference beyond chance" : "");
}

int ompp_diff_print(const struct ompp_diff_look *look)
{
	const struct ompp_diff *diff = look->diff;
	int is_text = ompp_report_is_text(look->format), status = 0;

	if (is_text)
		print_head(look);
	for (int group = 0; group < OMPP_DIFF_N_GROUPS && !status; group++)
		status = print_group(look, (enum ompp_diff_group)group, is_text);
	if (!status)
		status = print_unmatched(look, is_text);
	if (!status)
		status = print_lonely(look, diff->only_a, diff->n_only_a, 1);
	if (!status)
		status = print_lonely(look, diff->only_b, diff->n_only_b, 0);
	if (!status && is_text && !has_changed(diff))
		puts("Nothing differs.");
	if (!status && is_text)
		print_verdict(diff);
	return status;
}
