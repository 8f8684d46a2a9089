/*
 * Counter helper: the program ompp-papi, which asks PAPI and libpfm4 what names mean.  It is started at the first
 * question.
 */
#ifndef OMPP_COUNTERS_COUNTER_HELPER_H
#define OMPP_COUNTERS_COUNTER_HELPER_H

#include "runtime/host/message.h"

struct ompp_counter;
struct ompp_papi;

/* Returns the functions that ask the helper; NULL when there is none, with a reason that a user can act on in *why,
 * which is constant.  COLD. */
const struct ompp_papi *ompp_counter_helper(const char **why);

/* The protocol.  A question has one of these numbers, then a name, and for PRESET and NATIVE a counter.  An ITEM of the
 * answer has a counter.  The END has the result, the reason, and the counter, in which unchanged texts are "". */
enum ompp_papi_question { OMPP_PAPI_PRESET, OMPP_PAPI_NATIVE, OMPP_PAPI_EACH, OMPP_PAPI_RESTRICT };

void ompp_counter_put(struct ompp_message *m, const struct ompp_counter *counter);

/* Reads a counter, whose texts point into the message. */
void ompp_counter_get(struct ompp_message *m, struct ompp_counter *counter);

#endif
