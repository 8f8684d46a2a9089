/*
 * POMP2 for Fortran: the same entry points under gfortran's names (lower case, one underscore).  All arguments are
 * passed by reference, and the length of the CTC string is a last, hidden argument.
 *
 * Each function jumps to its C counterpart with a tail call.  The stack pointer that an event records is then that of
 * the counterpart, one frame below the program's.  Comparisons between events of one thread remain valid, as this is
 * the same for all Fortran events.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>

#include "runtime/interpose/lock_calls.h"
#include "runtime/adapters/pomp2.h"
#include "runtime/session/register.h"

/* Registers a region before the C twin could look for the end of its CTC string, as a string in Fortran has a length
 * and no end. */
static inline void pomp2_fortran_assign(void **handle, const char *ctc, size_t n)
{
	if (__builtin_expect(!__atomic_load_n(handle, __ATOMIC_ACQUIRE), 0))
		ompp_register(handle, ctc, n);
}

#define EVENT(lower, Name) \
	void pomp2_##lower##_(void **handle); \
	void pomp2_##lower##_(void **handle) \
	{ \
		POMP2_##Name(handle); \
	}

#define EVENT_CTC(lower, Name) \
	void pomp2_##lower##_(void **handle, const char *ctc, size_t n); \
	void pomp2_##lower##_(void **handle, const char *ctc, size_t n) \
	{ \
		pomp2_fortran_assign(handle, ctc, n); \
		POMP2_##Name(handle, ""); \
	}

#define EVENT_OLD(lower, Name) \
	void pomp2_##lower##_(void **handle, int64_t *old_task); \
	void pomp2_##lower##_(void **handle, int64_t *old_task) \
	{ \
		POMP2_##Name(handle, *old_task); \
	}

#define EVENT_OLD_CTC(lower, Name) \
	void pomp2_##lower##_(void **handle, int64_t *old_task, const char *ctc, size_t n); \
	void pomp2_##lower##_(void **handle, int64_t *old_task, const char *ctc, size_t n) \
	{ \
		pomp2_fortran_assign(handle, ctc, n); \
		POMP2_##Name(handle, old_task, ""); \
	}

#define CREATE(lower, Name) \
	void pomp2_##lower##_(void **handle, int64_t *new_task, int64_t *old_task, int *if_clause, const char *ctc, \
	                      size_t n); \
	void pomp2_##lower##_(void **handle, int64_t *new_task, int64_t *old_task, int *if_clause, const char *ctc, \
	                      size_t n) \
	{ \
		pomp2_fortran_assign(handle, ctc, n); \
		POMP2_##Name(handle, new_task, old_task, *if_clause, ""); \
	}

#define CALL(lower, Name) \
	void pomp2_##lower##_(void); \
	void pomp2_##lower##_(void) \
	{ \
		POMP2_##Name(); \
	}

EVENT_CTC(atomic_enter, Atomic_enter)
EVENT(atomic_exit, Atomic_exit)
EVENT_OLD_CTC(barrier_enter, Barrier_enter)
EVENT_OLD(barrier_exit, Barrier_exit)
EVENT_OLD(implicit_barrier_exit, Implicit_barrier_exit)
EVENT_CTC(flush_enter, Flush_enter)
EVENT(flush_exit, Flush_exit)
EVENT_CTC(critical_enter, Critical_enter)
EVENT(critical_exit, Critical_exit)
EVENT(critical_begin, Critical_begin)
EVENT(critical_end, Critical_end)
EVENT_CTC(do_enter, For_enter)
EVENT(do_exit, For_exit)
EVENT_CTC(for_enter, For_enter)
EVENT(for_exit, For_exit)
EVENT_CTC(master_begin, Master_begin)
EVENT(master_end, Master_end)
EVENT(parallel_begin, Parallel_begin)
EVENT(parallel_end, Parallel_end)
EVENT_OLD(parallel_join, Parallel_join)
EVENT_CTC(section_begin, Section_begin)
EVENT(section_end, Section_end)
EVENT_CTC(sections_enter, Sections_enter)
EVENT(sections_exit, Sections_exit)
EVENT_CTC(single_enter, Single_enter)
EVENT(single_exit, Single_exit)
EVENT(single_begin, Single_begin)
EVENT(single_end, Single_end)
EVENT_CTC(workshare_enter, Workshare_enter)
EVENT(workshare_exit, Workshare_exit)
EVENT_CTC(ordered_enter, Ordered_enter)
EVENT(ordered_exit, Ordered_exit)
EVENT(ordered_begin, Ordered_begin)
EVENT(ordered_end, Ordered_end)
CREATE(task_create_begin, Task_create_begin)
EVENT_OLD(task_create_end, Task_create_end)
EVENT_OLD(task_begin, Task_begin)
EVENT(task_end, Task_end)
CREATE(untied_task_create_begin, Untied_task_create_begin)
EVENT_OLD(untied_task_create_end, Untied_task_create_end)
EVENT_OLD(untied_task_begin, Untied_task_begin)
EVENT(untied_task_end, Untied_task_end)
EVENT_OLD_CTC(taskwait_begin, Taskwait_begin)
EVENT_OLD(taskwait_end, Taskwait_end)
EVENT_CTC(begin, Begin)
EVENT(end, End)
CALL(init, Init)
CALL(finalize, Finalize)
CALL(off, Off)
CALL(on, On)
CALL(init_regions, Init_regions)
CALL(user_init_regions, USER_Init_regions)

void pomp2_implicit_barrier_enter_(void **handle, int64_t *old_task);
void pomp2_implicit_barrier_enter_(void **handle, int64_t *old_task)
{
	POMP2_Implicit_barrier_enter(handle, old_task);
}

void pomp2_parallel_fork_(void **handle, int *if_clause, int *num_threads, int64_t *old_task, const char *ctc,
                          size_t n);
void pomp2_parallel_fork_(void **handle, int *if_clause, int *num_threads, int64_t *old_task, const char *ctc, size_t n)
{
	pomp2_fortran_assign(handle, ctc, n);
	POMP2_Parallel_fork(handle, *if_clause, *num_threads, old_task, "");
}

void ompp_parallel_begin_(void **handle, int64_t *old_task);
void ompp_parallel_begin_(void **handle, int64_t *old_task)
{
	ompp_parallel_begin(handle, *old_task);
}

void pomp2_assign_handle_(void **handle, const char *ctc, size_t n);
void pomp2_assign_handle_(void **handle, const char *ctc, size_t n)
{
	pomp2_fortran_assign(handle, ctc, n);
}

void pomp2_user_assign_handle_(void **handle, const char *ctc, size_t n);
void pomp2_user_assign_handle_(void **handle, const char *ctc, size_t n)
{
	pomp2_fortran_assign(handle, ctc, n);
}

int pomp2_lib_get_max_threads_(void);
int pomp2_lib_get_max_threads_(void)
{
	return POMP2_Lib_get_max_threads();
}

void pomp2_get_new_task_handle_(int64_t *task);
void pomp2_get_new_task_handle_(int64_t *task)
{
	*task = POMP2_Get_new_task_handle();
}

/* The place of the thread's next lock call.  It is set by another call, which kinst puts before the lock call. */
static __thread const char *next_site __attribute__((tls_model("initial-exec")));

void ompp_f_lock_(const char *site, size_t n);
void ompp_f_lock_(const char *site, size_t n)
{
	next_site = ompp_lock_site(site, n) ? site : NULL;
}

/* Returns the place of this lock call, and forgets it.  ompp_f_lock_() has registered it, so that it is found again by
 * its address alone: in Fortran its text has no end. */
static inline const char *take_site(void)
{
	const char *site = next_site;

	next_site = NULL;
	return site;
}

/* Fortran's lock calls go on to the OpenMP library's Fortran functions, as a Fortran lock may have another size than
 * one of C. */
#define LOCKS(kind, construct) \
	void pomp2_init_##kind##_(void *s); \
	void pomp2_destroy_##kind##_(void *s); \
	void pomp2_set_##kind##_(void *s); \
	void pomp2_unset_##kind##_(void *s); \
	int pomp2_test_##kind##_(void *s); \
	OMPP_DEFINE_LOCKS(pomp2_init_##kind##_, pomp2_destroy_##kind##_, pomp2_set_##kind##_, pomp2_unset_##kind##_, \
	                  pomp2_test_##kind##_, omp, kind##_, construct, take_site())

LOCKS(lock, OMPP_LOCK)
LOCKS(nest_lock, OMPP_NEST_LOCK)

/* The same functions for calls that stay as they are in the program's text, by ld --wrap. */
#define WRAP(call, kind, type) \
	type __wrap_omp_##call##_##kind##_(void *s); \
	type __wrap_omp_##call##_##kind##_(void *s) \
	{ \
		return pomp2_##call##_##kind##_(s); \
	}
#define WRAPS(kind) \
	WRAP(init, kind, void) \
	WRAP(destroy, kind, void) \
	WRAP(set, kind, void) \
	WRAP(unset, kind, void) \
	WRAP(test, kind, int)

WRAPS(lock)
WRAPS(nest_lock)
