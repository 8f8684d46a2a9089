/*
 * Recorder: see recorder.h.
 */
#define _GNU_SOURCE
#include "reports/watch/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/watch/bytes.h"
#include "reports/watch/recording.h"
#include "reports/watch/watch_json.h"
#include "reports/web/live.h"
#include "reports/writers/cell.h"

enum { MOST_FILES = 10000, START_BYTES = 64 };

struct ompp_recorder {
	enum ompp_recorder_form form;
	int fd, error;
	void (*take)(void *to, const char *lines, size_t n_bytes); /* gets them in place of a file; or NULL */
	void *to;
	char path[PATH_MAX];
	struct ompp_bytes line; /* that is being composed */
	unsigned int generation;
	int is_begun, has_columns, n_rows, n_starts;
	size_t *meters; /* whose elapsed times a sample has, in this order */
	size_t n_meters;
	uint64_t n_samples, n_missed;         /* of the recording so far */
	const struct ompp_sheet_all *heading; /* of CSV */
	size_t *places;                       /* by column of the heading: that of the sheet; SIZE_MAX: it has none */
};

/* ---- lines ---- */

static void recorder_str(struct ompp_recorder *r, const char *s)
{
	ompp_bytes_put(&r->line, s, strlen(s));
}

static void recorder_quoted(struct ompp_recorder *r, const char *s)
{
	ompp_json_quote(s, ompp_bytes_put, &r->line);
}

static void recorder_integer(struct ompp_recorder *r, int64_t n)
{
	char text[24], *p = text + sizeof(text);
	uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	do
		*--p = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		*--p = '-';
	ompp_bytes_put(&r->line, p, (size_t)(text + sizeof(text) - p));
}

static void recorder_number(struct ompp_recorder *r, double n)
{
	char text[32];

	if (n == floor(n) && fabs(n) < 9e15) {
		recorder_integer(r, (int64_t)n);
		return;
	}
	snprintf(text, sizeof(text), "%.15g", n);
	recorder_str(r, isfinite(n) ? text : "null");
}

/* Writes the composed line.  Returns 0, or -1 after an error, which is told once. */
static int recorder_flush(struct ompp_recorder *r)
{
	size_t done = 0;

	if (r->line.is_failed)
		r->error = ENOMEM;
	if (r->take && !r->error) {
		r->take(r->to, r->line.text, r->line.n);
		done = r->line.n;
	}
	while (!r->error && done < r->line.n) {
		ssize_t n = write(r->fd, r->line.text + done, r->line.n - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			r->error = errno;
		if (r->error && r->error != EPIPE)
			ompp_complain(r->path, "cannot be written: %s; the recording ends here", strerror(r->error));
	}
	r->line.n = 0;
	return r->error ? -1 : 0;
}

/* ---- a recording ---- */

/* Does the file consist of lines of JSON, with or without a page around them? */
static int is_lines(const struct ompp_recorder *r)
{
	return r->form == OMPP_RECORDER_JSON || r->form == OMPP_RECORDER_HTML;
}

/* Writes the start of the page.  Its scripts come before the lines, so that a truncated page works, too.  No line
 * contains "<" (quote.h), so nothing in them can end their element. */
static void recorder_page(struct ompp_recorder *r)
{
	recorder_str(r, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	                "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action "
	                "'none'\">\n"
	                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	                "<title>a recording of ompp</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n");
	ompp_bytes_put(&r->line, (const char *)ompp_page_color.bytes, ompp_page_color.n_bytes);
	ompp_bytes_put(&r->line, (const char *)ompp_page_live_style.bytes, ompp_page_live_style.n_bytes);
	recorder_str(r, "</style>\n<script>\n");
	ompp_bytes_put(&r->line, (const char *)ompp_page_base.bytes, ompp_page_base.n_bytes);
	ompp_bytes_put(&r->line, (const char *)ompp_page_live_lines.bytes, ompp_page_live_lines.n_bytes);
	ompp_bytes_put(&r->line, (const char *)ompp_page_live.bytes, ompp_page_live.n_bytes);
	recorder_str(r, "</script>\n</head>\n<body>\n<noscript><p>This page draws its numbers by JavaScript, which "
	                "is switched off here.</p></noscript>\n<script type=\"application/json\" id=\"recording\">\n");
}

static void recorder_header(struct ompp_recorder *r, char *const *program, int64_t interval_ns, int64_t start_unix_ns)
{
	recorder_str(r, "{\"ompp\":\"recording\",\"version\":1,\"start_unix_ns\":");
	recorder_integer(r, start_unix_ns);
	recorder_str(r, ",\"interval_ns\":");
	recorder_integer(r, interval_ns);
	recorder_str(r, ",\"program\":");
	recorder_str(r, program ? "[" : "null");
	for (char *const *word = program; word && *word; word++) {
		recorder_str(r, word == program ? "" : ",");
		recorder_quoted(r, *word);
	}
	recorder_str(r, program ? "]}\n" : "}\n");
}

static size_t place_of(const struct ompp_recorder *r, size_t meter)
{
	size_t k = 0;

	while (k < r->n_meters && r->meters[k] != meter)
		k++;
	return k;
}

/* Writes the events of the columns of one sensor, and what they are. */
static void sensor(struct ompp_recorder *r, const struct ompp_sheet *sheet, size_t meter)
{
	int is_first = 1;

	for (size_t i = 0; i < sheet->n; i++) {
		const struct ompp_sheet_column *c = &sheet->columns[i];

		if (c->meter != meter || (i && !is_first && sheet->columns[i - 1].meter == meter &&
		                          !strcmp(sheet->columns[i - 1].event, c->event)))
			continue;
		if (is_first) {
			recorder_str(r, "{\"sensor\":");
			recorder_quoted(r, c->sensor);
			recorder_str(r, ",\"of\":");
			recorder_quoted(r, c->of);
			recorder_str(r, ",\"events\":[");
		}
		recorder_str(r, is_first ? "{\"name\":" : ",{\"name\":");
		is_first = 0;
		recorder_quoted(r, c->event);
		recorder_str(r, ",\"unit\":");
		recorder_quoted(r, c->unit);
		recorder_str(r, ",\"kind\":");
		recorder_str(r, c->is_gauge ? "\"gauge\"" : "\"counter\"");
		recorder_str(r, ",\"scale\":");
		recorder_number(r, c->scale);
		recorder_str(r, ",\"what\":");
		recorder_quoted(r, c->what);
		recorder_str(r, "}");
	}
	recorder_str(r, "]}\n");
}

/* Writes the limits of columns, where there are any. */
static void recorder_limits(struct ompp_recorder *r, const struct ompp_sheet *sheet)
{
	size_t n = 0;

	for (size_t i = 0; i < sheet->n; i++)
		n += sheet->columns[i].limit > 0;
	if (!n)
		return;
	recorder_str(r, ",\"limits\":[");
	for (size_t i = 0; i < sheet->n; i++) {
		recorder_str(r, i ? "," : "");
		if (sheet->columns[i].limit > 0)
			recorder_number(r, sheet->columns[i].limit);
		else
			recorder_str(r, "null");
	}
	recorder_str(r, "]");
}

static int recorder_columns(struct ompp_recorder *r, const struct ompp_sheet *sheet)
{
	size_t *meters = realloc(r->meters, (sheet->n + 1) * sizeof(*meters));

	if (!meters)
		return -1;
	r->meters = meters;
	r->n_meters = 0;
	for (size_t i = 0; i < sheet->n; i++)
		if (place_of(r, sheet->columns[i].meter) == r->n_meters) {
			meters[r->n_meters++] = sheet->columns[i].meter;
			sensor(r, sheet, sheet->columns[i].meter);
		}
	recorder_str(r, "{\"columns\":[");
	for (size_t i = 0; i < sheet->n; i++) {
		const struct ompp_sheet_column *c = &sheet->columns[i];

		recorder_str(r, i ? ",[" : "[");
		recorder_quoted(r, c->sensor);
		recorder_str(r, ",");
		recorder_quoted(r, c->event);
		recorder_str(r, ",");
		if (c->source)
			recorder_quoted(r, c->source);
		else
			recorder_str(r, "null");
		recorder_str(r, "]");
	}
	recorder_str(r, "]");
	recorder_limits(r, sheet);
	recorder_str(r, "}\n");
	return 0;
}

static int json_sample(struct ompp_recorder *r, const struct ompp_sheet *sheet)
{
	if ((!r->has_columns || r->generation != sheet->generation) && recorder_columns(r, sheet))
		return -1;
	recorder_str(r, "{\"t\":");
	recorder_integer(r, sheet->time_ns);
	recorder_str(r, ",\"dt\":[");
	for (size_t k = 0; k < r->n_meters; k++) {
		size_t i = 0;

		while (i < sheet->n && sheet->columns[i].meter != r->meters[k])
			i++;
		recorder_str(r, k ? "," : "");
		recorder_integer(r, i < sheet->n ? sheet->columns[i].elapsed_ns : 0);
	}
	recorder_str(r, "],\"v\":[");
	for (size_t i = 0; i < sheet->n; i++) {
		recorder_str(r, i ? "," : "");
		if (sheet->columns[i].is_known)
			recorder_number(r, sheet->columns[i].number);
		else
			recorder_str(r, "null");
	}
	recorder_str(r, "]");
	if (sheet->n_missed) {
		recorder_str(r, ",\"missed\":");
		recorder_integer(r, (int64_t)sheet->n_missed);
	}
	recorder_str(r, "}\n");
	return 0;
}

/* ---- NUMAscope's array ---- */

/* Begins a row of the array. */
static void recorder_row(struct ompp_recorder *r)
{
	recorder_str(r, r->n_rows++ ? ",\n[" : "[");
}

static void array_columns(struct ompp_recorder *r, const struct ompp_sheet *sheet)
{
	for (size_t i = 0; i < sheet->n; i++) {
		size_t k = 0, n = 0;

		if (i && sheet->columns[i - 1].meter == sheet->columns[i].meter)
			continue;
		while (k < i && sheet->columns[k].meter != sheet->columns[i].meter)
			k++;
		if (k < i)
			continue;
		for (k = i; k < sheet->n; k++) /* count the sources of the first event */
			n += sheet->columns[k].meter == sheet->columns[i].meter &&
			     !strcmp(sheet->columns[k].event, sheet->columns[i].event);
		recorder_row(r);
		recorder_quoted(r, sheet->columns[i].sensor);
		recorder_str(r, ",");
		recorder_integer(r, (int64_t)n);
		recorder_str(r, ",0]");
	}
	recorder_row(r);
	for (size_t i = 0; i < sheet->n; i++) {
		const struct ompp_sheet_column *c = &sheet->columns[i];
		char name[400];

		snprintf(name, sizeof(name), "%s:%s%s%s", c->sensor, c->event, c->source ? "@" : "",
		         c->source ? c->source : "");
		recorder_str(r, i ? "," : "");
		recorder_quoted(r, name);
	}
	recorder_str(r, "]");
}

static int array_sample(struct ompp_recorder *r, const struct ompp_sheet *sheet)
{
	if (!r->has_columns || r->generation != sheet->generation)
		array_columns(r, sheet);
	recorder_row(r);
	recorder_integer(r, sheet->time_ns / 1000);
	for (size_t i = 0; i < sheet->n; i++) {
		int is_known;
		double n = ompp_sheet_shown(&sheet->columns[i], &is_known);

		recorder_str(r, ",");
		if (is_known)
			recorder_number(r, fabs(n) >= 1000 ? floor(n + 0.5) : n);
		else
			recorder_str(r, "null");
	}
	recorder_str(r, "]");
	return 0;
}

/* ---- CSV ---- */

int ompp_recorder_heading(struct ompp_recorder *r, const struct ompp_sheet_all *all)
{
	r->places = malloc((all->sheet.n + 1) * sizeof(*r->places));
	if (!r->places)
		return -1;
	r->heading = all;
	recorder_str(r, "time s,label");
	for (size_t i = 0; i < all->sheet.n; i++) {
		const struct ompp_sheet_column *c = &all->sheet.columns[i];
		char name[500];

		snprintf(name, sizeof(name), "%s:%s%s%s %s%s", c->sensor, c->event, c->source ? "@" : "",
		         c->source ? c->source : "", c->unit, c->is_gauge ? "" : "/s");
		recorder_str(r, ",");
		ompp_cell(name, 0, ompp_bytes_put, &r->line);
	}
	recorder_str(r, "\n");
	return recorder_flush(r);
}

/* Finds where the sheet has the columns of the heading. */
static void csv_columns(struct ompp_recorder *r, const struct ompp_sheet *sheet)
{
	for (size_t h = 0; h < r->heading->sheet.n; h++)
		r->places[h] = SIZE_MAX;
	for (size_t i = sheet->n; i-- > 0;) { /* of columns that are the same, the first one counts */
		size_t h = ompp_sheet_all_find(r->heading, &sheet->columns[i]);

		if (h != SIZE_MAX)
			r->places[h] = i;
	}
}

static void csv_time(struct ompp_recorder *r, int64_t time_ns)
{
	char text[40];

	snprintf(text, sizeof(text), "%lld.%09lld,", (long long)(time_ns / 1000000000),
	         (long long)(time_ns % 1000000000));
	recorder_str(r, text);
}

static int csv_sample(struct ompp_recorder *r, const struct ompp_sheet *sheet)
{
	if (!r->has_columns || r->generation != sheet->generation)
		csv_columns(r, sheet);
	csv_time(r, sheet->time_ns);
	for (size_t h = 0; h < r->heading->sheet.n; h++) {
		int is_known = 0;
		char text[400] = "-";
		double n = r->places[h] < sheet->n ? ompp_sheet_shown(&sheet->columns[r->places[h]], &is_known) : 0;

		if (is_known)
			snprintf(text, sizeof(text), "%.10g", n);
		recorder_str(r, ",");
		recorder_str(r, text);
	}
	recorder_str(r, "\n");
	return 0;
}

/* ---- the sink ---- */

static int on_sample(void *context, const struct ompp_sheet *sheet)
{
	static int (*const forms[])(struct ompp_recorder * r,
	                            const struct ompp_sheet *sheet) = { json_sample, array_sample, csv_sample,
		                                                        json_sample };
	struct ompp_recorder *r = context;

	if (forms[r->form](r, sheet))
		return -1;
	r->has_columns = 1;
	r->generation = sheet->generation;
	r->n_samples++;
	r->n_missed += sheet->n_missed;
	return recorder_flush(r);
}

/* Begins a further recording in the same file, which has a header already. */
static int on_start(void *context, const struct ompp_recording_info *info)
{
	struct ompp_recorder *r = context;

	if (!r->n_starts++ || !is_lines(r))
		return 0;
	recorder_header(r, NULL, info->interval_ns, info->start_unix_ns);
	r->has_columns = 0;
	r->n_samples = r->n_missed = 0;
	return recorder_flush(r);
}

static int on_threads(void *context, const struct ompp_sheet_threads *threads)
{
	struct ompp_recorder *r = context;

	if (!is_lines(r))
		return 0; /* a table of numbers has no place for them */
	recorder_str(r, "{\"t\":");
	recorder_integer(r, threads->time_ns);
	recorder_str(r, ",\"regions\":[");
	for (size_t i = 0; i < threads->n_regions; i++) {
		recorder_str(r, i ? "," : "");
		recorder_quoted(r, threads->regions[i]);
	}
	recorder_str(r, "],\"threads\":[");
	for (size_t i = 0; i < threads->n; i++) {
		recorder_str(r, i ? "," : "");
		recorder_integer(r, threads->in[i]);
	}
	recorder_str(r, "],\"waits\":[");
	for (size_t i = 0; i < threads->n; i++)
		recorder_str(r, threads->is_waiting[i] ? i ? ",1" : "1" : i ? ",0" : "0");
	recorder_str(r, "]}\n");
	return recorder_flush(r);
}

static int on_label(void *context, const char *text, int64_t time_ns)
{
	struct ompp_recorder *r = context;

	switch (r->form) {
	case OMPP_RECORDER_JSON:
	case OMPP_RECORDER_HTML:
		recorder_str(r, "{\"label\":");
		recorder_quoted(r, text);
		recorder_str(r, ",\"t\":");
		recorder_integer(r, time_ns);
		recorder_str(r, "}\n");
		break;
	case OMPP_RECORDER_ARRAY:
		recorder_row(r);
		recorder_str(r, "\"label\",");
		recorder_integer(r, time_ns / 1000);
		recorder_str(r, ",");
		recorder_quoted(r, text);
		recorder_str(r, "]");
		break;
	case OMPP_RECORDER_CSV:
		csv_time(r, time_ns);
		ompp_cell(text, 0, ompp_bytes_put, &r->line);
		for (size_t h = 0; h < r->heading->sheet.n; h++)
			recorder_str(r, ",-");
		recorder_str(r, "\n");
	}
	return recorder_flush(r);
}

static int on_pause(void *context, int is_paused, int64_t time_ns)
{
	struct ompp_recorder *r = context;

	if (!is_lines(r))
		return on_label(context, is_paused ? "pause" : "resume", time_ns);
	recorder_str(r, is_paused ? "{\"pause\":true,\"t\":" : "{\"pause\":false,\"t\":");
	recorder_integer(r, time_ns);
	recorder_str(r, "}\n");
	return recorder_flush(r);
}

static int on_end(void *context, int64_t time_ns)
{
	struct ompp_recorder *r = context;

	if (!is_lines(r))
		return 0;
	recorder_str(r, "{\"end\":true,\"t\":");
	recorder_integer(r, time_ns);
	recorder_str(r, ",\"samples\":");
	recorder_integer(r, (int64_t)r->n_samples);
	recorder_str(r, ",\"missed\":");
	recorder_integer(r, (int64_t)r->n_missed);
	recorder_str(r, "}\n");
	return recorder_flush(r);
}

/* Writes the end of the file. */
static void recorder_finish(struct ompp_recorder *r)
{
	if (r->form == OMPP_RECORDER_HTML)
		recorder_str(r, "</script>\n</body>\n</html>\n");
	else if (r->form == OMPP_RECORDER_ARRAY)
		recorder_str(r, r->n_rows ? "\n]\n" : "]\n");
	recorder_flush(r);
}

struct ompp_sink ompp_recorder_sink(struct ompp_recorder *r)
{
	return (struct ompp_sink){ .start = on_start,
		                   .sample = on_sample,
		                   .threads = on_threads,
		                   .label = on_label,
		                   .pause = on_pause,
		                   .end = on_end,
		                   .context = r };
}

const char *ompp_recorder_path(const struct ompp_recorder *r)
{
	return r->path;
}

uint64_t ompp_recorder_samples(const struct ompp_recorder *r, uint64_t *n_missed)
{
	*n_missed = r->n_missed;
	return r->n_samples;
}

/* ---- files ---- */

/* Opens an existing file; a link only when this user or root made it, as others make links to have files written that
 * are not theirs.  Returns the descriptor, or -1 with errno. */
static int open_there(const char *path)
{
	int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, fd = open(path, flags | O_NOFOLLOW);
	struct stat st;

	if (fd >= 0 || errno != ELOOP)
		return fd;
	if (lstat(path, &st) || (st.st_uid && st.st_uid != geteuid())) {
		errno = EPERM;
		return -1;
	}
	return open(path, flags);
}

/* Opens an existing file to append to it, if it is a recording.  Returns 0, or -1 after a complaint. */
static int open_again(struct ompp_recorder *r)
{
	char start[START_BYTES] = "", last = '\n';
	struct stat st;

	r->fd = open_there(r->path);
	if (r->fd < 0 && errno == EPERM) {
		ompp_complain(r->path, "is a link of another user; choose another file");
		return -1;
	}
	if (r->fd < 0 || fstat(r->fd, &st)) {
		ompp_complain(r->path, "cannot be opened: %s; choose another file", strerror(errno));
		return -1;
	}
	if (S_ISCHR(st.st_mode)) { /* as /dev/null, which keeps nothing that another recording could spoil */
		fcntl(r->fd, F_SETFL, O_APPEND); /* writes wait for a terminal */
		return 0;
	}
	if (!S_ISREG(st.st_mode) ||
	    (st.st_size && (r->form != OMPP_RECORDER_JSON || pread(r->fd, start, sizeof(start) - 1, 0) < 0 ||
	                    strncmp(start, OMPP_RECORDING_START, strlen(OMPP_RECORDING_START))))) {
		ompp_complain(r->path, "exists, and is not a recording; choose another file, or remove it");
		return -1;
	}
	if (st.st_size && pread(r->fd, &last, 1, st.st_size - 1) == 1 && last != '\n')
		recorder_str(r, "\n"); /* end a truncated line */
	return 0;
}

static int open_file(struct ompp_recorder *r, const char *path, const char *name)
{
	static const char *const suffixes[] = { "ompp.jsonl", "json", "csv", "html" };
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOCTTY;

	if (path && !strcmp(path, "-")) {
		snprintf(r->path, sizeof(r->path), "standard output");
		r->fd = STDOUT_FILENO;
		return 0;
	}
	for (int n = 0; n < MOST_FILES; n++) {
		if (path)
			snprintf(r->path, sizeof(r->path), "%s", path);
		else
			snprintf(r->path, sizeof(r->path), "%s-%d.%s", name, n, suffixes[r->form]);
		r->fd = open(r->path, flags, 0666);
		if (r->fd >= 0)
			return 0;
		if (errno != EEXIST)
			break;
		if (path)
			return open_again(r);
	}
	ompp_complain(r->path, "cannot be made: %s; choose another file by -o", strerror(errno));
	return -1;
}

static struct ompp_recorder *recorder_new(enum ompp_recorder_form form)
{
	struct ompp_recorder *r = calloc(1, sizeof(*r));

	if (!r) {
		ompp_complain("record", "not enough memory");
		return NULL;
	}
	r->form = form;
	r->fd = -1;
	return r;
}

struct ompp_recorder *ompp_recorder_open(enum ompp_recorder_form form, const char *path, const char *name,
                                         char *const *program, int64_t interval_ns, int64_t start_unix_ns)
{
	struct ompp_recorder *r = recorder_new(form);

	if (!r)
		return NULL;
	if (open_file(r, path, name)) {
		r->line.n = 0;
		ompp_recorder_close(r);
		return NULL;
	}
	if (form == OMPP_RECORDER_HTML)
		recorder_page(r);
	if (is_lines(r))
		recorder_header(r, program, interval_ns, start_unix_ns);
	else if (form == OMPP_RECORDER_ARRAY)
		recorder_str(r, "[\n");
	if (recorder_flush(r)) {
		ompp_recorder_close(r);
		return NULL;
	}
	r->is_begun = 1;
	return r;
}

struct ompp_recorder *ompp_recorder_to(void (*take)(void *to, const char *lines, size_t n_bytes), void *to,
                                       char *const *program, int64_t interval_ns, int64_t start_unix_ns)
{
	struct ompp_recorder *r = recorder_new(OMPP_RECORDER_JSON);

	if (!r)
		return NULL;
	r->take = take;
	r->to = to;
	recorder_header(r, program, interval_ns, start_unix_ns);
	if (recorder_flush(r)) {
		ompp_recorder_close(r);
		return NULL;
	}
	return r;
}

int ompp_recorder_close(struct ompp_recorder *r)
{
	int rc;

	if (r->is_begun)
		recorder_finish(r);
	rc = r->error ? -1 : 0;
	if (r->fd > STDERR_FILENO && close(r->fd) && !rc) {
		ompp_complain(r->path, "cannot be written: %s", strerror(errno));
		rc = -1;
	}
	free(r->places);
	free(r->meters);
	free(r->line.text);
	free(r);
	return rc;
}
