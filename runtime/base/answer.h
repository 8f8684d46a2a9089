/*
 * Answer: the loop of a helper (helper.h), which has its questions on stdin.
 */
#ifndef OMPP_BASE_ANSWER_H
#define OMPP_BASE_ANSWER_H

#include "runtime/base/message.h"

/* For each question answer() is called with it in `m`, and leaves the END of the answer there.  Returns main's status when nobody
 * asks any more. */
int ompp_answer(int64_t version, struct ompp_message *m, void (*answer)(void));

/* Sends an item of the answer; one that is too large is left out.  0 or -errno. */
int ompp_answer_item(const struct ompp_message *m);

#endif
