/*
 * Steps: what the unit tests of the runtime share.
 *
 * Each test runs in a process of its own, as a process has one session.  The threads of a test act in a known order:
 * every action has a number, at(k) waits until all actions before k are done.  With the fake clock each event takes
 * one microsecond, so the times in the collected profile are known; the tests write them as differences of the
 * readings.  The tests stand in for the OpenMP library: rank is what omp_get_thread_num() answers.
 */
#ifndef TESTS_UNIT_STEPS_H
#define TESTS_UNIT_STEPS_H

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reports/profile/profile.h"
#include "runtime/adapters/pomp2.h"
#include "runtime/base/note.h"

/* A string as opari2 writes it, and a handle with it: REGION(loop, for, 3, 5, hasNowait=1) gives h_loop, loop_ctc. */
#define CTC(type, begin, end, more) \
	"0*regionType=" #type "*sscl=dir/t.c:" #begin ":" #begin "*escl=dir/t.c:" #end ":" #end "*" more "*"
#define REGION(name, type, begin, end) REGION_WITH(name, type, begin, end, "")
#define REGION_WITH(name, type, begin, end, more) \
	static void *h_##name;                    \
	static const char name##_ctc[] __attribute__((unused)) = CTC(type, begin, end, more)

extern __thread int rank;

/* Set OMPP_ variables before the first event; the clock is the fake one unless said otherwise. */
void option(const char *name, const char *value);

/* Wait until it is step k's turn, and end the step that this thread was in. */
void at(int k);

/* A thread that runs body with this rank; the end of body ends its last step.  They end, and are joined, in
 * join_threads(). */
void start_thread(int its_rank, void (*body)(void));
void join_threads(void);

/* One barrier for n threads, which orders no more than OpenMP's own does. */
void barrier_init(int n);
void barrier_wait(void);

/* Collect now; the memory stays.  The numbers of the last collection: path is begin lines or names from the root,
 * "10/12"; "12x" is the TASKEXEC of the task at line 12; row is a label.  Fails the test where there is none. */
const struct ompp_profile *collect(void);
const struct ompp_cell *cell(const char *path, const char *row);
int has_cell(const char *path, const char *row);
int64_t metric(const char *path, const char *row);
uint64_t note(enum ompp_note_kind kind);

/* The identities of profile.h, for all cells of the last collection. */
void check_identities(void);

/* cmocka's tests, each in a process of its own; the exit status for main. */
int run_apart(const struct CMUnitTest *tests, size_t n_tests);
#define RUN_APART(tests) run_apart((tests), sizeof(tests) / sizeof((tests)[0]))

/* us(3): 3 steps of the fake clock. */
static inline int64_t us(int64_t n)
{
	return n * 1000;
}

#endif
