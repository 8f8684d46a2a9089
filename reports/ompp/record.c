/*
 * Record: ompp record, which writes what the machine does into a file; and ompp export, which makes other files of such
 * a file.
 */
#include <stdio.h>
#include <string.h>

#include "reports/ompp/ompp.h"
#include "reports/ompp/recorder.h"
#include "reports/ompp/recording.h"
#include "reports/ompp/watcher.h"
#include "runtime/base/array.h"

/* All that costs little; each NUMA node by itself, as what they have together says little. */
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

static const char *option_name(size_t i)
{
	static const char *const names[] = { "--output", "-o", "--form", "--html" };

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

static int take_option(void *context, int argc, char **argv, int *i)
{
	struct record *r = context;
	enum ompp_recorder_form form;
	const char *value;

	if (!strcmp(argv[*i], "-o")) {
		if (*i + 1 >= argc) {
			ompp_complain("-o", "has no value; write -o FILE");
			return -1;
		}
		r->path = argv[++*i];
		return 1;
	}
	if ((value = ompp_option_argument(argc, argv, i, "output"))) {
		r->path = value;
		return 1;
	}
	if (!strcmp(argv[*i], "--html")) {
		r->form = "html";
		return 1;
	}
	value = ompp_option_argument(argc, argv, i, "form");
	if (!value)
		return 0;
	r->form = value;
	if (!form_of(value, &form))
		return 1;
	if (!value[0] || ompp_words_known("--form", value, form_name))
		ompp_complain("--form", "'%s' is not one form; write one of them, as jsonl", value);
	return -1;
}

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

	if (!r->recorder)
		return;
	if (!r->path && r->form && !strcmp(r->form, "html"))
		ompp_complain(ompp_recorder_path(r->recorder), "the recording; open it in a browser");
	else if (!r->path)
		ompp_complain(ompp_recorder_path(r->recorder), "the recording; 'ompp stat %s' shows it",
		              ompp_recorder_path(r->recorder));
	r->failed = ompp_recorder_close(r->recorder) != 0;
}

int ompp_record(int argc, char **argv)
{
	struct record r = { 0 };
	struct ompp_watcher w = { .command = "record",
		                  .interval_ns = INT64_C(100000000),
		                  .open = open_file,
		                  .close = close_file,
		                  .context = &r };
	int status = ompp_watcher_parse(&w, argc, argv, take_option, option_name, NULL);

	if (status)
		return status - 1;
	if (r.form && !strcmp(r.form, "csv")) {
		ompp_complain("--form", "CSV has one heading, and columns may come and go; 'ompp export' makes it of a "
		                        "recording");
		return OMPP_EXIT_USAGE;
	}
	status = ompp_watcher_run(&w, usual);
	return !status && r.failed ? OMPP_EXIT_FAILED : status;
}

/* ---- export ---- */

/* What is known of a file before it is exported. */
struct survey {
	struct ompp_sheet all; /* its columns */
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

	return ompp_sheet_join(&s->all, sheet);
}

int ompp_export(int argc, char **argv)
{
	struct record r = { .form = "csv" };
	struct ompp_watcher w = { .command = "export", .context = &r };
	struct ompp_recording_info info;
	struct survey survey = { 0 };
	struct ompp_sink sink = { .start = note_start, .sample = add_columns, .context = &survey };
	enum ompp_recorder_form form = OMPP_RECORDER_CSV;
	const char *file = NULL;
	int status = ompp_watcher_parse(&w, argc, argv, take_option, option_name, &file), rc;

	if (status)
		return status - 1;
	if (!file || w.program) {
		ompp_complain("export", "give one recording, which 'ompp record' wrote");
		return OMPP_EXIT_USAGE;
	}
	form_of(r.form, &form);
	rc = ompp_recording_replay(file, &sink, &info);
	if (!rc)
		r.recorder = ompp_recorder_open(form, r.path ? r.path : "-", "", NULL, survey.interval_ns,
		                                survey.start_unix_ns);
	if (r.recorder) {
		rc = form == OMPP_RECORDER_CSV ? ompp_recorder_heading(r.recorder, &survey.all) : 0;
		sink = ompp_recorder_sink(r.recorder);
		if (!rc)
			rc = ompp_recording_replay(file, &sink, &info);
		rc |= ompp_recorder_close(r.recorder);
	}
	status = rc || !r.recorder ? OMPP_EXIT_FAILED : ompp_recording_tell(file, &info);
	ompp_sheet_unjoin(&survey.all);
	return status;
}
