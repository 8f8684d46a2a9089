/*
 * Interpose floor: the least that any tool must do in a program that nobody recompiled: one reading of the clock per
 * event, stored.  Preloaded into a program by GCC, it stands before libgomp's functions; in one by Clang it is LLVM's
 * tool.  `make bench` runs the benchmark with this in place of libompp, to say what part of the cost is ours.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/interpose/ompt.h"
#include "tests/bench/floor_event.h"

/* ---- libgomp's calls ---- */

typedef void body(void *);

static void (*real_parallel)(body *, void *, unsigned, unsigned);
static void (*real_task)(body *, void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int, void *);
static bool (*real_single_start)(void);
static void (*real_barrier)(void), (*real_critical_start)(void), (*real_critical_end)(void), (*real_taskwait)(void);

__attribute__((constructor)) static void start(void)
{
	*(void **)&real_parallel = dlsym(RTLD_NEXT, "GOMP_parallel");
	*(void **)&real_task = dlsym(RTLD_NEXT, "GOMP_task");
	*(void **)&real_single_start = dlsym(RTLD_NEXT, "GOMP_single_start");
	*(void **)&real_barrier = dlsym(RTLD_NEXT, "GOMP_barrier");
	*(void **)&real_critical_start = dlsym(RTLD_NEXT, "GOMP_critical_start");
	*(void **)&real_critical_end = dlsym(RTLD_NEXT, "GOMP_critical_end");
	*(void **)&real_taskwait = dlsym(RTLD_NEXT, "GOMP_taskwait");
}

struct part {
	body *run;
	void *data;
};

static void run_part(void *part)
{
	const struct part *p = part;

	event();
	p->run(p->data);
	event();
	real_barrier();
	event();
}

void GOMP_parallel(body *run, void *data, unsigned n, unsigned flags)
{
	struct part part = { run, data };

	event();
	real_parallel(run_part, &part, n, flags);
	event();
}

/* Of one construct at a time, as the benchmark has them. */
static body *task_body;

static void run_task(void *data)
{
	event();
	task_body(data);
	event();
}

void GOMP_task(body *run, void *data, void (*copy)(void *, void *), long n_bytes, long alignment, bool is_deferred,
               unsigned flags, void **depend, int priority, void *detach)
{
	if (task_body != run)
		task_body = run;
	event();
	real_task(run_task, data, copy, n_bytes, alignment, is_deferred, flags, depend, priority, detach);
	event();
}

bool GOMP_single_start(void)
{
	bool executes;

	event();
	executes = real_single_start();
	event();
	return executes;
}

#define CALL(name) \
	void GOMP_##name(void) \
	{ \
		event(); \
		real_##name(); \
		event(); \
	}
CALL(barrier)
CALL(critical_start)
CALL(critical_end)
CALL(taskwait)

/* ---- LLVM's tool ---- */

static void told(void)
{
	event();
}

static int initialize(ompp_ompt_lookup *lookup, int device, struct ompp_ompt_data *tool)
{
	static const int list[] = { OMPP_OMPT_PARALLEL_BEGIN, OMPP_OMPT_PARALLEL_END,  OMPP_OMPT_TASK_CREATE,
		                    OMPP_OMPT_TASK_SCHEDULE,  OMPP_OMPT_IMPLICIT_TASK, OMPP_OMPT_MUTEX_RELEASED,
		                    OMPP_OMPT_WORK,           OMPP_OMPT_MASKED,        OMPP_OMPT_SYNC_REGION,
		                    OMPP_OMPT_MUTEX_ACQUIRE,  OMPP_OMPT_MUTEX_ACQUIRED };
	ompp_ompt_set_callback *set = (ompp_ompt_set_callback *)(uintptr_t)lookup("ompt_set_callback");

	(void)device, (void)tool;
	for (size_t i = 0; set && i < sizeof(list) / sizeof(list[0]); i++)
		set(list[i], told);
	return set != NULL;
}

static void finalize(struct ompp_ompt_data *tool)
{
	(void)tool;
}

struct ompp_ompt_tool *ompt_start_tool(unsigned version, const char *words)
{
	static struct ompp_ompt_tool tool = { initialize, finalize, { 0 } };

	(void)version, (void)words;
	return &tool;
}
