/*
 * Step: the compile of one source by itself, as sources with access hooks need it: only this step, and of
 * this source, has their options.
 */
#ifndef KINST_STEP_H
#define KINST_STEP_H

#include "opari/build/source.h"

/* gcc's option by which the stack pointer of a function is the same at all its calls, whose arguments it would otherwise leave
 * on the stack for a while: by the pointer the runtime knows which function an event comes from (runtime/core/thread.h). */
#define KINST_CALLS_KEEP_STACK "-fno-defer-pop"

/* Where the compile of a source leads: what the plain command would write, or, when that links, an object of
 * ours. */
char *kinst_step_output(const struct kinst_source *source, const struct kinst_context *context);

/*
 * Compile a source into `output`: with its hooks, else instrumented alone, else as it is; what cannot be had
 * is said. All messages of the compiler are those of the plain compile; so is the status that is returned.
 */
int kinst_step_compile(struct kinst_source *source, const struct kinst_context *context, const char *output);

/* Notes of what is not measured (unmeasured.h), for sources that do not have them in their text: are there any; the word
 * that adds those of n sources to a compile; and where that ends with the assembler's text, they are added to it. */
int kinst_step_has_notes(const struct kinst_source *source, const struct kinst_context *context);
void kinst_step_add_notes(struct kinst_words *words, const struct kinst_source *sources, size_t n,
			  const struct kinst_context *context);
void kinst_step_append_notes(const struct kinst_source *source, const struct kinst_context *context, const char *output);

/* Print its command and do nothing. */
void kinst_step_print(const struct kinst_source *source, const struct kinst_context *context,
		      const char *output);

#endif
