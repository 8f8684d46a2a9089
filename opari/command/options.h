/*
 * Options: kinst's own, taken out of the command line and KINST_FLAGS; what remains is the compiler's.
 */
#ifndef KINST_OPTIONS_H
#define KINST_OPTIONS_H

#include "opari/base/text.h"

struct kinst_options {
	int keep, dry_run, verbose, strict, help, version;
	int off;                        /* KINST=off: nothing is measured */
	const char *disable;            /* opari2's list, or NULL */
	const char *engine;             /* "opari2"; "kinst" or NULL: our own */
	int simd;                       /* simd loops are regions too */
	const char *functions;          /* "" for all, or NULL */
	const char *access;             /* "" or "source": hooks in all sources; NULL: with inst data */
	int no_access;                  /* none gets them */
	struct kinst_words
		environment; /* the words of KINST_FLAGS, which disable and functions may point into */
};

/* `program` is our name; kinst-gcc puts gcc in front of the command.  0, or −1 after a message. */
int kinst_options_read(struct kinst_options *options, struct kinst_words *command, const char *program,
		       char **arguments, const char *environment);
void kinst_options_free(struct kinst_options *options);

/* The text of --help. */
const char *kinst_options_help(void);

/* Is a construct of the list of --disable switched off (NULL: the whole of OpenMP); are the user's regions (`pomp`)? */
int kinst_options_disable(const struct kinst_options *options, const char *construct);
int kinst_options_disable_pomp(const struct kinst_options *options);

#endif
