/*
 * Construct: the kinds of region, and their names in reports.
 */
#ifndef OMPP_BASE_CONSTRUCT_H
#define OMPP_BASE_CONSTRUCT_H

/* What a region is; the order is the order of the Region Overview.  Saved profiles hold the numbers: new ones go behind. */
enum ompp_construct {
	OMPP_PARALLEL,
	OMPP_PARALLEL_LOOP,
	OMPP_PARALLEL_SECTIONS,
	OMPP_PARALLEL_WORKSHARE,
	OMPP_LOOP,
	OMPP_SECTIONS,
	OMPP_SINGLE,
	OMPP_WORKSHARE,
	OMPP_MASTER,
	OMPP_CRITICAL,
	OMPP_ATOMIC,
	OMPP_BARRIER,
	OMPP_FLUSH,
	OMPP_ORDERED,
	OMPP_TASK,                      /* of a node: the creation */
	OMPP_TASKEXEC,                  /* of a node only: the execution of the region's tasks */
	OMPP_TASKWAIT,
	OMPP_LOCK,
	OMPP_NEST_LOCK,
	OMPP_USER_REGION,
	OMPP_FUNCTION,
	OMPP_TASKLOOP,                  /* of a node: the creation, and waiting for the tasks; their execution is TASKEXEC */
	OMPP_TASKGROUP,
	OMPP_TASKYIELD,
	OMPP_MASKED,
	OMPP_SCOPE,
	OMPP_GENERIC_LOOP,
	OMPP_SIMD,
	OMPP_TEAMS,
	OMPP_DISTRIBUTE,
	OMPP_TARGET,
	OMPP_TARGET_DATA,
	OMPP_TARGET_ENTER_DATA,
	OMPP_TARGET_EXIT_DATA,
	OMPP_TARGET_UPDATE,
	OMPP_CANCEL,
	OMPP_CANCELLATION_POINT,
	OMPP_DEPOBJ,
	OMPP_N_CONSTRUCTS
};

/* The names as the reports print them: "PARALLEL LOOP", "TASKEXEC" …; out of range: "?". */
const char *ompp_construct_name(enum ompp_construct construct);

/* 1 for PARALLEL and the combined constructs. */
static inline int ompp_construct_is_parallel(enum ompp_construct construct)
{
	return construct <= OMPP_PARALLEL_WORKSHARE;
}

#endif
