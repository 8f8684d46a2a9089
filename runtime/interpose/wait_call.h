/*
 * Wait call: what our replacements for functions in which threads wait for each other have in common.
 *
 * Waits are measured in the threads that the program creates, from their begin on, and in the thread that creates the
 * first of them, from that call on.  Before it there is no other thread to wait for.
 */
#ifndef OMPP_INTERPOSE_WAIT_CALL_H
#define OMPP_INTERPOSE_WAIT_CALL_H

#include <errno.h>

#include "runtime/core/lock_holder.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/visit.h"
#include "runtime/host/redirect.h"
#include "runtime/interpose/call_region.h"
#include "runtime/interpose/mpi_library.h"

/* Returns 1 when calls of this thread are measured. */
static inline int ompp_wait_is_measured(void)
{
	return ompp_self->limit != NULL && !ompp_mpi_inside;
}

/* Begins a call that may wait.  Returns its region; NULL when it is not measured, or is a part of another one. */
const struct ompp_region_def *ompp_wait_begin(enum ompp_construct construct, struct ompp_caller caller);

/* Returns the id of the region of a call that is no visit of it; OMPP_LOCK_HOLDER_UNKNOWN when it is not measured. */
static inline uint32_t ompp_wait_id(enum ompp_construct construct, struct ompp_caller caller)
{
	return ompp_wait_is_measured() ? OMPP_KEY_ID(ompp_call_region(construct, NULL, caller.site)->key)
	                               : (uint32_t)OMPP_LOCK_HOLDER_UNKNOWN;
}

static inline void ompp_wait_end(const struct ompp_region_def *def)
{
	if (def)
		ompp_visit_exit(def->key);
}

/* Ends a call that waited for a lock, and charges its time to the holder.
 * holder: whose the lock was at the begin (core/lock_holder.h) */
void ompp_wait_end_for(const struct ompp_region_def *def, uint32_t holder);

/* Notes that the call has got the lock; it was begun with this region, which may be NULL. */
void ompp_wait_got(const void *lock, const struct ompp_region_def *def, enum ompp_construct construct);

/* Counts a call that did not wait, without a reading of the clock.  Calls of its region that do wait are timed, all of
 * them: the region has no storm (core/storm.h).  Returns the id of its region. */
static inline uint32_t ompp_wait_count(enum ompp_construct construct, struct ompp_caller caller)
{
	const struct ompp_region_def *def = ompp_call_region(construct, NULL, caller.site);

	if (__builtin_expect(def->off || OMPP_LOAD(&ompp_session.off), 0))
		return OMPP_LOCK_HOLDER_UNKNOWN;
	ompp_visit_count(def->key, caller);
	return OMPP_KEY_ID(def->key);
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

/* How a call may get a lock, as its result says. */
static inline int ompp_wait_has_got(int result)
{
	return !result || result == EOWNERDEAD;
}

/* The rest of a call on a lock, when it was begun.
 * holder: for whom it waited; OMPP_LOCK_HOLDER_NOBODY when its result says that it did not wait
 * got: the call's result
 * shared: 1 when others may get it, too */
#define OMPP_WAIT_LOCK_END(construct, lock, def, holder, got, shared) \
	do { \
		ompp_wait_end_for(def, holder); \
		if (!ompp_wait_has_got(got)) \
			break; \
		if (shared) \
			ompp_lock_holder_set(lock, OMPP_LOCK_HOLDER_READERS); \
		else \
			ompp_wait_got(lock, def, construct); \
	} while (0)

/* The same as OMPP_WAIT_CALL for a call on a lock, the first argument, which gets it, or waits until its time is over.
 * Other errors than that are told at once.
 * is_taken: whether such a call has to wait, as the lock says
 * over: the result when the time is over */
#define OMPP_WAIT_TIMED(construct, name, lock, parameters, arguments, is_taken, shared, over) \
	static int(*real_##name) parameters; \
	static int name##_ parameters \
	{ \
		uint32_t holder = is_taken(lock) ? ompp_lock_holder_of(lock) : (uint32_t)OMPP_LOCK_HOLDER_NOBODY; \
		const struct ompp_region_def *def = ompp_wait_begin(construct, OMPP_CALLER()); \
		int got = real_##name arguments; \
		if (!ompp_wait_has_got(got) && got != (over)) \
			holder = OMPP_LOCK_HOLDER_NOBODY; \
		OMPP_WAIT_LOCK_END(construct, lock, def, holder, got, shared); \
		return got; \
	}

/* The same for a call that waits for a condition, in which the lock is released.  It is got again, also when the time
 * is over. */
#define OMPP_WAIT_CONDITION(name, lock, parameters, arguments, over) \
	static int(*real_##name) parameters; \
	static int name##_ parameters \
	{ \
		const struct ompp_region_def *def = ompp_wait_begin(OMPP_CONDITION, OMPP_CALLER()); \
		int got = real_##name arguments; \
		ompp_wait_end(def); \
		if (ompp_wait_has_got(got) || got == (over)) \
			ompp_wait_got(lock, def, OMPP_CONDITION); \
		return got; \
	}

/* Has a return address read here: GCC may make a function of its own of what follows a condition, which returns to us.
 */
#define OMPP_WAIT_KEEP(site) __asm__ volatile("" : "+r"(site))

/* The same for a call on a lock, which first tries to get it: a lock that is free takes no clock.  try_name does what
 * the call does if that does not wait, and returns 0; else it changes nothing.  The program's own tries are passed on
 * as they are.
 * may_try: whether that holds for a lock */
#define OMPP_WAIT_LOCK(construct, type, name, try_name, may_try, is_taken, shared) \
	static int (*real_##try_name)(type); \
	static int try_name##_(type lock) \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		int got; \
		OMPP_WAIT_KEEP(caller.site); \
		got = real_##try_name(lock); \
		if (ompp_wait_has_got(got)) \
			ompp_lock_holder_set(lock, shared ? (uint32_t)OMPP_LOCK_HOLDER_READERS \
			                                  : ompp_wait_id(construct, caller)); \
		return got; \
	} \
	static int (*real_##name)(type); \
	static __attribute__((noinline)) int name##_waits(type lock, struct ompp_caller caller, int is_tried) \
	{ \
		uint32_t holder = is_tried || is_taken(lock) ? ompp_lock_holder_of(lock) \
		                                             : (uint32_t)OMPP_LOCK_HOLDER_NOBODY; \
		const struct ompp_region_def *def = ompp_wait_begin(construct, caller); \
		int got = real_##name(lock); \
		if (!ompp_wait_has_got(got)) \
			holder = OMPP_LOCK_HOLDER_NOBODY; /* errors are told at once */ \
		OMPP_WAIT_LOCK_END(construct, lock, def, holder, got, shared); \
		return got; \
	} \
	static inline __attribute__((always_inline)) int name##_at(type lock, struct ompp_caller caller) \
	{ \
		uint32_t id; \
		if (!ompp_wait_is_measured() || !may_try(lock) || !real_##try_name) \
			return name##_waits(lock, caller, 0); \
		if (__builtin_expect(real_##try_name(lock) != 0, 0)) \
			return name##_waits(lock, caller, 1); \
		id = ompp_wait_count(construct, caller); \
		ompp_lock_holder_set(lock, shared ? (uint32_t)OMPP_LOCK_HOLDER_READERS : id); \
		return 0; \
	} \
	static int name##_(type lock) \
	{ \
		return name##_at(lock, OMPP_CALLER()); \
	}

#endif
