/*
 * Run: see opari2_run.h.
 */
#include "opari/opari2/opari2_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/process.h"
#include "opari/base/temp.h"

#ifndef OPARI2
#define OPARI2 "opari2"
#endif

static void add_words(struct kinst_words *words, const struct kinst_opari2 *how)
{
	kinst_words_add(words, OPARI2);
	kinst_words_add(words, "--preprocessed");
	kinst_words_add(words, how->language);
	if (how->form)
		kinst_words_add(words, how->form);
	kinst_words_add(words, "--omp-task-untied=keep");
}

/* Returns why a run failed, for the caller to free; NULL when it did not fail.
 * status: as kinst_process_run() returned it; opari2 may write ERROR and still end with 0 */
static char *run_cause(int status, const struct kinst_text *err)
{
	const char *error = strstr(err->data, "ERROR");

	if (status < 0)
		return kinst_format("opari2: %s; install the package opari2", strerror(-status));
	if (!status && !error)
		return NULL;
	error = error ? error : err->length ? err->data : "it failed without a message";
	return kinst_format("opari2: %.*s", (int)strcspn(error, "\n"), error);
}

int kinst_opari2_run(const struct kinst_opari2 *how, const struct kinst_text *text, struct kinst_text *output,
                     struct kinst_text *include, char **why)
{
	struct kinst_words words = { 0 };
	struct kinst_text out = { 0 }, err = { 0 };
	struct kinst_run run = { .words = &words, .out = &out, .err = &err, .in = -1 };
	char *in = kinst_temp_path(how->name), *result, *inc;
	int status;

	if (!in) {
		*why = kinst_format("temporary folder: %s; set TMPDIR", strerror(errno));
		return -1;
	}
	result = kinst_format("%s.out", in);
	inc = kinst_format("%s.opari.inc", in);
	kinst_text_puts(&err, "");
	add_words(&words, how);
	kinst_words_pair(&words, in, result);
	status = kinst_write_file(in, text->data, text->length);
	if (!status)
		status = kinst_process_run(&run);
	*why = run_cause(status, &err);
	if (!*why && kinst_read_file(result, output))
		*why = kinst_strdup("opari2 wrote nothing");
	if (!*why && kinst_read_file(inc, include))
		kinst_text_puts(include, "");
	kinst_words_free(&words);
	kinst_text_free(&out);
	kinst_text_free(&err);
	free(in);
	free(result);
	free(inc);
	return *why ? -1 : 0;
}
