/*
 * Engine: a function that puts the calls into a text.  kinst has one for C and C++ and one for Fortran; opari2 is
 * another.
 *
 * A new engine is a function of this kind and a row in the table of opari/source/engines.c.
 */
#ifndef KINST_ENGINE_H
#define KINST_ENGINE_H

#include "opari/command/command.h"
#include "opari/emit/emit.h"

struct kinst_engine {
	const char *name;       /* as the user writes it after --engine= */
	unsigned int languages; /* the languages that it reads: bits 1 << enum kinst_language */

	/*
	 * Makes emitted->text, which is the text with calls, and the list of the text's constructs, each of them
	 * measured or with the reason why it is not.  Without calls to put in, emitted->n_calls is 0.  Returns 0, or
	 * a negative errno when the text stays as it is; then emitted->failure may say why.  The caller frees
	 * `emitted` in each case.
	 *
	 * The numbers of constructs depend on the text alone: those that options->given_up lists are left as they
	 * are.
	 */
	int (*calls)(const char *text, size_t length, const struct kinst_emit_options *options,
	             struct kinst_emitted *emitted);
};

#endif
