/*
 * Report: see report.h.
 */
#include "reports/report.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/init.h"
#include "reports/tables/view.h"
#include "reports/writers/writer.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/terms/option.h"

/* A sheet that prints what is put on it. */
struct printer {
	struct ompp_sheet sheet; /* first, so that the sheet's address is the printer's */
	const struct ompp_writer *writer;
	struct ompp_out out;
};

static int report_print(struct ompp_sheet *sheet)
{
	struct printer *printer = (struct printer *)sheet;

	if (sheet->table.rc)
		return sheet->table.rc;
	printer->writer->table(&printer->out, &sheet->table);
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "", "");
	return printer->out.rc;
}

/* Returns the writer of a format; NULL for an unknown one. */
static const struct ompp_writer *find_writer(const char *name)
{
	int number = name && name[0] ? ompp_format_number(name, strlen(name)) : 0;

	return number < 0 ? NULL : ompp_format((size_t)number)->writer;
}

static int report_has(const char *list, const char *name)
{
	while (*list) {
		size_t n;

		list += strspn(list, ", ");
		n = strcspn(list, ", ");
		if (n && ompp_text_same(list, n, name, strlen(name)))
			return 1;
		list += n;
	}
	return 0;
}

int ompp_report_put(const struct ompp_analysis *analysis, const struct ompp_report_options *options, int fd)
{
	struct printer printer = { .sheet = { .put = report_print }, .writer = find_writer(options->format) };
	const char *views = options->views ? options->views : "";
	int rc, all = 1;

	if (!printer.writer)
		return -EINVAL;
	printer.sheet.prints = printer.writer->prints;
	rc = ompp_out_init(&printer.out, fd, analysis->arena);
	printer.out.has_color = options->has_color;
	printer.out.has_blocks = options->has_blocks;
	printer.out.bar_columns = options->bar_columns;
	printer.out.columns = options->text_columns + options->bar_columns + (options->bar_columns != 0);
	ompp_table_init(&printer.sheet.table, analysis->arena);
	for (size_t i = 0; ompp_view(i); i++)
		all = all && !report_has(views, ompp_view_name(i));
	all = all || report_has(views, "all");
	for (size_t i = 0; ompp_view(i) && !rc; i++) {
		const struct ompp_view *view = ompp_view(i);
		int asked = report_has(views, ompp_view_name(i));
		const char *remark;

		if (!all && !asked)
			continue;
		if (!asked && (view->is_detail || ompp_view_is_empty(view, analysis) ||
		               (view->is_for_people && printer.sheet.prints != OMPP_IN_TEXT)))
			continue;
		remark = view->has_times ? ompp_profile_times_remark(analysis->profile) : "";
		printer.writer->begin(&printer.out, view->title, view->tag, remark);
		rc = view->build(analysis, &printer.sheet);
		printer.writer->end(&printer.out, view->title, view->tag);
	}
	return rc ? rc : ompp_out_flush(&printer.out);
}

int ompp_report_show(const struct ompp_profile *profile, const struct ompp_report_options *options, int fd,
                     struct ompp_arena *scratch)
{
	struct ompp_analysis analysis;
	int rc = find_writer(options->format) ? ompp_analysis_init(&analysis, profile, options, scratch) : -EINVAL;

	return rc ? rc : ompp_report_put(&analysis, options, fd);
}

int ompp_report_write(const struct ompp_profile *profile, const char *views, const char *format, int fd,
                      struct ompp_arena *scratch)
{
	struct ompp_report_options options = { .views = views, .format = format };

	return ompp_report_show(profile, &options, fd, scratch);
}

int ompp_report_table(const char *format, const struct ompp_table *table, int fd, struct ompp_arena *scratch)
{
	const struct ompp_writer *writer = find_writer(format);
	struct ompp_out out;
	int rc = writer ? table->rc : -EINVAL;

	if (!rc)
		rc = ompp_out_init(&out, fd, scratch);
	if (rc)
		return rc;
	writer->table(&out, table);
	return ompp_out_flush(&out);
}

int ompp_report_has_format(const char *format)
{
	return find_writer(format) != NULL;
}

int ompp_report_is_text(const char *format)
{
	const struct ompp_writer *writer = find_writer(format);

	return writer && writer->prints == OMPP_IN_TEXT;
}

const char *ompp_report_suffix(size_t format)
{
	return ompp_format(format) ? ompp_format(format)->suffix : NULL;
}

/* Is this the last format of its suffix among those asked for? */
static int is_last_of_suffix(unsigned int asked, size_t format)
{
	for (size_t i = format + 1; ompp_format(i); i++)
		if (asked >> i & 1 && !strcmp(ompp_format(i)->suffix, ompp_format(format)->suffix))
			return 0;
	return 1;
}

unsigned int ompp_report_formats(const char *list)
{
	unsigned int asked = 0, written = 0;
	const char *name;
	size_t n;

	while ((n = ompp_list_next(&list, &name)))
		if (ompp_format_number(name, n) >= 0)
			asked |= 1u << ompp_format_number(name, n);
	for (size_t i = 0; ompp_format(i); i++)
		if (asked >> i & 1 && is_last_of_suffix(asked, i))
			written |= 1u << i;
	return written;
}

const char *ompp_report_view(size_t i)
{
	size_t n = 0;

	while (ompp_view(n))
		n++;
	return i < n ? ompp_view_name(i) : i == n ? "all" : NULL;
}

int ompp_report_has_view(const struct ompp_analysis *analysis, size_t i)
{
	return ompp_view(i) && !ompp_view_is_empty(ompp_view(i), analysis);
}

const char *ompp_report_format(size_t i)
{
	return ompp_format(i) ? ompp_format(i)->name : NULL;
}

const char *ompp_report_sort(size_t i)
{
	static const char *const sorts[] = { "id", "time", "count", "name" };

	return i < OMPP_COUNT_OF(sorts) ? sorts[i] : NULL;
}

const char *ompp_report_columns(size_t i)
{
	static const char *const columns[] = { "main", "all" };

	return i < OMPP_COUNT_OF(columns) ? columns[i] : NULL;
}
