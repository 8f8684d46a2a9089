/*
 * Answer: the loop of a helper (helper.h), which has its questions on stdin.
 */
#ifndef OMPP_HOST_ANSWER_H
#define OMPP_HOST_ANSWER_H

#include "runtime/host/message.h"

/* Calls answer() for each question, which is in `m`; answer() sends the items and leaves the END of the answer in `m`.
 * Returns the status for main when nobody asks any more. */
int ompp_answer(int64_t version, struct ompp_message *m, void (*answer)(void));

/* Sends an item of the answer, and leaves out one that is too large.  Returns 0 or -errno. */
int ompp_answer_item(const struct ompp_message *m);

#endif
