/*
 * Destination: see destination.h.
 */
#include "runtime/collect/destination.h"

#include <errno.h>
#include <string.h>

#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/collect/collect.h"
#include "runtime/core/session.h"
#include "runtime/terms/launcher.h"
#include "runtime/terms/option.h"

enum { MAX_TRIES = 100000, SUFFIX_BYTES = 64, STDOUT = 1, STDERR = 2 };

static char name[OMPP_PATH_BYTES]; /* the name of all files, without suffix; "" until it is taken */
static int is_given_up;            /* 1 when OMPP_REPORTFILE cannot be used */
static int is_folder_given_up;     /* 1 when OMPP_OUTDIR cannot be used */
static int is_claimed;             /* 1 when the first file exists, empty, to reserve the name */

/* Returns the name that the user wrote; "" when kinst makes the names. */
static const char *destination_given(void)
{
	return is_given_up ? "" : ompp_session.options.text[OMPP_OPT_REPORTFILE];
}

/* Returns the folder that the user wrote; "" for the one in which the program started. */
static const char *destination_folder(void)
{
	return is_folder_given_up ? "" : ompp_session.options.text[OMPP_OPT_OUTDIR];
}

int ompp_destination_is_none(void)
{
	return ompp_options_silent(&ompp_session.options);
}

int ompp_destination_stream(void)
{
	static const char *const names[] = { "stdout",    "stderr",    "/dev/stdout",     "/dev/stderr",
		                             "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1", "/proc/self/fd/2" };

	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++)
		if (!strcmp(destination_given(), names[i]))
			return i % 2 ? STDERR : STDOUT;
	return -1;
}

unsigned int ompp_destination_formats(void)
{
	return ompp_report_formats(ompp_session.options.text[OMPP_OPT_OUTFORMAT]);
}

/* Returns whether the user named a file, and not a stream. */
static int is_file(void)
{
	return destination_given()[0] && ompp_destination_stream() < 0;
}

/* ---- one file ---- */

/* Returns whether the file of a format gets the suffix of this format.  A file that the user named has exactly that
 * name, unless there are several formats of it. */
static int has_suffix(int format)
{
	unsigned int formats = ompp_destination_formats();

	return format == OMPP_FORMAT_PROFILE || !is_file() || (formats & (formats - 1));
}

static void put_suffix(struct ompp_text *t, int format)
{
	if (format == OMPP_FORMAT_PROFILE || !is_file())
		ompp_text_str(t, ".ompp");
	if (format != OMPP_FORMAT_PROFILE && has_suffix(format)) {
		ompp_text_char(t, '.');
		ompp_text_str(t, ompp_report_suffix((size_t)format));
	}
}

/* Writes the path of a file: the name, .dump<k>, and the suffix. */
static const char *file_path(char to[OMPP_PATH_BYTES], int format, uint32_t dump)
{
	struct ompp_text t;

	ompp_text_init(&t, to, OMPP_PATH_BYTES);
	ompp_text_str(&t, name);
	if (dump) {
		ompp_text_str(&t, ".dump");
		ompp_text_u64(&t, dump);
	}
	put_suffix(&t, format);
	return to;
}

/* Returns the format whose file reserves the name. */
static int first_format(void)
{
	unsigned int formats = ompp_destination_stream() < 0 ? ompp_destination_formats() : 0;

	return formats ? __builtin_ctz(formats) : OMPP_FORMAT_PROFILE;
}

/* ---- the name ---- */

/* Writes a path.  An absolute one stays as it is; another starts in the folder in which the program started. */
static void put_folder(struct ompp_text *t, const char *path)
{
	if (path[0] != '/' && ompp_session.folder[0]) {
		ompp_text_str(t, ompp_session.folder);
		ompp_text_char(t, '/');
	}
	ompp_text_str(t, path);
}

static void put_process(struct ompp_text *t)
{
	if (ompp_mpi_size() > 1 && ompp_mpi_rank() >= 0) {
		size_t from = t->n_bytes;

		ompp_text_char(t, '.');
		ompp_launcher_job(t, ompp_conditions_environment());
		if (t->n_bytes > from + 1)
			ompp_text_char(t, '.');
		ompp_text_char(t, 'r');
		ompp_text_u64(t, (uint64_t)ompp_mpi_rank());
	}
	if (ompp_session.forked || ompp_session.options.number[OMPP_OPT_USEPID]) {
		ompp_text_char(t, '.');
		ompp_text_u64(t, (uint64_t)ompp_session.pid);
	}
}

/* Returns whether a file of this name exists in any format. */
static int is_taken(void)
{
	char path[OMPP_PATH_BYTES];

	if (ompp_output_exists(file_path(path, OMPP_FORMAT_PROFILE, 0)))
		return 1;
	for (int i = 0; ompp_report_format((size_t)i); i++)
		if (ompp_output_exists(file_path(path, i, 0)))
			return 1;
	return 0;
}

/* Completes the name <app>.<threads>-<n> with the first free n, and reserves it. */
static int take_number(struct ompp_text *t)
{
	size_t stem = t->n_bytes;
	int rc = -EEXIST;

	for (unsigned int n = 0; n < MAX_TRIES && rc == -EEXIST; n++) {
		char path[OMPP_PATH_BYTES];

		t->n_bytes = stem;
		ompp_text_char(t, '-');
		ompp_text_u64(t, n);
		rc = is_taken() ? -EEXIST : ompp_output_claim(file_path(path, first_format(), 0));
	}
	is_claimed = !rc;
	if (rc) {
		t->n_bytes = stem;
		name[stem] = '\0';
	}
	return rc;
}

/* Writes the folder of the reports, which it makes if it is the user's and missing, and the application's name. Returns
 * 0; or -errno when there is no such folder. */
static int put_stem(struct ompp_text *t, const char *app)
{
	int rc;

	put_folder(t, destination_folder());
	rc = destination_folder()[0] ? ompp_output_make_folder(t->data) : 0;
	if (t->n_bytes && t->data[t->n_bytes - 1] != '/')
		ompp_text_char(t, '/');
	for (const char *p = app; *p; p++)
		ompp_text_char(t, *p == '/' ? '_' : *p);
	return rc;
}

static int take_own(const struct ompp_profile *profile, struct ompp_text *t)
{
	int rc = put_stem(t, profile->app);

	ompp_text_char(t, '.');
	ompp_text_u64(t, profile->max_threads);
	put_process(t);
	if (rc)
		return rc;
	return ompp_session.options.number[OMPP_OPT_OVERWRITE] ? 0 : take_number(t);
}

int ompp_destination_take(const struct ompp_profile *profile, char path[OMPP_PATH_BYTES])
{
	struct ompp_text t;
	int rc = 0;

	if (name[0])
		return 0;
	ompp_text_init(&t, name, sizeof(name) - SUFFIX_BYTES);
	if (is_file()) {
		put_folder(&t, destination_given());
		if (ompp_session.forked || ompp_mpi_size() > 1)
			put_process(&t);
	} else {
		rc = take_own(profile, &t);
	}
	memcpy(path, name, sizeof(name));
	if (rc)
		name[0] = '\0';
	return rc;
}

int ompp_destination_open(struct ompp_output *o, int format, uint32_t dump)
{
	char path[OMPP_PATH_BYTES];
	int is_literal;

	file_path(path, format, dump);
	is_literal = is_file() && !dump && !has_suffix(format) && !ompp_session.forked && ompp_mpi_size() <= 1;
	return ompp_output_open(o, path, is_literal);
}

void ompp_destination_early(char path[OMPP_PATH_BYTES], const char *suffix, unsigned int n)
{
	struct ompp_text t;

	ompp_text_init(&t, path, OMPP_PATH_BYTES - SUFFIX_BYTES);
	if (is_file())
		put_folder(&t, destination_given());
	else
		put_stem(&t, ompp_session_app());
	ompp_text_char(&t, '.');
	ompp_text_u64(&t, (uint64_t)ompp_session.pid);
	if (n) {
		ompp_text_char(&t, '-');
		ompp_text_u64(&t, n);
	}
	t.capacity_bytes = OMPP_PATH_BYTES;
	ompp_text_str(&t, suffix);
}

void ompp_destination_beside(char path[OMPP_PATH_BYTES], const char *suffix)
{
	struct ompp_text t;

	ompp_text_init(&t, path, OMPP_PATH_BYTES);
	if (!name[0])
		return;
	ompp_text_str(&t, name);
	ompp_text_str(&t, suffix);
}

int ompp_destination_give_up(void)
{
	int *given_up = destination_given()[0] ? &is_given_up : destination_folder()[0] ? &is_folder_given_up : NULL;

	if (!given_up)
		return 0;
	*given_up = 1;
	name[0] = '\0';
	return 1;
}

void ompp_destination_drop(void)
{
	char path[OMPP_PATH_BYTES];

	if (is_claimed)
		ompp_output_unclaim(file_path(path, first_format(), 0));
	is_claimed = 0;
	name[0] = '\0';
}

void ompp_destination_after_fork(void)
{
	name[0] = '\0';
	is_claimed = 0;
}
