/*
 * Original: a source that the compiler gets as it is, without the user's directives about measuring.
 *
 * gcc warns of these pragmas (-Wunknown-pragmas), which -Werror makes an error; clang and gfortran reject those that are
 * spelled omp.  What compilers print of the original shall be as if there were none, with each line and column where it
 * is.  gcc is told to be silent about unknown pragmas, and a text of those that are not ours is shown to it in addition.
 * clang is shown files in which the directives are blank, in place of the user's (-ivfsoverlay); where they come from
 * macros, the preprocessed text without them.  So is gfortran.
 */
#ifndef KINST_ORIGINAL_H
#define KINST_ORIGINAL_H

#include "opari/base/text.h"
#include "opari/command/command.h"
#include "opari/command/compiler.h"

struct kinst_original {
	struct kinst_words words;       /* more words for a compile of the original */
	char *text;                     /* path of the text to compile in its place (with the source's -x), or NULL */
	char *others;                   /* path of a text with the other unknown pragmas, or NULL */
};

/* What the original of a preprocessed C or C++ text needs; nothing, when it has none of our directives. */
void kinst_original_find(struct kinst_original *original, const struct kinst_text *text, const struct kinst_input *input,
			 const struct kinst_compiler *compiler, const struct kinst_command *command);

/* The same for Fortran. */
void kinst_original_find_fortran(struct kinst_original *original, const struct kinst_text *text, const char *name, int fixed);

void kinst_original_free(struct kinst_original *original);

/* May a compile stumble over directives of ours, by its options alone?  Then it is worth looking for them. */
int kinst_original_matters(const struct kinst_compiler *compiler, const struct kinst_command *command);

/* A preprocessed C or C++ text with blanks in place of our directives, all else where it was. */
void kinst_original_blank(const struct kinst_text *text, struct kinst_text *result);

#endif
