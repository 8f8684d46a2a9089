/*
 * Sources: all sources of one command.
 */
#ifndef KINST_KINST_SOURCES_H
#define KINST_KINST_SOURCES_H

#include "opari/source/kinst_source.h"

struct kinst_sources {
	struct kinst_source *items; /* in the order of the command */
	size_t n;
};

/* Prepares each source of the context's command.  Returns 1 when one cannot even be preprocessed, or can be read once
 * by the compiler alone, -1 when that is an error (--strict), and 0 otherwise. */
int kinst_sources_prepare(struct kinst_sources *sources, struct kinst_context *context);

/* Frees all sources. */
void kinst_sources_free(struct kinst_sources *sources);

/* Returns the source that stands at this word of the command, or NULL. */
const struct kinst_source *kinst_sources_at(const struct kinst_sources *sources, size_t word);

/* Each returns 1 when at least one source is so, and 0 otherwise. */
int kinst_sources_any_in(const struct kinst_sources *sources, enum kinst_state state);
int kinst_sources_any_text(const struct kinst_sources *sources);   /* a text of ours replaces it */
int kinst_sources_any_words(const struct kinst_sources *sources);  /* its original is compiled with more words */
int kinst_sources_any_counts(const struct kinst_sources *sources); /* its accesses or operations are counted */
int kinst_sources_any_calls(const struct kinst_sources *sources);  /* it calls libompp itself */
int kinst_sources_any_noisy(const struct kinst_sources *sources);  /* the preprocessor said something about it */
int kinst_sources_any_notes(const struct kinst_sources *sources, const struct kinst_context *context); /* see step.h */

/*
 * Names each source that could not be instrumented, once.  Returns -1 when that is an error (--strict), and 0
 * otherwise.
 */
int kinst_sources_report(struct kinst_sources *sources, const struct kinst_context *context);

/* Calls `judge` (judge.h) for each source.  Returns the first status that is not 0, or 0. */
int kinst_sources_judge(const struct kinst_sources *sources, const struct kinst_context *context,
                        int (*judge)(const struct kinst_source *source, const struct kinst_context *context));

/* With -save-temps, copies each preprocessed original to where the compiler would leave it, and makes clang's bitcode.
 */
void kinst_sources_save(const struct kinst_sources *sources, const struct kinst_context *context);

/* Writes the dependencies that the environment asks for (environment.h), which no compile wrote. */
void kinst_sources_depend(const struct kinst_sources *sources, const struct kinst_context *context);

#endif
