/*
 * Steps: what the unit tests of the runtime share.
 *
 * Each test runs in a process of its own, as a process has one session.  The threads of a test act in a known order:
 * every action has a number, and at(k) waits until all actions before k are done.  With the fake clock each event takes
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
#include "runtime/base/array.h"
#include "runtime/host/note.h"

/* REGION(loop, for, 3, 5) makes a handle, h_loop, and the context string that opari2 would write for it, loop_ctc. */
#define CTC(type, begin, end, more) \
	"0*regionType=" #type "*sscl=dir/t.c:" #begin ":" #begin "*escl=dir/t.c:" #end ":" #end "*" more "*"
#define REGION(name, type, begin, end) REGION_WITH(name, type, begin, end, "")
#define REGION_WITH(name, type, begin, end, more) \
	static void *h_##name; \
	static const char name##_ctc[] __attribute__((unused)) = CTC(type, begin, end, more)

extern __thread int rank;

/* Sets an OMPP_ variable; to be called before the first event.  The clock is the fake one unless a test sets another.
 */
void option(const char *name, const char *value);

/* Of a test's cases each run takes one of so many parts.  Returns its number, from 0 on, by the time of day, or the
 * environment's CASES, from 1 on; the log has it. */
uint32_t part_of_cases(uint32_t n_parts);

/* Ends the step that this thread was in, and waits until it is step k's turn. */
void at(int k);

/* Starts a thread that runs body with this rank; the end of body ends its last step.  join_threads() lets all these
 * threads end, and joins them. */
void start_thread(int its_rank, void (*body)(void));
void join_threads(void);

/* There is one barrier for n threads; it orders memory no more than OpenMP's own barriers do. */
void barrier_init(int n);
void barrier_wait(void);

/* collect() makes a profile of what was measured so far, which stays in memory.  The functions below answer from the
 * last such profile; cell() and metric() fail the test where there is no such cell.
 * path: the regions from the root, by their first lines or names, as "10/12"; "12x" is the TASKEXEC of the task at 12
 * row: the label of the row */
const struct ompp_profile *collect(void);
const struct ompp_cell *cell(const char *path, const char *row);
int has_cell(const char *path, const char *row);
int64_t metric(const char *path, const char *row);
uint64_t note(enum ompp_note_kind kind);

/* Checks the identities that profile.h states, for all cells of the last collection. */
void check_identities(void);

/* Runs each of cmocka's tests in a process of its own, and returns the exit status for main. */
int run_apart(const struct CMUnitTest *tests, size_t n_tests);
#define RUN_APART(tests) run_apart((tests), OMPP_COUNT_OF(tests))

/* Returns how many nanoseconds n steps of the fake clock are. */
static inline int64_t us(int64_t n)
{
	return n * 1000;
}

#endif
