/*
 * Start: the library's constructor and destructor, and what the library does at the first event.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "runtime/access/access_sample.h"
#include "runtime/access/emulated.h"
#include "runtime/adapters/filter_calls.h"
#include "runtime/adapters/heap_calls.h"
#include "runtime/adapters/process_calls.h"
#include "runtime/adapters/signal_mask.h"
#include "runtime/adapters/watched.h"
#include "runtime/base/auxv.h"
#include "runtime/base/filter.h"
#include "runtime/collect/collect.h"
#include "runtime/collect/destination.h"
#include "runtime/collect/dump.h"
#include "runtime/collect/page_trace.h"
#include "runtime/collect/trace.h"
#include "runtime/core/session.h"
#include "runtime/host/real.h"
#include "runtime/host/redirect.h"
#include "runtime/host/stack.h"
#include "runtime/interpose/chunk_calls.h"
#include "runtime/interpose/gomp_calls.h"
#include "runtime/interpose/main_call.h"
#include "runtime/interpose/mpi_calls.h"
#include "runtime/interpose/thread_calls.h"
#include "runtime/session/naming.h"
#include "runtime/session/session_start.h"
#include "runtime/sources/sampling.h"

static void first_event(void)
{
	ompp_process_watch();
	ompp_dump_start();
}

/* Lets the ranks of an MPI run that were given one seed sample otherwise than each other: their errors would add up. */
static void seed_rank(void)
{
	int rank = ompp_mpi_rank();

	if (rank < 0 || !ompp_session.options.number[OMPP_OPT_SAMPLE_SEED])
		return;
	ompp_sampling_seed_rank((uint64_t)rank);
	ompp_access_sample_after_fork();
}

static void name_here(void *unused)
{
	(void)unused;
	ompp_naming_here();
}

/* glibc passes the arguments of main to constructors. */
__attribute__((constructor(101))) static void start(int argc, char **argv, char **envp)
{
	ompp_auxv_start(argc, argv, envp);
	ompp_session.argc = argc;
	ompp_session.argv = argv;
	ompp_session.envp = envp;
	ompp_filter_begin();
	ompp_process_watch_traps();
	ompp_session_start();
	seed_rank();
	ompp_trace_start();
	ompp_pages_start();
	ompp_process_redirect();
	ompp_process_watch();
	ompp_watched_start();
	ompp_signal_mask_start();
	ompp_heap_watch();
	ompp_chunk_calls_start();
	ompp_gomp_start();
	ompp_thread_calls_start();
	ompp_filter_calls_start();
	ompp_mpi_calls_look();
	ompp_main_call_start();
	ompp_redirect_all();
	ompp_thread_calls_look();
	ompp_session.first_event = first_event;
	ompp_stack_call(name_here, NULL);
	ompp_emulated_begin();
}

/* Makes the final report, after the program's own exit handlers.  So a report to stdout comes after what the program
 * has printed. */
__attribute__((destructor(101))) static void start_end(void)
{
	if (ompp_destination_stream() == STDOUT_FILENO && ompp_real()->fflush)
		ompp_real()->fflush(stdout);
	ompp_dump_final(0);
}
