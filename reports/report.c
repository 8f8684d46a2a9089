/*
 * Report: see report.h.
 */
#include "reports/report.h"

#include <errno.h>
#include <string.h>

#include "reports/views/view.h"
#include "reports/writers/writer.h"
#include "runtime/base/text.h"

/* A sheet that prints what is put on it. */
struct printer {
	struct ompp_sheet         sheet;        /* first, so that the sheet's address is the printer's */
	const struct ompp_writer *writer;
	struct ompp_out           out;
};

static int print(struct ompp_sheet *sheet)
{
	struct printer *printer = (struct printer *)sheet;

	if (sheet->table.rc)
		return sheet->table.rc;
	printer->writer->table(&printer->out, &sheet->table);
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "", "");
	return printer->out.rc;
}

static int is_word(const char *a, const char *b)
{
	return ompp_text_same(a, strlen(a), b, strlen(b));
}

static const struct ompp_writer *find_writer(const char *format)
{
	if (!format || !format[0])
		return ompp_writers[0];
	for (size_t i = 0; ompp_writers[i]; i++)
		if (is_word(format, ompp_writers[i]->name) || is_word(format, ompp_writers[i]->alias))
			return ompp_writers[i];
	return NULL;
}

static int has(const char *list, const char *name)
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

int ompp_report_show(const struct ompp_profile *profile, const struct ompp_report_options *options, int fd,
                     struct ompp_arena *scratch)
{
	struct printer printer = { .sheet = { .put = print }, .writer = find_writer(options->format) };
	struct ompp_analysis analysis;
	const char *views = options->views ? options->views : "";
	int rc, all = 1;

	if (!printer.writer)
		return -EINVAL;
	printer.sheet.prints = printer.writer->prints;
	rc = ompp_analysis_init(&analysis, profile, options, scratch);
	if (!rc)
		rc = ompp_out_init(&printer.out, fd, scratch);
	ompp_table_init(&printer.sheet.table, scratch);
	for (size_t i = 0; ompp_views[i]; i++)
		all = all && !has(views, ompp_views[i]->name);
	all = all || has(views, "all");
	for (size_t i = 0; ompp_views[i] && !rc; i++) {
		const struct ompp_view *view = ompp_views[i];
		int asked = has(views, view->name);
		const char *remark;

		if (!all && !asked)
			continue;
		if (!asked && ((view->is_empty && view->is_empty(&analysis)) ||
		               (view->is_for_people && printer.sheet.prints != OMPP_IN_TEXT)))
			continue;
		remark = view->has_times && profile->hooked ? "times include the cost of access hooks" : "";
		printer.writer->begin(&printer.out, view->title, view->tag, remark);
		rc = view->build(&analysis, &printer.sheet);
		printer.writer->end(&printer.out, view->title, view->tag);
	}
	return rc ? rc : ompp_out_flush(&printer.out);
}

int ompp_report_write(const struct ompp_profile *profile, const char *views, const char *format, int fd,
                      struct ompp_arena *scratch)
{
	struct ompp_report_options options = { .views = views, .format = format };

	return ompp_report_show(profile, &options, fd, scratch);
}

const char *ompp_report_suffix(const char *format)
{
	const struct ompp_writer *writer = find_writer(format);

	return writer ? writer->suffix : NULL;
}

const char *ompp_report_view(size_t i)
{
	size_t n = 0;

	while (ompp_views[n])
		n++;
	return i < n ? ompp_views[i]->name : i == n ? "all" : NULL;
}

const char *ompp_report_format(size_t i)
{
	for (size_t k = 0; ompp_writers[k]; k++)
		if (k == i)
			return ompp_writers[k]->name;
	return NULL;
}

const char *ompp_report_sort(size_t i)
{
	static const char *const sorts[] = { "id", "time", "count", "name" };

	return i < sizeof(sorts) / sizeof(sorts[0]) ? sorts[i] : NULL;
}

const char *ompp_report_columns(size_t i)
{
	static const char *const columns[] = { "main", "all" };

	return i < sizeof(columns) / sizeof(columns[0]) ? columns[i] : NULL;
}
