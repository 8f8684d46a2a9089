/*
 * Thread calls: see thread_calls.h.
 *
 * A new thread runs a function of ours, which calls that of the program.  A thread that ends in another way than by
 * returning from it (pthread_exit(), cancellation) is closed by the end of its slot (events/thread_start.c).
 */
#define _GNU_SOURCE
#include "runtime/interpose/thread_calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

#include "runtime/base/array.h"
#include "runtime/events/thread_start.h"
#include "runtime/host/loaded.h"
#include "runtime/interpose/cxx_thread.h"
#include "runtime/interpose/wait_call.h"
#include "runtime/interpose/wait_calls.h"
#include "runtime/program/templates.h"
#include "runtime/session/session_start.h"

typedef void *run_function(void *);
typedef int run_int_function(void *);

/* What a new thread runs.  The thread that makes it claims an entry and fills it, and the new one frees it as soon as
 * it has read it.  An entry that a forked child finds in use stays so. */
struct thread_run {
	_Atomic int is_used;
	run_function *run;         /* NULL: run_int */
	run_int_function *run_int; /* of thrd_create() */
	void *arg;
	uintptr_t address; /* by which the region is known */
};
enum { N_RUNS = 1024 };
static struct thread_run runs[N_RUNS];

/* The function that std::thread is about to run in the thread that it makes; 0 outside of its constructor. */
static __thread uintptr_t of_cxx __attribute__((tls_model("initial-exec")));

/* Claims an entry, and starts the calling thread.  Returns NULL when there is no entry: the thread is not measured. */
static struct thread_run *thread_claim(struct thread_run of)
{
	static _Atomic uint32_t next;

	if (ompp_mpi_inside || (!ompp_wait_is_measured() && (!ompp_session_start() || !ompp_thread_start(1))))
		return NULL;
	ompp_wait_calls_begin();
	for (int i = 0; i < N_RUNS; i++) {
		struct thread_run *r = &runs[atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % N_RUNS];
		int is_used = 0;

		if (!atomic_compare_exchange_strong_explicit(&r->is_used, &is_used, 1, memory_order_acquire,
		                                             memory_order_relaxed))
			continue;
		r->run = of.run;
		r->run_int = of.run_int;
		r->arg = of.arg;
		r->address = of.address;
		return r;
	}
	return NULL;
}

static void thread_free(struct thread_run *r)
{
	atomic_store_explicit(&r->is_used, 0, memory_order_release);
}

/* Begins the thread.  Returns its region, or NULL when it is not measured. */
static const struct ompp_region_def *thread_begin(uintptr_t address, struct ompp_caller caller)
{
	const struct ompp_region_def *def = ompp_thread_start(1) ? ompp_call_region(OMPP_THREAD, NULL, address) : NULL;

	if (!def || def->off)
		return NULL;
	ompp_visit_enter(def->key, caller);
	return def;
}

/* Defines what a new thread runs, which calls the function that its entry has in `run`. */
#define THREAD_RUN(name, result, run) \
	static result name(void *argument) \
	{ \
		struct thread_run *entry = argument, \
				  r = { .run = entry->run, .arg = entry->arg, .address = entry->address }; \
		const struct ompp_region_def *def; \
		result got; \
		thread_free(entry); \
		def = thread_begin(r.address, OMPP_CALLER()); \
		got = r.run(r.arg); \
		ompp_wait_end(def); \
		return got; \
	}

THREAD_RUN(thread_run, void *, run)
THREAD_RUN(thread_run_int, int, run_int)

static int (*real_pthread_create)(pthread_t *thread, const pthread_attr_t *attr, run_function *run, void *arg);
static int pthread_create_(pthread_t *thread, const pthread_attr_t *attr, run_function *run, void *arg)
{
	uintptr_t address = of_cxx ? of_cxx : (uintptr_t)run;
	struct thread_run *r;
	int rc;

	of_cxx = 0;
	r = thread_claim((struct thread_run){ .run = run, .arg = arg, .address = address + 1 });
	if (!r)
		return real_pthread_create(thread, attr, run, arg);
	rc = real_pthread_create(thread, attr, thread_run, r);
	if (rc)
		thread_free(r);
	return rc;
}

static int (*real_thrd_create)(thrd_t *thread, run_int_function *run, void *arg);
static int thrd_create_(thrd_t *thread, run_int_function *run, void *arg)
{
	struct thread_run *r = thread_claim(
		(struct thread_run){ .run_int = run, .arg = arg, .address = (uintptr_t)run + 1 });
	int rc;

	if (!r)
		return real_thrd_create(thread, run, arg);
	rc = real_thrd_create(thread, thread_run_int, r);
	if (rc != thrd_success)
		thread_free(r);
	return rc;
}

/* std::thread's constructor runs one function in all threads, which calls a virtual function of the state.  The
 * parameter is passed as the address of a unique_ptr. */
static void (*real_cxx_start)(void *self, const uintptr_t *const *state, void (*depend)(void));
static void cxx_start_(void *self, const uintptr_t *const *state, void (*depend)(void))
{
	of_cxx = ompp_cxx_thread_function(*state);
	real_cxx_start(self, state, depend);
	of_cxx = 0;
}

/* ---- joins ---- */

OMPP_WAIT_CALL(OMPP_JOIN, int, pthread_join, (pthread_t t, void **result), (t, result))
OMPP_WAIT_CALL(OMPP_JOIN, int, pthread_timedjoin_np, (pthread_t t, void **result, const struct timespec *limit),
               (t, result, limit))
OMPP_WAIT_CALL(OMPP_JOIN, int, pthread_clockjoin_np,
               (pthread_t t, void **result, clockid_t clock, const struct timespec *limit), (t, result, clock, limit))
OMPP_WAIT_CALL(OMPP_JOIN, int, thrd_join, (thrd_t t, int *result), (t, result))

/* std::thread::join(), which throws where there is nothing to join. */
static void (*real__ZNSt6thread4joinEv)(pthread_t *self);
static void _ZNSt6thread4joinEv_(pthread_t *self)
{
	const struct ompp_region_def *def = *self ? ompp_wait_begin(OMPP_JOIN, OMPP_CALLER()) : NULL;

	real__ZNSt6thread4joinEv(self);
	ompp_wait_end(def);
}

/* 1 where such calls are measured. */
static int is_on;

void ompp_thread_calls_look(void)
{
	if (is_on && real__ZNSt6thread4joinEv)
		ompp_templates_look();
}

void ompp_thread_calls_start(void)
{
	static const struct ompp_redirection list[] = {
		OMPP_CALL_ROW(pthread_create),
		OMPP_CALL_ROW(thrd_create),
		{ "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
		  (ompp_call_function *)(uintptr_t)cxx_start_, (ompp_call_function **)(void *)&real_cxx_start,
		  OMPP_REDIRECT_UNBUILT },
		OMPP_CALL_ROW(pthread_join),
		OMPP_CALL_ROW(pthread_timedjoin_np),
		OMPP_CALL_ROW(pthread_clockjoin_np),
		OMPP_CALL_ROW(thrd_join),
		OMPP_CALL_ROW(_ZNSt6thread4joinEv),
	};

	is_on = ompp_session.options.number[OMPP_OPT_INTERPOSE] && !ompp_loaded_is_linked();
	if (!is_on)
		return;
	ompp_loaded_start();
	ompp_redirect_add(list, OMPP_COUNT_OF(list));
	ompp_wait_calls_start();
}
