/*
 * Original: a source that the compiler gets as it is, without the user's directives about measuring.
 *
 * gcc warns of these pragmas (-Wunknown-pragmas), which -Werror makes an error; clang and gfortran reject those that
 * are spelled omp.  But the compiler's messages about the original must be as if it had none of them, with unchanged
 * lines and columns.
 *
 * So gcc compiles it without warnings of unknown pragmas, and gets a second text with only the unknown pragmas that are
 * not ours. clang gets copies of the user's files with the directives blanked (-ivfsoverlay).  If directives come from
 * macros, clang gets the preprocessed text without them, and so does gfortran.
 */
#ifndef KINST_ORIGINAL_H
#define KINST_ORIGINAL_H

#include "opari/base/kinst_text.h"
#include "opari/command/command.h"
#include "opari/command/compiler.h"

struct kinst_original {
	struct kinst_words words; /* more words with which the original is compiled */
	char *text;               /* path of the text to compile in its place (with the source's -x), or NULL */
	char *others;             /* path of a text with the other unknown pragmas, or NULL */
};

/*
 * Finds what the original of a preprocessed C or C++ text needs, which is nothing when it has none of our directives.
 */
void kinst_original_find(struct kinst_original *original, const struct kinst_text *text,
                         const struct kinst_input *input, const struct kinst_compiler *compiler,
                         const struct kinst_command *command);

/* Finds the same for Fortran. */
void kinst_original_find_fortran(struct kinst_original *original, const struct kinst_text *text, const char *name,
                                 int fixed);

void kinst_original_free(struct kinst_original *original);

/*
 * Returns 1 when, by the options, our directives may cause messages in a compile, so that they must be searched for.
 */
int kinst_original_matters(const struct kinst_compiler *compiler, const struct kinst_command *command);

/* Returns 1 when a source, preprocessed or not, has a directive of ours. */
int kinst_original_has_ours(const struct kinst_text *text, const struct kinst_input *input);

/* Adds a preprocessed C or C++ text with blanks in place of our directives. */
void kinst_original_blank(const struct kinst_text *text, struct kinst_text *result);

#endif
