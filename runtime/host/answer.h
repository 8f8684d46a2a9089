/*
 * Answer: the main loop of a helper (helper.h), which reads its questions from stdin.
 */
#ifndef OMPP_HOST_ANSWER_H
#define OMPP_HOST_ANSWER_H

#include "runtime/host/message.h"

/* Reads each question into `m` and calls answer(), which sends the items and leaves the END message in `m`.  Returns
 * the exit status for main at the end of stdin. */
int ompp_answer(int64_t version, struct ompp_message *m, void (*answer)(void));

/* Sends an item of the answer; an item that is too large is left out.  Returns 0 or -errno. */
int ompp_answer_item(const struct ompp_message *m);

#endif
