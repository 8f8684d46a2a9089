/*
 * Step: the compile of one source by itself.  Sources with access hooks need it, as only their compile may have the
 * options of hooks.
 */
#ifndef KINST_STEP_H
#define KINST_STEP_H

#include "opari/source/kinst_source.h"

/*
 * Returns the path that the compile of a source writes, which the caller frees: that of the plain command, or, when
 * that links, one in the temporary folder.
 */
char *kinst_step_output(const struct kinst_source *source, const struct kinst_context *context);

/*
 * Compiles a source into `output`: with its hooks; if that fails, instrumented without hooks; if that fails, as it is;
 * and says what was given up.  All messages of the compiler and the status that is returned are those of the plain
 * compile.
 */
int kinst_step_compile(struct kinst_source *source, const struct kinst_context *context, const char *output);

/* Returns 1 when a source has notes of what is not measured (unmeasured.h) that are not in its text. */
int kinst_step_has_notes(const struct kinst_source *source, const struct kinst_context *context);

/* Adds the word that brings such notes of n sources into a compile, unless that ends with the assembler's text. */
void kinst_step_add_notes(struct kinst_words *words, const struct kinst_source *sources, size_t n,
                          const struct kinst_context *context);

/* Adds the notes to the file that a compile wrote, when that ends with the assembler's text. */
void kinst_step_append_notes(const struct kinst_source *source, const struct kinst_context *context,
                             const char *output);

/* Prints its command and does nothing. */
void kinst_step_print(const struct kinst_source *source, const struct kinst_context *context, const char *output);

/* Adds the folder of a Fortran source, in which files that it includes would otherwise not be found from its text. */
void kinst_step_add_folder(struct kinst_words *words, const struct kinst_source *source);

/*
 * Adds the word by which debug information has the source's name, and not that of its text.  gcc needs none for C and
 * C++, as it takes the name of the main file from the line markers.
 */
void kinst_step_add_name(struct kinst_words *words, const struct kinst_source *source,
                         const struct kinst_context *context, const char *text);

/* Adds what gcc needs for an instrumented text; clang needs nothing. */
void kinst_step_add_gcc(struct kinst_words *words, const struct kinst_context *context);

/* With -save-temps, leaves the bitcode that clang leaves of a source, but not of preprocessed text. */
void kinst_step_leave_bitcode(const struct kinst_source *source, const struct kinst_context *context);

#endif
