/*
 * Fuzz target: the way of a text to opari2 and back.  Whatever the bytes are, the blocks that are found are disjoint or
 * nested, and an opari2 that changes nothing gives every piece of the text back.  The directives that name data become
 * calls, in C, C++ and Fortran, and no line of the text is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "opari/data/data_calls_fortran.h"
#include "opari/data/data_fortran.h"
#include "opari/data/data_macros.h"
#include "opari/opari2/skeleton.h"
#include "opari/opari2/skeleton_fortran.h"
#include "tests/fuzz/fuzz.h"

static void round_trip(const char *text, size_t n_bytes)
{
	struct kinst_text output = { 0 }, include = { 0 };
	struct kinst_emit_options options = {
		.openmp = !(n_bytes & 1), .cxx = n_bytes >> 1 & 1, .locks = 1, .directory = "/x"
	};
	struct kinst_emitted emitted = { 0 };
	struct kinst_skeleton *skeleton = kinst_skeleton_new(text, n_bytes, &options, &emitted);

	if (skeleton) {
		kinst_text_puts(&include, "");
		kinst_text_puts(&output, "#include \"x\"");
		kinst_text_puts(&output, kinst_skeleton_text(skeleton)->data + strlen(KINST_SKELETON_MARK));
		if (kinst_skeleton_expand(skeleton, &output, &include))
			abort();
		kinst_skeleton_free(skeleton);
	}
	kinst_text_free(&output);
	kinst_text_free(&include);
	kinst_emitted_free(&emitted);
}

/* An opari2 that changes nothing makes no halves of Fortran's combined directives, so the way back may fail. */
static void round_trip_fortran(const char *text, size_t n_bytes)
{
	struct kinst_emit_options options = {
		.openmp = 1, .fortran = 1, .fixed = n_bytes & 1, .file = "x.f", .locks = 1, .directory = "/x"
	};
	struct kinst_emitted emitted = { 0 };
	struct kinst_fortran_skeleton *skeleton = kinst_fortran_skeleton_new(text, n_bytes, &options, &emitted);
	struct kinst_text include = { 0 };
	int has_sites = kinst_fortran_skeleton_has_sites(skeleton);

	kinst_text_puts(&include, "");
	if (kinst_fortran_skeleton_expand(skeleton, kinst_fortran_skeleton_text(skeleton), &include) && !has_sites)
		abort();
	for (size_t i = 0; i < emitted.n_constructs; i++)
		if (!emitted.constructs[i].is_measured && !emitted.constructs[i].why)
			abort();
	kinst_fortran_skeleton_free(skeleton);
	kinst_text_free(&include);
	kinst_emitted_free(&emitted);
}

/* Stands in for a preprocessor that changes nothing, so that the text keeps its questions. */
static void ask(const char *text, size_t n_bytes)
{
	struct kinst_text questions = { 0 }, result = { 0 };

	kinst_text_puts(&questions, "");
	if (kinst_data_ask(text, n_bytes, n_bytes & 1, &questions) &&
	    !kinst_data_expand(text, n_bytes, n_bytes & 1, questions.data, questions.length, &result) && !result.length)
		abort();
	kinst_text_free(&questions);
	kinst_text_free(&result);
}

static void fortran(char *text, size_t n_bytes)
{
	struct kinst_data_calls_fortran options = { .fixed = n_bytes & 1,
		                                    .file = "x.f",
		                                    .std = n_bytes & 2 ? "f2008" : NULL };
	struct kinst_text result = { 0 }, messages = { 0 };

	if (kinst_data_calls_fortran_rewrite(text, n_bytes, &options, &result, &messages) &&
	    kinst_data_in_fortran(result.data, result.length, options.fixed))
		abort();
	kinst_data_consume_fortran(text, n_bytes, options.fixed);
	kinst_text_free(&result);
	kinst_text_free(&messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	char *text = malloc(n_bytes ? n_bytes : 1); /* exactly as long, so that ASan sees each byte beyond */

	if (!text)
		return 0;
	memcpy(text, data, n_bytes);
	/* our own words, and zero bytes, never come from a preprocessor */
	if (!memchr(text, 0, n_bytes) && !memmem(text, n_bytes, "__kinst_", 8)) {
		round_trip(text, n_bytes);
		round_trip_fortran(text, n_bytes);
		ask(text, n_bytes);
		fortran(text, n_bytes);
	}
	free(text);
	return 0;
}
