/*
 * Judge: compiles of a source that are made only for the compiler's messages.
 */
#ifndef KINST_JUDGE_H
#define KINST_JUDGE_H

#include "opari/base/process.h"
#include "opari/source/feedback.h"
#include "opari/source/kinst_source.h"

/* Such a compile that may run beside another one. */
struct kinst_judging {
	struct kinst_words words;
	struct kinst_run run;
	int is_beside; /* 1 when it is given to the other one */
	enum kinst_feedback feedback;
	size_t n_unfit; /* functions with calls that do not fit the original's counts */
};

/* Compiles the original for its messages, which go to stderr.  Returns the exit status. */
int kinst_judge(const struct kinst_source *source, const struct kinst_context *context);

/* Does so with more words, and without warnings; what the compiler says goes to *err. */
int kinst_judge_silently(const struct kinst_source *source, const struct kinst_context *context,
                         const struct kinst_words *more, struct kinst_text *err);

/*
 * Do the first in two steps.  The first returns what is to run in parallel to a silent compile, or NULL if there is no
 * idle processor; then the second compiles, and stops after the last messages if it can.
 *
 * has_plugin: 1 when the silent compile succeeded with the plug-in, so that the plug-in works
 */
struct kinst_run *kinst_judge_start(struct kinst_judging *judging, const struct kinst_source *source,
                                    const struct kinst_context *context);
int kinst_judge_finish(struct kinst_judging *judging, const struct kinst_source *source,
                       const struct kinst_context *context, int has_plugin);

/* Does the same with what such a compile leaves out, where it is silent about our directives (original.h). */
int kinst_judge_others(const struct kinst_source *source, const struct kinst_context *context);

/*
 * Finds out whether the instrumented text compiles, apart from warnings.  Constructs and directives in which errors
 * stand lose their calls.  When nothing is to blame, the source becomes FAILED.
 */
void kinst_judge_calls(struct kinst_source *source, const struct kinst_context *context);

#endif
