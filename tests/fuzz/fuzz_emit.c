/*
 * Fuzz target: puts calls into a text of C, C++ or Fortran.  Whatever the bytes are, nothing crashes, constructs lie on
 * lines in order, what is given up gets no calls, and the text becomes no shorter than it is without its pragmas.
 */
#include <stdlib.h>
#include <string.h>

#include "opari/emit/emit_fortran.h"
#include "tests/fuzz/fuzz.h"

static int emit(const char *text, size_t n_bytes, const struct kinst_emit_options *options,
                struct kinst_emitted *emitted)
{
	if (options->fortran)
		return kinst_emit_fortran(text, n_bytes, options, emitted);
	return kinst_emit(text, n_bytes, options, emitted);
}

static void put_calls(const char *text, size_t n_bytes, int how)
{
	struct kinst_emit_options options = { .openmp = 1,
		                              .locks = how & 1,
		                              .simd = how & 1,
		                              .cxx = how == 3,
		                              .fortran = how < 2,
		                              .fixed = how == 1,
		                              .file = "a.f",
		                              .directory = "/x" };
	struct kinst_emitted first, second;
	uint32_t *all;

	if (emit(text, n_bytes, &options, &first))
		return;
	all = calloc(first.n_constructs + 1, sizeof(*all));
	if (!all)
		abort();
	for (size_t i = 0; i < first.n_constructs; i++) {
		all[i] = (uint32_t)i;
		if (!first.constructs[i].is_measured && !first.constructs[i].why)
			abort();
	}
	options.given_up = all;
	options.n_given_up = first.n_constructs;
	if (emit(text, n_bytes, &options, &second))
		abort();
	for (size_t i = 0; i < second.n_constructs && i < first.n_constructs; i++)
		if (second.constructs[i].is_measured)
			abort();
	kinst_emitted_free(&first);
	kinst_emitted_free(&second);
	free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	char *text = malloc(n_bytes + 1);

	if (!text)
		abort();
	memcpy(text, data, n_bytes);
	text[n_bytes] = '\0';
	for (int how = 0; how < 4 && !memchr(text, 0, n_bytes); how++) /* zero bytes never come from a preprocessor */
		put_calls(text, n_bytes, how);
	free(text);
	return 0;
}
