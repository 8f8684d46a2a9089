/*
 * Place: see place.h.
 */
#include "runtime/collect/place.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/collect/collect.h"
#include "runtime/core/session.h"

enum { MAX_TRIES = 100000, SUFFIX_BYTES = 64, STDOUT = 1, STDERR = 2 };

static char name[OMPP_PATH_BYTES];              /* of all files, without suffix; "" until taken */
static int is_given_up;                         /* 1: OMPP_REPORTFILE cannot be used */
static int is_claimed;                          /* 1: the first file is there, empty */

/* What the user wrote; "" for names of our own. */
static const char *given(void)
{
	return is_given_up ? "" : ompp_session.options.text[OMPP_OPT_REPORTFILE];
}

int ompp_place_is_none(void)
{
	return !strcmp(given(), "none") || !strcmp(given(), "/dev/null");
}

int ompp_place_stream(void)
{
	static const char *const names[] = { "stdout", "stderr", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2",
	                                     "/proc/self/fd/1", "/proc/self/fd/2" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(given(), names[i]))
			return i % 2 ? STDERR : STDOUT;
	return -1;
}

int ompp_place_formats(void)
{
	const char *list = ompp_session.options.text[OMPP_OPT_OUTFORMAT];

	return (ompp_list_has(list, "PLAIN", 5) || ompp_list_has(list, "TEXT", 4) ? OMPP_FORMAT_TEXT : 0) |
	       (ompp_list_has(list, "CSV", 3) || ompp_list_has(list, "CSV-RAW", 7) ? OMPP_FORMAT_CSV : 0);
}

/* A file of the user's own, not a stream. */
static int is_file(void)
{
	return given()[0] && ompp_place_stream() < 0;
}

/* ---- one file ---- */

static const char *suffix_of(int format)
{
	if (format == OMPP_FORMAT_PROFILE)
		return ".ompp";
	if (is_file() && ompp_place_formats() != (OMPP_FORMAT_TEXT | OMPP_FORMAT_CSV))
		return "";
	if (is_file())
		return format == OMPP_FORMAT_TEXT ? ".txt" : ".csv";
	return format == OMPP_FORMAT_TEXT ? ".ompp.txt" : ".ompp.csv";
}

/* The name, .dump<k>, the suffix. */
static const char *file_path(char to[OMPP_PATH_BYTES], int format, uint32_t dump)
{
	struct ompp_text t;

	ompp_text_init(&t, to, OMPP_PATH_BYTES);
	ompp_text_str(&t, name);
	if (dump) {
		ompp_text_str(&t, ".dump");
		ompp_text_u64(&t, dump);
	}
	ompp_text_str(&t, suffix_of(format));
	return to;
}

static int first_format(void)
{
	int formats = ompp_place_stream() < 0 ? ompp_place_formats() : 0;

	return formats & OMPP_FORMAT_TEXT ? OMPP_FORMAT_TEXT : formats;
}

/* ---- the name ---- */

/* An absolute path is used as it is; another starts in the folder in which the program started. */
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
		ompp_text_str(t, ".r");
		ompp_text_u64(t, (uint64_t)ompp_mpi_rank());
	}
	if (ompp_session.forked || ompp_session.options.number[OMPP_OPT_USEPID]) {
		ompp_text_char(t, '.');
		ompp_text_u64(t, (uint64_t)ompp_session.pid);
	}
}

/* Has another process a file of this name, in any format? */
static int is_taken(void)
{
	static const int all[] = { OMPP_FORMAT_PROFILE, OMPP_FORMAT_TEXT, OMPP_FORMAT_CSV };
	char path[OMPP_PATH_BYTES];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (ompp_output_exists(file_path(path, all[i], 0)))
			return 1;
	return 0;
}

/* <app>.<threads>-<n> with the first free n. */
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

static int take_own(const struct ompp_profile *profile, struct ompp_text *t)
{
	put_folder(t, ompp_session.options.text[OMPP_OPT_OUTDIR]);
	if (t->n_bytes && name[t->n_bytes - 1] != '/')
		ompp_text_char(t, '/');
	for (const char *p = profile->app; *p; p++)
		ompp_text_char(t, *p == '/' ? '_' : *p);
	ompp_text_char(t, '.');
	ompp_text_u64(t, profile->max_threads);
	put_process(t);
	return ompp_session.options.number[OMPP_OPT_OVERWRITE] ? 0 : take_number(t);
}

int ompp_place_take(const struct ompp_profile *profile, char path[OMPP_PATH_BYTES])
{
	struct ompp_text t;
	int rc = 0;

	if (name[0])
		return 0;
	ompp_text_init(&t, name, sizeof(name) - SUFFIX_BYTES);
	if (is_file()) {
		put_folder(&t, given());
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

int ompp_place_open(struct ompp_output *o, int format, uint32_t dump)
{
	char path[OMPP_PATH_BYTES];
	int is_literal;

	file_path(path, format, dump);
	is_literal = is_file() && !dump && !suffix_of(format)[0] && !ompp_session.forked && ompp_mpi_size() <= 1;
	return ompp_output_open(o, path, is_literal);
}

int ompp_place_give_up(void)
{
	int was_given = given()[0] != '\0';

	is_given_up = 1;
	if (was_given)
		name[0] = '\0';
	return was_given;
}

void ompp_place_drop(void)
{
	char path[OMPP_PATH_BYTES];

	if (is_claimed)
		ompp_output_unclaim(file_path(path, first_format(), 0));
	is_claimed = 0;
	name[0] = '\0';
}

void ompp_place_after_fork(void)
{
	name[0] = '\0';
	is_claimed = 0;
}
