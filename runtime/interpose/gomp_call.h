/*
 * GOMP call: what our replacements for functions of GCC's OpenMP library have in common.
 *
 * Arguments that are only passed on are declared as words, as the ABI passes integers and pointers in the same way.
 */
#ifndef OMPP_INTERPOSE_GOMP_CALL_H
#define OMPP_INTERPOSE_GOMP_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/core/thread.h"
#include "runtime/events/arrival.h"
#include "runtime/events/visit.h"
#include "runtime/host/redirect.h"
#include "runtime/interpose/call_region.h"

/* How many integers a call passes in registers. */
#if defined(__x86_64__)
enum { OMPP_IN_REGISTERS = 6 };
#else
enum { OMPP_IN_REGISTERS = 8 };
#endif

/* Stands behind a call at the end of a function of ours, so that it returns to us: an OpenMP library that tells tools
 * of its calls (ompt_events.c) says that it was called by us. */
static inline void ompp_gomp_return(void)
{
	__asm__ volatile("");
}

static inline void ompp_gomp_enter(const struct ompp_region_def *def, enum ompp_part part, struct ompp_caller caller)
{
	if (!def->off)
		ompp_visit_enter(ompp_region_key(def, part), caller);
}

static inline void ompp_gomp_leave(const struct ompp_region_def *def, enum ompp_part part)
{
	if (def && !def->off)
		ompp_visit_exit(ompp_region_key(def, part));
}

/* Begins a construct that another call ends, if that is at all measured, and notes that it is open. */
static inline void ompp_gomp_begin(const struct ompp_region_def *def, struct ompp_caller caller)
{
	ompp_call_block_begin(&ompp_call_own.blocks, def->off);
	ompp_gomp_enter(def, OMPP_PART_REGION, caller);
}

/* Notes that the innermost of these constructs, of this kind, is about to end.  Returns what is to be left; NULL when
 * it is not measured. */
static inline const struct ompp_region_def *ompp_gomp_end(enum ompp_construct construct)
{
	const struct ompp_region_def *def;

	if (__builtin_expect(ompp_call_block_end(&ompp_call_own.blocks), 0))
		return NULL;
	def = ompp_call_last(construct);
	return __builtin_expect(def != NULL, 1) ? def : ompp_call_open(construct, construct, NULL);
}

/* The same of a construct that may be a part of a combined one, or_kind; stack: see ompp_call_open(). */
static inline const struct ompp_region_def *ompp_gomp_end_part(enum ompp_construct kind, enum ompp_construct or_kind,
                                                               uintptr_t *stack)
{
	return ompp_call_block_end(&ompp_call_own.blocks) ? NULL : ompp_call_open(kind, or_kind, stack);
}

/* Stand before and behind a call in which the members of a team meet.
 * def: the construct whose barrier that is; NULL where it is not known */
static inline void ompp_gomp_arrive(const struct ompp_region_def *def, enum ompp_part part, struct ompp_caller caller)
{
	if (def && !def->off)
		ompp_barrier_enter(ompp_region_key(def, part), caller);
}

static inline void ompp_gomp_depart(const struct ompp_region_def *def, enum ompp_part part)
{
	if (def && !def->off)
		ompp_barrier_exit(ompp_region_key(def, part));
}

/* The arguments that do not fit into registers are pushed for this call alone: the stack of all other calls of the same
 * function is above them. */
static inline struct ompp_caller ompp_gomp_above(struct ompp_caller caller, size_t n_arguments)
{
	size_t n = n_arguments > OMPP_IN_REGISTERS ? n_arguments - OMPP_IN_REGISTERS : 0;

	caller.stack += (n + n % 2) * sizeof(uintptr_t);
	return caller;
}

/* Defines the function for a call that begins a loop, with this number of arguments; `note` is done before. */
#define OMPP_GOMP_LOOP(n, name, parameters, arguments, note) \
	static _Bool(*real_##name) parameters; \
	static _Bool name##_ parameters \
	{ \
		struct ompp_caller caller = ompp_gomp_above(OMPP_CALLER(), n); \
		_Bool has; \
		note; \
		ompp_gomp_begin(ompp_call_region(OMPP_LOOP, NULL, caller.site), caller); \
		has = real_##name arguments; \
		ompp_gomp_return(); \
		return has; \
	}

/* Defines the function for a call that is a whole visit of a construct. */
#define OMPP_GOMP_VISIT(construct, result, name, parameters, arguments) \
	static result(*real_##name) parameters; \
	static result name##_ parameters \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		const struct ompp_region_def *def = ompp_call_region(construct, NULL, caller.site); \
		result got; \
		ompp_gomp_enter(def, OMPP_PART_REGION, caller); \
		got = real_##name arguments; \
		ompp_gomp_leave(def, OMPP_PART_REGION); \
		return got; \
	}

/* The same for a call without a result. */
#define OMPP_GOMP_VISIT_VOID(construct, name, parameters, arguments) \
	static void(*real_##name) parameters; \
	static void name##_ parameters \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		const struct ompp_region_def *def = ompp_call_region(construct, NULL, caller.site); \
		ompp_gomp_enter(def, OMPP_PART_REGION, caller); \
		real_##name arguments; \
		ompp_gomp_leave(def, OMPP_PART_REGION); \
	}

#endif
