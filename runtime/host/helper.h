/*
 * Helper: a program of ours that links other libraries (PAPI, elfutils) and answers questions, in a process of its own.
 *
 * So the measured program gains no dependency, nothing is loaded into it, and what those libraries do with memory,
 * signals and files does not affect it; static programs can use helpers as well.  A helper is started at the first
 * question, sends no signal when it ends, and is ended by ompp_helper_end().  COLD.
 */
#ifndef OMPP_HOST_HELPER_H
#define OMPP_HOST_HELPER_H

#include "runtime/host/message.h"

/* The kinds of messages.  A helper begins with HELLO and its version; then it answers each question with any number of
 * ITEMs and one END.  When a signal ends it, its last message is DIED and the signal's number. */
enum { OMPP_HELPER_HELLO = 1, OMPP_HELPER_ITEM, OMPP_HELPER_END, OMPP_HELPER_QUESTION, OMPP_HELPER_DIED };

/* One static struct for each helper: which helper is wanted, and its state.  The texts why_… say what to do. */
struct ompp_helper {
	const char *file; /* "ompp-x" */
	int64_t version;
	const char *why_not_installed, *why_not_runnable, *why_other_version;

	/* These are written and read under the lock of helper.c.  state: 0 not started, 1 it answers, 2 there is none.
	 */
	int state;
	int fd;
	int pid;
	const char *why;
	char died[64]; /* "its helper ompp-x ended by signal 11"; "" when none has so far */
};

/* 1 in our own programs: then helpers are looked for in the program's folder, too.  Not so for a user's static program,
 * as others may be able to write there. */
extern int ompp_helper_beside;

/* Asks a question.  Returns 0, the result of item() when that is not 0, or -ENOENT where there is no such helper.
 * message: the question; afterwards the END of the answer
 * item: called with each ITEM of the answer, until it returns other than 0
 * why: gets a text, as long-lived as h, that says why there is no helper; may be NULL */
int ompp_helper_ask(struct ompp_helper *h, struct ompp_message *message,
                    int (*item)(void *context, struct ompp_message *m), void *context, const char **why);

/* Starts the helper.  Returns 0 when it can be asked, else -ENOENT and the reason in *why, as above. */
int ompp_helper_start(struct ompp_helper *h, const char **why);

/* Ends all helpers that were started.  A later question starts them again, as it does one that died. */
void ompp_helper_end(void);

#endif
