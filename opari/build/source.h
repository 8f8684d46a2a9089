/*
 * Source: one source file on its way to an instrumented text, and the compiles that judge it.
 */
#ifndef KINST_SOURCE_H
#define KINST_SOURCE_H

#include "opari/base/text.h"
#include "opari/build/original.h"
#include "opari/command/command.h"
#include "opari/command/compiler.h"
#include "opari/command/options.h"
#include "opari/emit/emit.h"
#include "opari/hooks/hooks.h"

#include <stdint.h>

enum kinst_state {
	KINST_UNTOUCHED,        /* nothing to instrument: the original is compiled */
	KINST_READY,            /* `text` is to be compiled in its place */
	KINST_FAILED            /* cannot be instrumented, see `why`; the original is compiled */
};

struct kinst_source {
	const struct kinst_input *input;
	const char *name;               /* as the user wrote it, "<stdin>" */
	enum kinst_state state;
	char *text;                     /* path of the instrumented text */
	const char *x;                  /* its -x */
	char *preprocessed;             /* path of the preprocessed original, or NULL */
	struct kinst_original as_is;    /* how the original is compiled */
	enum kinst_hooks hooks;         /* the access hooks that it shall get */
	char *unseen;                   /* kinds of accesses that got no hook, or NULL */
	char *bare;                     /* with hooks: path of the text without instrumentation; same -x */
	char *why;                      /* FAILED: the first line of the cause */
	char *noted;                    /* clang, FAILED: path of the preprocessed original with notes; NULL: none */
	struct kinst_text original;     /* the preprocessed text, if it may have constructs */
	struct kinst_emitted emitted;   /* what was put into it last */
	struct kinst_text unmeasured;   /* assembler text: notes of its constructs that are not measured */
	struct kinst_text lines;        /* Fortran: the text before calls are made of its data directives */
	struct kinst_marks data;        /* these directives, also of C and C++ */
	struct kinst_marks pomp;        /* the user's other directives */
	int has_data;                   /* calls for data directives are in it */
	uint32_t *given_up;             /* their numbers, ascending */
	size_t n_given_up, n_marks_given_up;
	int   noisy;                    /* the preprocessor said something */
	int   uses_ompp;                /* Fortran that may `use ompp` */
	int   calls_ompp;               /* C and C++ that calls libompp itself */
	struct kinst_text system;       /* --functions: folders of system headers, a comma list */
	int   broken;                   /* the preprocessor failed: so will the compiler */
};

/* What all sources of a call share. */
struct kinst_context {
	const struct kinst_options  *options;
	const struct kinst_compiler *compiler;
	const struct kinst_command  *command;
	const char *directory;          /* the current folder */
	const char *prologue;           /* more text for the prologue of C and C++, or NULL */
	const char *include;            /* where ompp.h and ompp.mod are, or NULL */
	const char *library;            /* where libompp is */
	int         in;                 /* a copy of standard input when "-" is a source, else -1 */
};

void kinst_source_prepare(struct kinst_source *source, const struct kinst_context *context);
void kinst_source_free(struct kinst_source *source);

/* The text that is compiled in the original's place (with -x source->x), or NULL for the original itself. */
const char *kinst_source_text(const struct kinst_source *source);

/* Say once why a FAILED source is not instrumented; −1 when that is an error. */
int kinst_source_report(struct kinst_source *source, const struct kinst_context *context);

/* The words of a step: the compiler, and the command's words whose class is in `classes` (bits). */
void kinst_source_words(struct kinst_words *words, const struct kinst_context *context, unsigned int classes);

#define KINST_BIT(class) (1u << (class))
#define KINST_ALL_WORDS  (KINST_BIT(KINST_WORD_REST + 1) - 1)

/* The words that make no sense in a compile of one source to a file of ours. */
#define KINST_NOT_IN_STEPS                                                                                    \
	(KINST_BIT(KINST_WORD_INPUT) | KINST_BIT(KINST_WORD_LANGUAGE) | KINST_BIT(KINST_WORD_MODE) |         \
	 KINST_BIT(KINST_WORD_OUTPUT) | KINST_BIT(KINST_WORD_DEPEND) | KINST_BIT(KINST_WORD_SAVE))

/* For those who work on a source.  It cannot be instrumented: why, of so many bytes. */
void kinst_source_fail(struct kinst_source *source, const char *why, size_t length);

/* A path in the temporary folder, which the caller frees; NULL when there is none, and the source has failed. */
char *kinst_source_path(struct kinst_source *source, const char *name);

/* The suffix of a text in place of the source's; NULL: the source's own. */
const char *kinst_source_suffix(const struct kinst_source *source);

/* Write a text under the source's own name, as auxiliary files are named after it; its path, which the caller frees, or NULL. */
char *kinst_source_write(struct kinst_source *source, const char *suffix, const struct kinst_text *text);

/* The instrumented text is this: it is READY. */
void kinst_source_store(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
			const struct kinst_text *text);

#endif
