/*
 * Record: ompp record, which writes what the machine does into a file; and ompp export, which makes other files of such
 * a file.
 */
#include <stdio.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/command/command_line.h"
#include "reports/watch/recorder.h"
#include "reports/watch/recording.h"
#include "reports/watch/sheet_all.h"
#include "reports/watch/sheet_share.h"
#include "reports/watch/watcher.h"
#include "reports/watch/watcher_options.h"
#include "runtime/base/array.h"

/* All events that are cheap to read; NUMA nodes separately, as their sum says little. */
static const char usual[] =
	"vmstat,node@*,stat,pressure,interrupts,softirqs,schedstat,diskstats,net,process,task,value,region@*,cgroup,"
	"cpufreq,hwmon,rapl,resctrl";

struct record {
	const char *path, *form;
	struct ompp_recorder *recorder;
	int failed;
};

static const char *form_name(size_t i)
{
	static const char *const names[] = { "jsonl", "numascope", "csv", "html" };

	return i < OMPP_COUNT_OF(names) ? names[i] : NULL;
}

static int form_of(const char *name, enum ompp_recorder_form *form)
{
	for (size_t i = 0; form_name(i); i++)
		if (!strcmp(form_name(i), name)) {
			*form = (enum ompp_recorder_form)i;
			return 0;
		}
	return -1;
}

static int take_form(void *to, const char *option, const char *value)
{
	enum ompp_recorder_form form;

	*(const char **)to = value;
	if (!form_of(value, &form))
		return 0;
	if (!value[0] || ompp_words_known(option, value, form_name))
		ompp_complain(option, "'%s' is not a single form; write one, such as jsonl", value);
	return -1;
}

static int take_html(void *to, const char *option, const char *value)
{
	(void)option;
	(void)value;
	*(const char **)to = form_name(OMPP_RECORDER_HTML);
	return 0;
}

struct request {
	struct ompp_watcher watcher;
	struct record record;
};

#define OUTPUT_ROW(its_help) \
	{ \
		.name = "output", .letter = 'o', .value = "FILE", .help = (its_help), \
		.offset = OMPP_MEMBER_AT(struct request, record.path, const char *) \
	}
#define FORM_ROW(its_help) \
	OMPP_TAKE_WORDS_ROW("form", "FORM", take_form, form_name, \
	                    OMPP_MEMBER_AT(struct request, record.form, const char *), its_help)
#define HTML_ROW \
	OMPP_TAKE_ROW("html", NULL, take_html, OMPP_MEMBER_AT(struct request, record.form, const char *), \
	              "write a web page in one file that shows the recording")

/* ---- record ---- */

static int open_file(struct ompp_watcher *w, struct ompp_sink *sink)
{
	struct record *r = w->context;
	const char *slash = w->program ? strrchr(w->program[0], '/') : NULL;
	const char *name = !w->program ? "machine" : slash ? slash + 1 : w->program[0];
	enum ompp_recorder_form form = OMPP_RECORDER_JSON;

	if (r->form)
		form_of(r->form, &form);
	if (r->path && !strcmp(r->path, "-") && w->program) {
		ompp_complain("-o", "standard output is the program's; give a file");
		return OMPP_EXIT_USAGE;
	}
	r->recorder = ompp_recorder_open(form, r->path, name, w->program, w->interval_ns, w->start_unix_ns);
	if (!r->recorder)
		return OMPP_EXIT_FAILED;
	*sink = ompp_recorder_sink(r->recorder);
	return 0;
}

static void close_file(void *context)
{
	struct record *r = context;
	uint64_t n_samples, n_missed;

	if (!r->recorder)
		return;
	n_samples = ompp_recorder_samples(r->recorder, &n_missed);
	ompp_recording_tell_missed(ompp_recorder_path(r->recorder), n_samples, n_missed);
	if (!r->path && r->form && !strcmp(r->form, "html"))
		ompp_complain(ompp_recorder_path(r->recorder), "the recording; open it in a browser");
	else if (!r->path)
		ompp_complain(ompp_recorder_path(r->recorder), "the recording; 'ompp stat %s' shows it",
		              ompp_recorder_path(r->recorder));
	r->failed = ompp_recorder_close(r->recorder) != 0;
}

static const struct ompp_command_option record_options[] = {
	OUTPUT_ROW("the file; a recording that is there gets another one at its end"),
	FORM_ROW("jsonl, numascope (NUMAscope's array), or html"),
	HTML_ROW,
};

static int record_main(int argc, char **argv)
{
	struct request request = { .watcher = { .command = "record",
		                                .interval_ns = INT64_C(100000000),
		                                .open = open_file,
		                                .close = close_file,
		                                .context = &request.record } };
	struct record *r = &request.record;
	int status = ompp_watcher_parse(&request.watcher, &ompp_record_command, &request, argc, argv, NULL);

	if (status)
		return status - 1;
	if (r->form && !strcmp(r->form, "csv")) {
		ompp_complain("--form", "CSV has one heading, and columns may come and go; 'ompp export' makes it of a "
		                        "recording");
		return OMPP_EXIT_USAGE;
	}
	status = ompp_watcher_run(&request.watcher, usual);
	return !status && r->failed ? OMPP_EXIT_FAILED : status;
}

const struct ompp_command ompp_record_command = {
	.name = "record",
	.usage = "[OPTIONS] [-- PROGRAM [ARGS]]",
	.brief = "record what the machine does in a file, for 'ompp stat FILE'",
	.about = "Writes what the machine does into a file, ten times per second, until it is interrupted or the\n"
		 "PROGRAM ends; it exits with the program's status.  'ompp stat FILE' prints the file, and 'ompp\n"
		 "export' converts it to CSV.\n",
	.tables = { { ompp_watcher_options, OMPP_WATCHER_OPTIONS, offsetof(struct request, watcher) },
	            { record_options, OMPP_COUNT_OF(record_options), 0 } },
	.run = record_main,
};

/* ---- export ---- */

/* What is known of a file before it is exported. */
struct survey {
	struct ompp_sheet_all all; /* its columns */
	int64_t interval_ns, start_unix_ns;
	int n_starts;
};

/* Notes when the first recording of the file began. */
static int note_start(void *context, const struct ompp_recording_info *info)
{
	struct survey *s = context;

	if (!s->n_starts++) {
		s->interval_ns = info->interval_ns;
		s->start_unix_ns = info->start_unix_ns;
	}
	return 0;
}

/* Adds the columns of a sheet that are not among those of the file yet. */
static int add_columns(void *context, const struct ompp_sheet *sheet)
{
	struct survey *s = context;

	return ompp_sheet_all_join(&s->all, sheet);
}

static const struct ompp_command_option export_options[] = {
	FORM_ROW("csv, numascope, jsonl, or html: a page of one file"),
	OUTPUT_ROW("a new file"),
	HTML_ROW,
};

static int export_main(int argc, char **argv)
{
	struct request request = { .watcher = { .command = "export" }, .record = { .form = "csv" } };
	struct record *r = &request.record;
	struct ompp_recording_info info;
	struct survey survey = { 0 };
	struct ompp_sheet_share share;
	struct ompp_sink to = { .start = note_start, .sample = add_columns, .context = &survey },
			 sink = ompp_sheet_share(&share, &to);
	enum ompp_recorder_form form = OMPP_RECORDER_CSV;
	const char *file = NULL;
	int status = ompp_watcher_parse(&request.watcher, &ompp_export_command, &request, argc, argv, &file), rc;

	if (status)
		return status - 1;
	if (!file || request.watcher.program) {
		ompp_complain("export", "give one recording, which 'ompp record' wrote");
		return OMPP_EXIT_USAGE;
	}
	form_of(r->form, &form);
	rc = ompp_recording_replay(file, &sink, &info);
	if (!rc)
		r->recorder = ompp_recorder_open(form, r->path ? r->path : "-", "", NULL, survey.interval_ns,
		                                 survey.start_unix_ns);
	if (r->recorder) {
		rc = form == OMPP_RECORDER_CSV ? ompp_recorder_heading(r->recorder, &survey.all) : 0;
		to = ompp_recorder_sink(r->recorder);
		if (!rc) /* shares are columns of CSV alone: lines have limits, and NUMAscope's array no units */
			rc = ompp_recording_replay(file, form == OMPP_RECORDER_CSV ? &sink : &to, &info);
		rc |= ompp_recorder_close(r->recorder);
	}
	status = rc || !r->recorder ? OMPP_EXIT_FAILED : ompp_recording_tell(file, &info);
	ompp_sheet_share_free(&share);
	ompp_sheet_all_free(&survey.all);
	return status;
}

const struct ompp_command ompp_export_command = {
	.name = "export",
	.suffix = "jsonl",
	.usage = "[OPTIONS] FILE",
	.brief = "convert such a recording to CSV, or to NUMAscope's format",
	.about = "Prints a recording of 'ompp record' as CSV, with the rates and values that 'ompp stat FILE'\n"
		 "shows.\n",
	.tables = { { export_options, OMPP_COUNT_OF(export_options), 0 } },
	.run = export_main,
};
