/*
 * Construct: the kinds of region, and what is known of each of them before anything is measured (construct.def).
 */
#ifndef OMPP_TERMS_CONSTRUCT_H
#define OMPP_TERMS_CONSTRUCT_H

#include "runtime/terms/option.h"

/* What a region is.  The order is that of the Region Overview. */
enum ompp_construct {
#define CONSTRUCT(constant, name, words, form, counts, overhead, own, cost, option) constant,
#include "runtime/terms/construct.def"
#undef CONSTRUCT
	OMPP_N_CONSTRUCTS
};

/* Which times a construct has: collect/collect.c computes them, reports/tables/layout.c shows them. */
enum ompp_form {
	OMPP_FORM_PLAIN,         /* execT alone */
	OMPP_FORM_TASK,          /* execT, without the tasks that were run meanwhile */
	OMPP_FORM_TASKS,         /* execT, and of it taskT */
	OMPP_FORM_WAIT,          /* the same, and waitT, which is the rest */
	OMPP_FORM_CRITICAL,      /* enterT, bodyT, exitT */
	OMPP_FORM_LOCK,          /* the same, by three calls */
	OMPP_FORM_LOOP,          /* bodyT, exitBarT, taskT */
	OMPP_FORM_SINGLE,        /* singleT, exitBarT, taskT, and bodies, which are counted */
	OMPP_FORM_SECTIONS,      /* sectT, mgmtT, exitBarT, taskT, and bodies, which are counted */
	OMPP_FORM_TEAM,          /* startupT, bodyT, exitBarT, taskT, shutdwnT, fork to join */
	OMPP_FORM_TEAM_SECTIONS, /* startupT, sectT, exitBarT, taskT, shutdwnT, fork to join; and bodies */
	OMPP_FORM_TARGET,        /* execT, and mapToB, mapFromB, which are bytes */
	OMPP_FORM_MESSAGE,       /* execT, and sentB, recvB, which are bytes */
	OMPP_N_FORMS
};

/* Which part of a construct counters cover: nothing, only its bodies, or all of it. */
enum ompp_counts { OMPP_COUNTS_NOTHING, OMPP_COUNTS_BODIES, OMPP_COUNTS_ALL };

/* The classes of overhead; OMPP_WORK is time that is not overhead. */
enum ompp_overhead { OMPP_SYNCH, OMPP_IMBAL, OMPP_LIMPAR, OMPP_MGMT, OMPP_N_OVERHEADS, OMPP_WORK = OMPP_N_OVERHEADS };

/* What the time of a construct is that is none of its bodies', nor of anything in it: the program's own code; waiting,
 * for others or to be let in; managing tasks. */
enum ompp_own_time { OMPP_OWN_TIME_WORK, OMPP_OWN_TIME_WAIT, OMPP_OWN_TIME_MANAGE };

/* Used instead of an enum ompp_disabled value when the construct cannot be switched off. */
enum { OMPP_DISABLE_NONE = OMPP_N_DISABLED };

/* A row of construct.def, which says what its columns mean. */
struct ompp_construct_info {
	const char *name, *words;
	unsigned char form, counts, overhead, own, option;
};

extern const struct ompp_construct_info ompp_constructs[OMPP_N_CONSTRUCTS];

/* Returns the construct's name as reports print it, "PARALLEL LOOP"; "?" for a number that is no construct. */
const char *ompp_construct_name(enum ompp_construct construct);

/* Returns 1 for PARALLEL and the combined constructs. */
static inline int ompp_construct_is_parallel(enum ompp_construct construct)
{
	return construct <= OMPP_PARALLEL_WORKSHARE;
}

/* Returns 1 for constructs that make tasks, whose executions have call paths of their own (OMPP_TASKEXEC). */
static inline int ompp_construct_makes_tasks(enum ompp_construct construct)
{
	return construct == OMPP_TASK || construct == OMPP_TASKLOOP;
}

/* Returns 1 for locks of the OpenMP library. */
static inline int ompp_construct_is_lock(enum ompp_construct construct)
{
	return ompp_constructs[construct].form == OMPP_FORM_LOCK;
}

/* Returns 1 for calls in which threads wait for each other, in programs that kinst did not build. */
static inline int ompp_construct_is_wait(enum ompp_construct construct)
{
	return construct >= OMPP_JOIN && construct <= OMPP_FUTURE;
}

/* Returns 1 for forms that have bytes (core/mapped.h). */
static inline int ompp_form_has_bytes(int form)
{
	return form == OMPP_FORM_TARGET || form == OMPP_FORM_MESSAGE;
}

/* Returns 1 for calls of MPI. */
static inline int ompp_construct_is_mpi(enum ompp_construct construct)
{
	return construct >= OMPP_MPI_POINT && construct <= OMPP_MPI_MANAGEMENT;
}

#endif
