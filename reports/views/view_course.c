/*
 * Course of the run: how many threads worked, waited, managed tasks and teams, were in MPI, or in no team, when.
 *
 * Text has a picture, whose columns are parts of the run, and ten parts as a table; records have all slices.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/course_stretch.h"
#include "reports/analysis/label.h"
#include "reports/findings/course_few.h"
#include "reports/findings/finding_say.h"
#include "reports/tables/data_section.h"
#include "runtime/base/text.h"

enum { COLUMNS = 64, MOST_LINES = 8, PARTS = 10 };

/* ---- the picture ---- */

/* Returns what a column shows at a height, in thousandths of a thread: what fills it from below, in this order. */
static char picture_char(const struct ompp_course_stretch *part, int64_t milli)
{
	int64_t work = ompp_course_milli(part, part->work_ns), manage = ompp_course_milli(part, part->manage_ns);
	int64_t wait = ompp_course_milli(part, part->wait_ns), mpi = ompp_course_milli(part, part->mpi_ns);

	if (milli < work)
		return '#';
	if (milli < work + manage)
		return '+';
	if (milli < work + manage + wait)
		return '.';
	return milli < work + manage + wait + mpi ? 'm' : ' ';
}

/* Returns the line of the picture whose middle is at a height. */
static const char *picture_line(const struct ompp_course_stretch *parts, int64_t milli, struct ompp_arena *arena)
{
	char line[COLUMNS + 1];
	size_t n = 0;

	for (size_t i = 0; i < COLUMNS; i++) {
		line[i] = picture_char(&parts[i], milli);
		n = line[i] == ' ' ? n : i + 1;
	}
	line[n] = '\0';
	return ompp_arena_strdup(arena, line);
}

/* Returns the most threads that a part has. */
static int64_t most_threads(const struct ompp_course_stretch *parts)
{
	int64_t most = 1;

	for (size_t i = 0; i < COLUMNS; i++) {
		const struct ompp_course_stretch *s = &parts[i];
		int64_t milli = ompp_course_milli(s, s->work_ns) + ompp_course_milli(s, s->wait_ns) +
		                ompp_course_milli(s, s->manage_ns) + ompp_course_milli(s, s->mpi_ns) +
		                ompp_course_milli(s, s->idle_ns);

		most = (milli + 500) / 1000 > most ? (milli + 500) / 1000 : most;
	}
	return most;
}

/* Returns "0 s", blanks, and the end of the run, which ends above the picture's last column. */
static const char *picture_scale(int64_t all_ns, struct ompp_arena *arena)
{
	char end[32], line[COLUMNS + sizeof(end)];
	struct ompp_text t;

	ompp_text_init(&t, end, sizeof(end));
	ompp_say_time(&t, all_ns);
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "0 s");
	while (t.n_bytes + strlen(end) < COLUMNS)
		ompp_text_char(&t, ' ');
	ompp_text_str(&t, end);
	return ompp_arena_strdup(arena, line);
}

static int put_picture(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_course_stretch parts[COLUMNS];
	struct ompp_table *table = &sheet->table;
	const char *scale = picture_scale(ompp_course_ns(a->profile), a->arena);
	int64_t most, n_lines;

	if (!scale || ompp_course_divide(a->profile, a->arena, parts, COLUMNS))
		return -ENOMEM;
	most = most_threads(parts);
	n_lines = most < MOST_LINES ? most : MOST_LINES;
	ompp_table_start(table, OMPP_STYLE_GRID, "",
	                 ompp_course_has_mpi(a->profile)
	                         ? "Threads over the run: # at work, + managing, . waiting, m in MPI, blank: in no team"
	                         : "Threads over the run: # at work, + managing, . waiting, blank: in no team");
	ompp_table_column(table, "threads", OMPP_IN_TEXT);
	ompp_table_left_column(table, scale, OMPP_IN_TEXT);
	for (int64_t i = n_lines; i > 0; i--) {
		ompp_table_number(table, OMPP_KIND_COUNT, (most * i + n_lines - 1) / n_lines);
		ompp_table_text(table, picture_line(parts, (most * 2000 * i - most * 1000) / (2 * n_lines), a->arena));
	}
	return sheet->put(sheet);
}

/* ---- the parts ---- */

static void put_milli(struct ompp_table *table, int64_t milli)
{
	ompp_table_rounded(table, milli, 100); /* two digits */
}

static void put_stretch(const struct ompp_analysis *a, const struct ompp_course_stretch *s, struct ompp_table *table)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_region *region = s->region == OMPP_NONE ? NULL : &p->regions[s->region];

	ompp_table_number(table, OMPP_KIND_TIME, s->begin_ns);
	ompp_table_number(table, OMPP_KIND_TIME, s->end_ns);
	put_milli(table, ompp_course_milli(s, s->work_ns));
	put_milli(table, ompp_course_milli(s, s->manage_ns));
	put_milli(table, ompp_course_milli(s, s->wait_ns));
	if (ompp_course_has_mpi(p))
		put_milli(table, ompp_course_milli(s, s->mpi_ns));
	put_milli(table, ompp_course_milli(s, s->idle_ns));
	ompp_table_text(table, region ? ompp_region_title(a, region, region->construct) : "");
}

static int put_parts(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	size_t n = sheet->prints == OMPP_IN_TEXT ? PARTS : (size_t)((ompp_course_ns(p) - 1) / p->course_slice_ns) + 1;
	struct ompp_course_stretch *parts = ompp_arena_alloc(a->arena, n * sizeof(*parts));
	struct ompp_table *table = &sheet->table;
	int rc = parts ? ompp_course_divide(p, a->arena, parts, n) : -ENOMEM;

	if (rc)
		return rc;
	ompp_table_start(table, OMPP_STYLE_GRID, "course", "Threads in the mean of each tenth of the run:");
	ompp_table_columns(table, OMPP_IN_BOTH, "from", "to", "at work", "managing", "waiting");
	if (ompp_course_has_mpi(p))
		ompp_table_column(table, "in MPI", OMPP_IN_BOTH);
	ompp_table_column(table, "in no team", OMPP_IN_BOTH);
	ompp_table_left_column(table, "mostly in", OMPP_IN_BOTH);
	for (size_t i = 0; i < n; i++)
		put_stretch(a, &parts[i], table);
	return sheet->put(sheet);
}

/* ---- the section ---- */

static int course_is_empty(const struct ompp_analysis *a)
{
	return !ompp_course_ns(a->profile);
}

static int put_few(const char *few, struct ompp_sheet *sheet)
{
	ompp_table_start(&sheet->table, OMPP_STYLE_LINES, "few threads", "");
	ompp_table_left_column(&sheet->table, "remark", OMPP_IN_BOTH);
	ompp_table_text(&sheet->table, few);
	return sheet->put(sheet);
}

static int put_lost(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_text t;

	if (!a->profile->n_course_lost)
		return 0;
	ompp_say_start(&t, a->arena);
	ompp_say_count(&t, a->profile->n_course_lost, "thread");
	ompp_text_str(&t, " of the run could not be read, as they ran on, and are missing here.");
	return ompp_data_remark(t.data, sheet);
}

static int course_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const char *few;
	int rc;

	if (course_is_empty(a))
		return ompp_data_remark("No course of the run was kept (OMPP_COURSE).", sheet);
	rc = ompp_course_say_few(a, 1, &few);
	if (!rc && sheet->prints == OMPP_IN_TEXT)
		rc = put_picture(a, sheet);
	rc = rc ? rc : put_parts(a, sheet);
	if (!rc && few)
		rc = put_few(few, sheet);
	return rc ? rc : put_lost(a, sheet);
}

const struct ompp_view ompp_view_course = { .title = "Course of the Run",
	                                    .tag = "course of the run",
	                                    .build = course_build,
	                                    .is_empty = course_is_empty,
	                                    .has_times = 1,
	                                    .is_detail = 1 };
