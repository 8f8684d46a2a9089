/*
 * OMPT: the part that we use of the interface between an OpenMP library and a tool (OpenMP specification 5.2, chapter
 * 19, "OMPT Interface"), with the numbers and types of its binary interface.
 */
#ifndef OMPP_INTERPOSE_OMPT_H
#define OMPP_INTERPOSE_OMPT_H

#include <stdint.h>

/* A word of the tool's for each team and each task, 0 at first. */
struct ompp_ompt_data {
	uint64_t value;
};

typedef void ompp_ompt_function(void);
typedef ompp_ompt_function *ompp_ompt_lookup(const char *name);
typedef int ompp_ompt_set_callback(int event, ompp_ompt_function *callback);

/* What a tool is, for the library. */
struct ompp_ompt_tool {
	int (*initialize)(ompp_ompt_lookup *lookup, int device, struct ompp_ompt_data *tool); /* 0: not wanted */
	void (*finalize)(struct ompp_ompt_data *tool);
	struct ompp_ompt_data data;
};

/* Called by the library when it starts.
 * version: its OpenMP's year and month; words: its name */
struct ompp_ompt_tool *ompt_start_tool(unsigned version, const char *words);

enum ompp_ompt_event {
	OMPP_OMPT_PARALLEL_BEGIN = 3,
	OMPP_OMPT_PARALLEL_END,
	OMPP_OMPT_TASK_CREATE,
	OMPP_OMPT_TASK_SCHEDULE,
	OMPP_OMPT_IMPLICIT_TASK,
	OMPP_OMPT_MUTEX_RELEASED = 17,
	OMPP_OMPT_WORK = 20,
	OMPP_OMPT_MASKED,
	OMPP_OMPT_SYNC_REGION = 23,
	OMPP_OMPT_MUTEX_ACQUIRE = 26,
	OMPP_OMPT_MUTEX_ACQUIRED,
	OMPP_OMPT_FLUSH = 29,
	OMPP_OMPT_CANCEL
};

enum ompp_ompt_endpoint { OMPP_OMPT_BEGIN = 1, OMPP_OMPT_END, OMPP_OMPT_BEGIN_END };

enum ompp_ompt_work {
	OMPP_OMPT_LOOP = 1,
	OMPP_OMPT_SECTIONS,
	OMPP_OMPT_SINGLE_EXECUTOR,
	OMPP_OMPT_SINGLE_OTHER,
	OMPP_OMPT_WORKSHARE,
	OMPP_OMPT_DISTRIBUTE,
	OMPP_OMPT_TASKLOOP,
	OMPP_OMPT_SCOPE,
	OMPP_OMPT_LOOP_STATIC = 10,
	OMPP_OMPT_LOOP_DYNAMIC,
	OMPP_OMPT_LOOP_GUIDED,
	OMPP_OMPT_LOOP_OTHER
};

enum ompp_ompt_sync {
	OMPP_OMPT_BARRIER = 1,
	OMPP_OMPT_BARRIER_IMPLICIT,
	OMPP_OMPT_BARRIER_EXPLICIT,
	OMPP_OMPT_BARRIER_IMPLEMENTATION,
	OMPP_OMPT_TASKWAIT,
	OMPP_OMPT_TASKGROUP,
	OMPP_OMPT_REDUCTION,
	OMPP_OMPT_BARRIER_WORKSHARE,
	OMPP_OMPT_BARRIER_PARALLEL
};

enum ompp_ompt_mutex { OMPP_OMPT_CRITICAL = 5, OMPP_OMPT_ATOMIC, OMPP_OMPT_ORDERED };

enum ompp_ompt_status {
	OMPP_OMPT_COMPLETE = 1,
	OMPP_OMPT_YIELD,
	OMPP_OMPT_CANCELLED,
	OMPP_OMPT_DETACH,
	OMPP_OMPT_EARLY_FULFILL,
	OMPP_OMPT_LATE_FULFILL,
	OMPP_OMPT_SWITCH,
	OMPP_OMPT_TASKWAIT_COMPLETE
};

/* Bits of the flags of teams, tasks and cancellations. */
enum {
	OMPP_OMPT_LEAGUE = 0x40000000,
	OMPP_OMPT_TASK_IMPLICIT = 0x2,
	OMPP_OMPT_TASK_EXPLICIT = 0x4,
	OMPP_OMPT_TASK_TASKWAIT = 0x10,
	OMPP_OMPT_CANCEL_ACTIVATED = 0x10
};

#endif
