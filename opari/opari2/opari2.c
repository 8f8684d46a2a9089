/*
 * Opari2: see opari2.h.
 */
#include "opari/opari2/opari2.h"

#include <errno.h>
#include <string.h>

#include "opari/opari2/opari2_run.h"
#include "opari/opari2/skeleton.h"
#include "opari/opari2/skeleton_fortran.h"

static const char lost[] = "opari2 lost a part of the text";

/* Fills in what opari2 would write for a skeleton without sites, so that it need not run. */
static void answer_nothing(const struct kinst_skeleton *skeleton, struct kinst_text *output, struct kinst_text *include)
{
	kinst_text_puts(output, "#include \"nothing\"");
	kinst_text_puts(output, kinst_skeleton_text(skeleton)->data + strlen(KINST_SKELETON_MARK));
	kinst_text_puts(include, "");
}

static int emit_c(const char *text, size_t length, const struct kinst_emit_options *options,
                  struct kinst_emitted *emitted)
{
	struct kinst_opari2 how = { .language = options->cxx ? "--c++" : "--c",
		                    .name = options->cxx ? "text.cc" : "text.c" };
	struct kinst_skeleton *skeleton = kinst_skeleton_new(text, length, options, emitted);
	struct kinst_text output = { 0 }, include = { 0 };
	int error = 0;

	if (!skeleton)
		return -EFBIG;
	if (kinst_skeleton_has_sites(skeleton))
		error = kinst_opari2_run(&how, kinst_skeleton_text(skeleton), &output, &include, &emitted->failure);
	else
		answer_nothing(skeleton, &output, &include);
	if (!error && kinst_skeleton_expand(skeleton, &output, &include)) {
		emitted->failure = kinst_strdup(lost);
		error = -EPROTO;
	}
	kinst_skeleton_free(skeleton);
	kinst_text_free(&output);
	kinst_text_free(&include);
	return error;
}

static int emit_fortran(const char *text, size_t length, const struct kinst_emit_options *options,
                        struct kinst_emitted *emitted)
{
	struct kinst_opari2 how = { .language = "--f90", .form = "--free-form", .name = "text.f90" };
	struct kinst_fortran_skeleton *skeleton = kinst_fortran_skeleton_new(text, length, options, emitted);
	struct kinst_text output = { 0 }, include = { 0 };
	int error = 0;

	if (kinst_fortran_skeleton_has_sites(skeleton))
		error = kinst_opari2_run(&how, kinst_fortran_skeleton_text(skeleton), &output, &include,
		                         &emitted->failure);
	else
		kinst_text_puts(&output, kinst_fortran_skeleton_text(skeleton)->data);
	if (!error && kinst_fortran_skeleton_expand(skeleton, &output, &include)) {
		emitted->failure = kinst_strdup(lost);
		error = -EPROTO;
	}
	kinst_fortran_skeleton_free(skeleton);
	kinst_text_free(&output);
	kinst_text_free(&include);
	return error;
}

int kinst_opari2_emit(const char *text, size_t length, const struct kinst_emit_options *options,
                      struct kinst_emitted *emitted)
{
	*emitted = (struct kinst_emitted){ 0 };
	return options->fortran ? emit_fortran(text, length, options, emitted) : emit_c(text, length, options, emitted);
}
