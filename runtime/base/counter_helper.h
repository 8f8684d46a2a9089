/*
 * Counter helper: ompp-papi, which asks PAPI and libpfm4 what names mean; started at the first question.
 */
#ifndef OMPP_BASE_COUNTER_HELPER_H
#define OMPP_BASE_COUNTER_HELPER_H

#include "runtime/base/message.h"

struct ompp_counter;
struct ompp_papi;

/* The helper's functions, or NULL with a reason that a user can act on in *why (constant).  COLD. */
const struct ompp_papi *ompp_counter_helper(const char **why);

/* What the two sides say: the question's first number is one of these; a name follows, and for PRESET and NATIVE a counter.
 * END has the result, why, and the counter, whose texts are "" where they stay what they were; ITEM has a counter. */
enum ompp_papi_question { OMPP_PAPI_PRESET, OMPP_PAPI_NATIVE, OMPP_PAPI_EACH, OMPP_PAPI_RESTRICT };

void ompp_counter_put(struct ompp_message *m, const struct ompp_counter *counter);

/* Its texts are in the message. */
void ompp_counter_get(struct ompp_message *m, struct ompp_counter *counter);

#endif
