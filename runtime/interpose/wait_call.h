/*
 * Wait call: what our replacements for functions in which threads wait for each other have in common.
 *
 * Only threads that are started are measured: those that the program makes, from their begin, and the one that makes
 * the first of them, from that call on.  Before it, nobody waits for anybody.
 */
#ifndef OMPP_INTERPOSE_WAIT_CALL_H
#define OMPP_INTERPOSE_WAIT_CALL_H

#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/visit.h"
#include "runtime/host/redirect.h"
#include "runtime/interpose/call_region.h"

/* Returns 1 when calls of this thread are measured. */
static inline int ompp_wait_is_measured(void)
{
	return ompp_self->limit != NULL;
}

/* Begins a call that may wait.  Returns its region; NULL when it is not measured, or is a part of another one. */
const struct ompp_region_def *ompp_wait_begin(enum ompp_construct construct, struct ompp_caller caller);

static inline void ompp_wait_end(const struct ompp_region_def *def)
{
	if (def)
		ompp_visit_exit(def->key);
}

/* Counts a call that did not wait, without a reading of the clock.  Calls of its region that do wait are timed, all of
 * them: the region has no storm (core/storm.h). */
static inline void ompp_wait_count(enum ompp_construct construct, struct ompp_caller caller)
{
	const struct ompp_region_def *def = ompp_call_region(construct, NULL, caller.site);

	if (__builtin_expect(!def->off, 1))
		ompp_visit_count(def->key, caller);
}

/* Defines the function for a call that may wait. */
#define OMPP_WAIT_CALL(construct, result, name, parameters, arguments) \
	static result(*real_##name) parameters; \
	static result name##_ parameters \
	{ \
		const struct ompp_region_def *def = ompp_wait_begin(construct, OMPP_CALLER()); \
		result got = real_##name arguments; \
		ompp_wait_end(def); \
		return got; \
	}

/* The same for a call on a lock, which first tries to get it: a lock that is free takes no clock.  try_name does what
 * the call does if that does not wait, and returns 0; else it changes nothing.  The program's own tries are passed on
 * as they are. may_try: whether that holds for a lock */
#define OMPP_WAIT_LOCK(construct, type, name, try_name, may_try) \
	static int (*real_##try_name)(type); \
	static int try_name##_(type lock) \
	{ \
		return real_##try_name(lock); \
	} \
	static int (*real_##name)(type); \
	static int name##_(type lock) \
	{ \
		const struct ompp_region_def *def; \
		int got; \
		if (!ompp_wait_is_measured()) \
			return real_##name(lock); \
		if (may_try(lock) && real_##try_name && __builtin_expect(!real_##try_name(lock), 1)) { \
			ompp_wait_count(construct, OMPP_CALLER()); \
			return 0; \
		} \
		def = ompp_wait_begin(construct, OMPP_CALLER()); \
		got = real_##name(lock); \
		ompp_wait_end(def); \
		return got; \
	}

#endif
