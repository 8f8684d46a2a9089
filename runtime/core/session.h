/*
 * Session: the one measured run of this process: its options, its start, and whether it is on.
 *
 * It is started by the library's constructor, and ended by its destructor or by another way to end the process
 * (adapters/process_calls.c).  Everything here is written at the start, except `off`, `n_switches` and `ended`, and
 * `main_ticks`, which is written before main().
 *
 * While measuring is off the clock is stopped (host/clock.h), and so are the counters of each thread (thread.h).
 * Events are processed as usual, so that ends find their begins and threads their teams; a visit that was entirely
 * within such a time is not counted.
 */
#ifndef OMPP_CORE_SESSION_H
#define OMPP_CORE_SESSION_H

#include <stdint.h>
#include <sys/types.h>

#include "runtime/host/clock.h"
#include "runtime/sources/source.h"
#include "runtime/terms/option.h"

struct ompp_session {
	int off;             /* not 0 while POMP2_Off or ompp_off is in force; see enum ompp_off */
	uint32_t n_switches; /* switches between on and off: odd while it is off */
	struct ompp_options options;
	struct ompp_clock_anchor start;
	int64_t start_unix_ns;
	uint64_t main_ticks; /* when main() began; 0 when that is not known */
	pid_t pid;
	uint64_t blocked; /* signals that were blocked at the start */
	int forked;       /* 1 in a child by fork(); it reports only what it measured itself */
	int argc;
	char **argv, **envp;
	char folder[4096];     /* working directory at the start; "" when unknown */
	uint32_t max_threads;  /* omp_get_max_threads() at the first event */
	uint32_t n_processors; /* usable before any thread was bound to processors; 0 when not known */
	_Atomic uint32_t n_dumps;
	_Atomic int ended;                 /* the final report is made or being made */
	void (*first_event)(void);         /* called once by the first thread; may be NULL */
	unsigned int n_hooked, n_unhooked; /* files of the program with access hooks, and without */
	const char *uncounted; /* text about files with accesses that have no hook; NULL when none is known */
	const char *unhooked;  /* names of the files without access hooks, a comma list; NULL when not known */
};

enum ompp_off { OMPP_IS_ON, OMPP_IS_OFF, OMPP_IS_SWITCHING };

extern struct ompp_session ompp_session;

/* Calls start() once in this process; other threads wait meanwhile.  Returns 1 when the session is started.  Returns 0
 * when this thread is itself inside start() and has reached a hook (through the program's own malloc): nothing may be
 * measured then. */
int ompp_session_begin(void (*start)(void));

/* Returns the same as ompp_session_begin(), but starts nothing: it returns 0 also when no thread has begun to start the
 * session. */
int ompp_session_is_started(void);

/* Reads the clocks at the start of the run. */
void ompp_session_read_clocks(void);

/* Returns the name of the application for reports. */
const char *ompp_session_app(void);

/* Begins a new run in a forked child. */
void ompp_session_after_fork(void);

/* Writes one line "ompp: …" to stderr, unless OMPP_QUIET is set, or stderr is another file than at the start.  What
 * cannot be written at once is lost. */
void ompp_session_say(const char *line);

/* Functions of the program's OpenMP library; their addresses are NULL when it is not linked in. */
extern int omp_get_thread_num(void) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));
extern int omp_get_num_procs(void) __attribute__((weak));
extern int omp_get_level(void) __attribute__((weak));
extern int omp_get_num_threads(void) __attribute__((weak));
extern int omp_get_ancestor_thread_num(int level) __attribute__((weak));

#endif
