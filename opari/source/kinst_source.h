/*
 * Source: one source file of the command, and its state.
 *
 * prepare.h makes the instrumented text, judge.h and step.h compile it.
 */
#ifndef KINST_KINST_SOURCE_H
#define KINST_KINST_SOURCE_H

#include "opari/base/kinst_text.h"
#include "opari/command/command.h"
#include "opari/command/compiler.h"
#include "opari/command/options.h"
#include "opari/emit/emit.h"
#include "opari/hooks/hooks.h"
#include "opari/source/bundle.h"
#include "opari/source/original.h"

#include <stdint.h>

enum kinst_state {
	KINST_UNTOUCHED, /* nothing to instrument: the original is compiled */
	KINST_READY,     /* `text` is compiled in its place */
	KINST_FAILED     /* it cannot be instrumented, `why` says the cause: the original is compiled */
};

struct kinst_source {
	const struct kinst_input *input;
	const char *name; /* as the user wrote it, or "<stdin>" */
	enum kinst_state state;
	char *text;                   /* path of the instrumented text */
	const char *x;                /* the -x that `text`, `bare` and `noted` are compiled with */
	char *preprocessed;           /* path of the preprocessed original, or NULL */
	struct kinst_original as_is;  /* how the original is compiled */
	enum kinst_hooks hooks;       /* the access hooks that it shall get */
	int works;                    /* its operations are counted */
	char *not_loops;              /* why the hooks are not KINST_HOOKS_LOOPS any more, or NULL */
	char *uncounted;              /* kinds of accesses that got no hook, or NULL */
	char *bare;                   /* path of the text that gets hooks and no instrumentation, or NULL */
	char *why;                    /* of a FAILED source: the first line of the cause */
	char *noted;                  /* clang, FAILED: path of the preprocessed original with notes, or NULL */
	struct kinst_bundle bundle;   /* what stands around all its texts, for clang's code for devices */
	char *images;                 /* path of its images for devices (device.h), or NULL */
	struct kinst_text original;   /* the preprocessed text, when it may have constructs */
	struct kinst_emitted emitted; /* what was put into it last */
	struct kinst_text unmeasured; /* assembler text: the notes of its constructs that are not measured */
	struct kinst_text loops;      /* the same: the notes of its loops (opt_info.h) */
	struct kinst_text lines;      /* Fortran: the text before calls are made of its data directives */
	struct kinst_marks data;      /* its data directives, in all languages */
	struct kinst_marks pomp;      /* the user's other directives */
	int has_data;                 /* calls for data directives are in it */
	uint32_t *given_up;           /* numbers of the constructs that are left as they are, ascending */
	size_t n_given_up, n_marks_given_up;
	int noisy;                  /* the original is judged: the preprocessor said something, or it is flang's */
	int uses_ompp;              /* Fortran that may `use ompp` */
	struct kinst_words modules; /* Fortran: names of modules that it defines */
	struct kinst_words uses;    /* Fortran: names of modules that it uses, its own and others */
	int includes;               /* Fortran: it has INCLUDE lines, whose files may use modules */
	int is_long;                /* Fortran: lines may be cut, which is an error of its own (-Wline-truncation) */
	int calls_ompp;             /* C and C++ that calls libompp itself */
	struct kinst_text system;   /* for --functions: folders of system headers, separated by commas */
	int broken;                 /* the preprocessor failed, and so will the compiler */
};

/* What all sources of a call share. */
struct kinst_context {
	const struct kinst_options *options;
	const struct kinst_compiler *compiler;
	const struct kinst_command *command;
	const char *directory; /* the current folder */
	const char *prologue;  /* more text for the prologue of C and C++, or NULL */
	const char *include;   /* where ompp.h and ompp.mod are, or NULL */
	const char *library;   /* where libompp is */
	int in;                /* a copy of standard input when "-" is a source, else -1 */
};

/* Frees what a source holds. */
void kinst_source_free(struct kinst_source *source);

/*
 * Returns the path of the text that is compiled in the original's place (with -x source->x); NULL for the original
 * itself.
 */
const char *kinst_source_text(const struct kinst_source *source);

/* Returns 1 for Fortran that a clang, or a flang of before LLVM's, hands to another compiler with words of its own. */
int kinst_source_is_handed_on(const struct kinst_source *source, const struct kinst_context *context);

/* Says once why a FAILED source is not instrumented.  Returns -1 when that is an error (--strict), and 0 otherwise. */
int kinst_source_report(struct kinst_source *source, const struct kinst_context *context);

enum kinst_lto {
	KINST_LTO_NONE, /* the command does not ask for it */
	KINST_LTO_KEPT,
	KINST_LTO_LEFT /* the object gets -fno-lto: the link would drop its hooks, or the plug-in not see its code */
};

/* What becomes of the command's -flto in the object of a source with these hooks and operations. */
enum kinst_lto kinst_source_lto(const struct kinst_source *source, const struct kinst_context *context);

/* Adds the words of a step: the compiler, and the command's words whose class is in `classes` (bits). */
void kinst_source_words(struct kinst_words *words, const struct kinst_context *context, unsigned int classes);

#define KINST_BIT(class) (1u << (class))
#define KINST_ALL_WORDS  (KINST_BIT(KINST_WORD_REST + 1) - 1)

/* The words that make no sense in a compile of one source to a file of ours. */
#define KINST_NOT_IN_STEPS \
	(KINST_BIT(KINST_WORD_INPUT) | KINST_BIT(KINST_WORD_LANGUAGE) | KINST_BIT(KINST_WORD_MODE) | \
	 KINST_BIT(KINST_WORD_OUTPUT) | KINST_BIT(KINST_WORD_DEPEND) | KINST_BIT(KINST_WORD_SAVE) | \
	 KINST_BIT(KINST_WORD_DUMP))

/* ---- for modules that process a source ---- */

/* Makes the source FAILED.  why: the cause, `length` bytes. */
void kinst_source_fail(struct kinst_source *source, const char *why, size_t length);

/*
 * Returns a path in the temporary folder, which the caller frees.  When there is no such folder the source becomes
 * FAILED, and the result is NULL.
 */
char *kinst_source_path(struct kinst_source *source, const char *name);

/* Returns the suffix of a text in place of the source's, by which flang knows its form; NULL when that is the source's
 * own. */
const char *kinst_source_suffix(const struct kinst_source *source, const struct kinst_context *context);

/*
 * Writes a text into a temporary file under the source's own name, as the compiler names auxiliary files after it.
 * Returns the path, which the caller frees, or NULL.
 *
 * suffix: replaces that of the name, unless it is NULL
 */
char *kinst_source_write(struct kinst_source *source, const char *suffix, const struct kinst_text *text);

/* Does the same with a text that is compiled with the source's hooks, if it has any. */
char *kinst_source_write_hooked(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
                                const struct kinst_text *text);

/* Writes the instrumented text: the source is READY. */
void kinst_source_store(struct kinst_source *source, const struct kinst_context *context, const char *suffix,
                        const struct kinst_text *text);

#endif
