/*
 * Fortran: the calls that kinst puts into Fortran programs.  Each passes only the construct's context string.
 *
 * A string is a constant of the program, so its address identifies its region: it is looked up in a lock-free table of
 * addresses.  The first thread that uses a string registers the region by its text.  The last bytes of the string are
 * compared, as another library may be loaded at the addresses of an unloaded one.
 */
#include <stdatomic.h>
#include <string.h>

#include "runtime/adapters/pomp2.h"
#include "runtime/base/space.h"
#include "runtime/core/thread.h"
#include "runtime/events/team.h"
#include "runtime/session/register.h"

enum { N_ENTRIES = 65536, MOST_PROBES = 32, TAIL_BYTES = 16, MANY_THREADS = 1024 };

/* A string of the table.
 * address: claimed once and never given back
 * handle: NULL until the region is known; then n and tail are valid, too */
struct entry {
	const char *_Atomic address;
	void *handle;
	size_t n;
	char tail[TAIL_BYTES];
};
static struct entry *entries; /* [N_ENTRIES]; NULL until the first string is met */

static int is_same(const struct entry *entry, const char *ctc, size_t n)
{
	return entry->n == n && !memcmp(entry->tail, ctc + n - TAIL_BYTES, TAIL_BYTES);
}

/* Returns the handle of a string that was not in the table, also in *handle.  It is kept in the table when there is
 * room. */
static void *fortran_meet(const char *ctc, size_t n, void **handle)
{
	size_t at = ((uintptr_t)ctc >> 4) * 0x9E3779B1u % N_ENTRIES, i;
	struct entry *table = ompp_space_table((void **)&entries, N_ENTRIES * sizeof(*table));
	const char *none;

	*handle = NULL;
	ompp_register(handle, ctc, n);
	for (i = 0; i < MOST_PROBES && n >= TAIL_BYTES && *handle && table; i++, at = (at + 1) % N_ENTRIES) {
		none = NULL;
		if (!atomic_compare_exchange_strong(&table[at].address, &none, ctc))
			continue;
		table[at].n = n;
		memcpy(table[at].tail, ctc + n - TAIL_BYTES, TAIL_BYTES);
		__atomic_store_n(&table[at].handle, *handle, __ATOMIC_RELEASE);
		break;
	}
	return *handle;
}

/* Returns where the handle of a string is.  HOT.
 * room: the caller's variable that gets the handle */
static inline void **fortran_find(const char *ctc, size_t n, void **room)
{
	size_t at = ((uintptr_t)ctc >> 4) * 0x9E3779B1u % N_ENTRIES, i;
	struct entry *table = __atomic_load_n(&entries, __ATOMIC_ACQUIRE);

	for (i = 0; i < MOST_PROBES && __builtin_expect(table != NULL, 1); i++, at = (at + 1) % N_ENTRIES) {
		const char *address = atomic_load_explicit(&table[at].address, memory_order_relaxed);

		if (!address)
			break;
		if (address != ctc)
			continue;
		*room = __atomic_load_n(&table[at].handle, __ATOMIC_ACQUIRE);
		if (*room && is_same(&table[at], ctc, n))
			return room;
	}
	fortran_meet(ctc, n, room);
	return room;
}

#define CALL(name, call) \
	void ompp_f_##name##_(const char *ctc, size_t n); \
	void ompp_f_##name##_(const char *ctc, size_t n) \
	{ \
		void *room, **handle = fortran_find(ctc, n, &room); \
		int64_t task = 0; \
		(void)task; \
		call; \
	}

CALL(for_enter, POMP2_For_enter(handle, ""))
CALL(for_exit, POMP2_For_exit(handle))
CALL(loop_iterates, ompp_loop_iterates(handle))
CALL(sections_enter, POMP2_Sections_enter(handle, ""))
CALL(sections_exit, POMP2_Sections_exit(handle))
CALL(section_begin, POMP2_Section_begin(handle, ""))
CALL(section_end, POMP2_Section_end(handle))
CALL(single_enter, POMP2_Single_enter(handle, ""))
CALL(single_begin, POMP2_Single_begin(handle))
CALL(single_end, POMP2_Single_end(handle))
CALL(single_exit, POMP2_Single_exit(handle))
CALL(master_begin, POMP2_Master_begin(handle, ""))
CALL(master_end, POMP2_Master_end(handle))
CALL(critical_enter, POMP2_Critical_enter(handle, ""))
CALL(critical_begin, POMP2_Critical_begin(handle))
CALL(critical_end, POMP2_Critical_end(handle))
CALL(critical_exit, POMP2_Critical_exit(handle))
CALL(ordered_enter, POMP2_Ordered_enter(handle, ""))
CALL(ordered_begin, POMP2_Ordered_begin(handle))
CALL(ordered_end, POMP2_Ordered_end(handle))
CALL(ordered_exit, POMP2_Ordered_exit(handle))
CALL(atomic_enter, POMP2_Atomic_enter(handle, ""))
CALL(atomic_exit, POMP2_Atomic_exit(handle))
CALL(flush_enter, POMP2_Flush_enter(handle, ""))
CALL(flush_exit, POMP2_Flush_exit(handle))
CALL(barrier_enter, POMP2_Barrier_enter(handle, &task, ""))
CALL(barrier_exit, POMP2_Barrier_exit(handle, 0))
CALL(wait, POMP2_Implicit_barrier_enter(handle, &task))
CALL(waited, POMP2_Implicit_barrier_exit(handle, 0))
CALL(begin, POMP2_Begin(handle, ""))
CALL(end, POMP2_End(handle))
CALL(run, POMP2_Parallel_begin(handle))
CALL(ran, POMP2_Parallel_end(handle))
CALL(join, POMP2_Parallel_join(handle, 0))
CALL(fork, POMP2_Parallel_fork(handle, 1, POMP2_Lib_get_max_threads(), &task, ""))
/* gfortran's library runs a task to its end in one thread, so no instance has to be found again */
CALL(task_create, POMP2_Task_create_begin(handle, &task, &task, 1, ""))
CALL(task_created, POMP2_Task_create_end(handle, (int64_t)ompp_thread_instance(ompp_self)))
CALL(task_begin, POMP2_Task_begin(handle, 0))
CALL(task_end, POMP2_Task_end(handle))
CALL(untied_create, POMP2_Untied_task_create_begin(handle, &task, &task, 1, ""))
CALL(untied_created, POMP2_Untied_task_create_end(handle, (int64_t)ompp_thread_instance(ompp_self)))
CALL(untied_begin, POMP2_Untied_task_begin(handle, 0))
CALL(untied_end, POMP2_Untied_task_end(handle))
CALL(around, POMP2_Taskwait_begin(handle, &task, ""))
CALL(around_end, POMP2_Taskwait_end(handle, (int64_t)ompp_thread_instance(ompp_self)))

/* An iteration is that of the loop which the thread has come to: HOT, so its region is not looked for. */
void ompp_f_loop_iteration_(const char *ctc, size_t n);
void ompp_f_loop_iteration_(const char *ctc, size_t n)
{
	(void)ctc;
	(void)n;
	ompp_loop_iteration();
}

/* The bytes that clauses of a target construct ask to be copied. */
void ompp_f_target_maps_(const char *ctc, const int64_t *to_bytes, const int64_t *from_bytes, size_t n);
void ompp_f_target_maps_(const char *ctc, const int64_t *to_bytes, const int64_t *from_bytes, size_t n)
{
	void *room, **handle = fortran_find(ctc, n, &room);

	ompp_target_maps(handle, *to_bytes, *from_bytes);
}

/* Here the number of threads is not known when it is 0. */
void ompp_f_fork_n_(const char *ctc, const int *n_threads, size_t n);
void ompp_f_fork_n_(const char *ctc, const int *n_threads, size_t n)
{
	void *room, **handle = fortran_find(ctc, n, &room);
	int64_t task;

	POMP2_Parallel_fork(handle, 1, *n_threads > 0 ? *n_threads : MANY_THREADS, &task, "");
}
