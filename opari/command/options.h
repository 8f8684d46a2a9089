/*
 * Options: kinst's own options, which are taken out of the command line and KINST_FLAGS.  What remains is the
 * compiler's.
 */
#ifndef KINST_OPTIONS_H
#define KINST_OPTIONS_H

#include "opari/base/kinst_text.h"
#include "opari/command/disable.h"

struct kinst_options {
	int keep, dry_run, verbose, strict, help, version;
	int off;                      /* KINST=off is set, so that nothing is measured */
	const char *disable_list;     /* the value of --disable= as the user wrote it, or NULL */
	struct kinst_disable disable; /* what that list says */
	const char *engine;           /* the value of --engine=, or NULL */
	int simd;                     /* simd loops are regions too */
	int iterations;               /* each iteration of loops is told */
	const char *build_plugin;     /* the compiler for which to build the plug-in, or NULL */
	const char *functions;        /* the value of --functions=, "" for all functions; or NULL */
	const char *access; /* "", "hooks" or "source": all sources get hooks; NULL: those with `inst data` do */
	int no_access;      /* no source gets hooks */
	int work;           /* operations are counted */
	int opt_info;       /* what the compiler says of loops is kept */
	const char *stamp;  /* the version that the program is to keep, "" for what git says; or NULL */
	struct kinst_words environment; /* the words of KINST_FLAGS, into which the values above may point */
};

/*
 * Reads the options.  Returns 0, or -1 after a message.
 *
 * command:     gets the words that are left: the compiler and its arguments
 * program:     the name under which kinst was called; that of kinst-gcc puts gcc in front of the command
 * arguments:   those of the command line, up to NULL
 * environment: the value of KINST_FLAGS, or NULL
 */
int kinst_options_read(struct kinst_options *options, struct kinst_words *command, const char *program,
                       char **arguments, const char *environment);

/*
 * Says how kinst's options are written of those that stand behind the compiler, which does not know them.  What is the
 * value of another option is the compiler's.
 *
 * clang: as in kinst_command_read() (command.h)
 */
void kinst_options_hint(const struct kinst_words *words, int clang);

/* Checks that the engine is one of the names, which end with NULL.  Returns 0, or -1 after a message. */
int kinst_options_check_engine(const struct kinst_options *options, const char *(*name)(size_t i));
void kinst_options_free(struct kinst_options *options);

/* Returns the text of --help. */
const char *kinst_options_help(void);

#endif
