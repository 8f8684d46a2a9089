/*
 * Session: the one measured run of this process: its options, its start, whether it is on.
 *
 * Started by the library's constructor, ended by its destructor or by what ends the process (adapters/process.c).
 * Everything here is written at the start, except `off`, `n_switches` and `ended`.
 *
 * While measuring is off the clock stands (base/clock.h), and so do the counters of each thread (thread.h).  Events go
 * on as ever, so that ends find their begins and threads their teams; what lay wholly in such a time is not counted.
 */
#ifndef OMPP_CORE_SESSION_H
#define OMPP_CORE_SESSION_H

#include <stdint.h>
#include <sys/types.h>

#include "runtime/base/clock.h"
#include "runtime/base/option.h"
#include "runtime/sources/source.h"

struct ompp_session {
	int                      off;           /* not 0: POMP2_Off / ompp_off is in force; see enum ompp_off */
	uint32_t                 n_switches;    /* between on and off: odd while it is off */
	struct ompp_options      options;
	struct ompp_clock_anchor start;
	int64_t                  start_unix_ns;
	int64_t                  utc_offset_s;
	pid_t                    pid;
	int                      forked;        /* 1: a child by fork(); it reports only what it measured itself */
	int                      argc;
	char                   **argv, **envp;
	char                     folder[4096];  /* in which the program started; "" when unknown */
	uint32_t                 max_threads;   /* omp_get_max_threads() at the first event */
	uint32_t                 n_processors;  /* that the process may run on, before threads were bound to some; 0: not known */
	_Atomic uint32_t         n_dumps;
	_Atomic int              ended;         /* the final report is made or being made */
	void                   (*first_event)(void);    /* called once by the first thread; may be NULL */
	unsigned int             n_hooked, n_unhooked;  /* files of the program with access hooks, and without */
	const char              *unseen;        /* files with accesses that have no hook, and which; NULL: none known */
	const char              *unhooked;      /* names of the latter, a comma list; NULL: not known */
};

enum ompp_off { OMPP_IS_ON, OMPP_IS_OFF, OMPP_IS_SWITCHING };

extern struct ompp_session ompp_session;

/* Start once; later calls return at once.  Called by the constructor and, in case an event comes before it, by the
 * first registration.  0: this thread is just about to start it, and calls a hook on the way (the program's own malloc):
 * nothing may be measured. */
int ompp_session_start(void);

/* Measuring off (1) or on (0), in all threads.  The same again, or while another thread switches, changes nothing. */
void ompp_session_switch(int off);

/* In a forked child: a run of its own begins. */
void ompp_session_after_fork(void);

/* One line "ompp: …" on stderr, unless OMPP_QUIET, or stderr is another file than at the start.  What stderr does not take
 * at once is lost. */
void ompp_session_say(const char *line);

/* The program's OpenMP library, where it is linked in; NULL members otherwise. */
extern int omp_get_thread_num(void) __attribute__((weak));
extern int omp_get_max_threads(void) __attribute__((weak));
extern int omp_get_num_procs(void) __attribute__((weak));
extern int omp_get_level(void) __attribute__((weak));
extern int omp_get_num_threads(void) __attribute__((weak));
extern int omp_get_ancestor_thread_num(int level) __attribute__((weak));

#endif
