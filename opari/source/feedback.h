/*
 * Feedback: the counts of an earlier run, by which compilers optimise (-fprofile-use), and what the compiler says where
 * they do not fit.
 *
 * Counts of a program that kinst built are of texts with calls: the original's functions with constructs do not fit
 * them.  Counts of a plain build are of the original: there the text's functions with calls do not fit.  Both may be of
 * an older source.  The text that fits better is the one that was counted, and what the compiler says of the counts is
 * what it says of that text.
 */
#ifndef KINST_FEEDBACK_H
#define KINST_FEEDBACK_H

#include "opari/base/kinst_text.h"
#include "opari/source/kinst_source.h"

enum kinst_feedback {
	KINST_FEEDBACK_NONE,   /* the options ask for no counts, or for no warnings */
	KINST_FEEDBACK_ABSENT, /* gcc: there is no file of counts */
	KINST_FEEDBACK_PLAIN,  /* of the original */
	KINST_FEEDBACK_OURS    /* of the text with calls */
};

/* Returns KINST_FEEDBACK_ABSENT, or, where there are counts, KINST_FEEDBACK_PLAIN. */
enum kinst_feedback kinst_feedback_find(const struct kinst_source *source, const struct kinst_context *context);

/* Adds the words with which a compile of the original, or of its text, into a file of ours finds the user's counts. */
void kinst_feedback_add_place(struct kinst_words *words, const struct kinst_source *source,
                              const struct kinst_context *context);

/* Adds the words for a compile that says nothing of counts. */
void kinst_feedback_add_silence(struct kinst_words *words, const struct kinst_context *context);

/*
 * Finds out which text was counted, by compiling both.
 *
 * original, text: the words of compiles that find the counts; in: their standard input, as of struct kinst_run; *more
 * gets the number of functions that do not fit the counts in the text alone
 */
enum kinst_feedback kinst_feedback_compare(struct kinst_words *original, struct kinst_words *text, int in,
                                           size_t *more);

/* Compiles a text, and prints what the compiler says of counts, and nothing else.  Returns 1 when it is an error. */
int kinst_feedback_speak(const struct kinst_words *text);

#endif
