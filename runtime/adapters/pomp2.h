/*
 * POMP2: the interface between opari2's instrumentation and this runtime.  Its types are plain: a region handle is a
 * void * that starts as NULL, a task handle is an int64_t, and a lock is whatever the OpenMP library takes.
 */
#ifndef OMPP_ADAPTERS_POMP2_H
#define OMPP_ADAPTERS_POMP2_H

#include <stddef.h>
#include <stdint.h>

size_t POMP2_Get_num_regions(void);
void POMP2_Init_regions(void);
const char *POMP2_Get_opari2_version(void);
int64_t POMP2_Get_new_task_handle(void);
void POMP2_Assign_handle(void **handle, const char ctc[]);
int POMP2_Lib_get_max_threads(void);

void POMP2_Atomic_enter(void **handle, const char ctc[]);
void POMP2_Atomic_exit(void **handle);
void POMP2_Barrier_enter(void **handle, int64_t *old_task, const char ctc[]);
void POMP2_Barrier_exit(void **handle, int64_t old_task);
void POMP2_Implicit_barrier_enter(void **handle, int64_t *old_task);
void POMP2_Implicit_barrier_exit(void **handle, int64_t old_task);
void POMP2_Flush_enter(void **handle, const char ctc[]);
void POMP2_Flush_exit(void **handle);
void POMP2_Critical_enter(void **handle, const char ctc[]);
void POMP2_Critical_exit(void **handle);
void POMP2_Critical_begin(void **handle);
void POMP2_Critical_end(void **handle);
void POMP2_For_enter(void **handle, const char ctc[]);
void POMP2_For_exit(void **handle);
void POMP2_Master_begin(void **handle, const char ctc[]);
void POMP2_Master_end(void **handle);
void POMP2_Parallel_fork(void **handle, int if_clause, int num_threads, int64_t *old_task, const char ctc[]);
void POMP2_Parallel_join(void **handle, int64_t old_task);
void POMP2_Parallel_begin(void **handle);
void POMP2_Parallel_end(void **handle);
void POMP2_Section_begin(void **handle, const char ctc[]);
void POMP2_Section_end(void **handle);
void POMP2_Sections_enter(void **handle, const char ctc[]);
void POMP2_Sections_exit(void **handle);
void POMP2_Single_enter(void **handle, const char ctc[]);
void POMP2_Single_exit(void **handle);
void POMP2_Single_begin(void **handle);
void POMP2_Single_end(void **handle);
void POMP2_Workshare_enter(void **handle, const char ctc[]);
void POMP2_Workshare_exit(void **handle);
void POMP2_Ordered_enter(void **handle, const char ctc[]);
void POMP2_Ordered_exit(void **handle);
void POMP2_Ordered_begin(void **handle);
void POMP2_Ordered_end(void **handle);
void POMP2_Task_create_begin(void **handle, int64_t *new_task, int64_t *old_task, int if_clause, const char ctc[]);
void POMP2_Task_create_end(void **handle, int64_t old_task);
void POMP2_Task_begin(void **handle, int64_t task);
void POMP2_Task_end(void **handle);
void POMP2_Untied_task_create_begin(void **handle, int64_t *new_task, int64_t *old_task, int if_clause,
                                    const char ctc[]);
void POMP2_Untied_task_create_end(void **handle, int64_t old_task);
void POMP2_Untied_task_begin(void **handle, int64_t task);
void POMP2_Untied_task_end(void **handle);
void POMP2_Taskwait_begin(void **handle, int64_t *old_task, const char ctc[]);
void POMP2_Taskwait_end(void **handle, int64_t old_task);

void POMP2_Init_lock(void *s);
void POMP2_Destroy_lock(void *s);
void POMP2_Set_lock(void *s);
void POMP2_Unset_lock(void *s);
int POMP2_Test_lock(void *s);
void POMP2_Init_nest_lock(void *s);
void POMP2_Destroy_nest_lock(void *s);
void POMP2_Set_nest_lock(void *s);
void POMP2_Unset_nest_lock(void *s);
int POMP2_Test_nest_lock(void *s);

/* kinst's forms of the lock functions.  site is "line:n:file:argument" of the call, where n is the length of the
 * file's name. */
void ompp_init_lock(const char *site, void *s);
void ompp_set_lock(const char *site, void *s);
int ompp_test_lock(const char *site, void *s);
void ompp_init_nest_lock(const char *site, void *s);
void ompp_set_nest_lock(const char *site, void *s);
int ompp_test_nest_lock(const char *site, void *s);

/* User regions. */
size_t POMP2_USER_Get_num_regions(void);
void POMP2_USER_Init_regions(void);
void POMP2_USER_Assign_handle(void **handle, const char ctc[]);
void POMP2_Begin(void **handle, const char ctc[]);
void POMP2_End(void **handle);
void POMP2_Init(void);
void POMP2_Finalize(void);
void POMP2_Off(void);
void POMP2_On(void);

/* kinst's form of POMP2_Parallel_begin.  old_task is the value that POMP2_Parallel_fork returned, and identifies the
 * team. */
void ompp_parallel_begin(void **handle, int64_t old_task);

/* Adds bytes that the clauses of a target construct ask to be copied to the device and back, behind its begin; fewer
 * than 0 are not known. */
void ompp_target_maps(void **handle, long long to_bytes, long long from_bytes);

/* Begin and end one iteration of a taskloop.  The begin returns its handle, for the variable at whose cleanup the end
 * is called.  kinst puts in the second form of it. task: what POMP2_Task_create_begin() set chunk: a private variable
 * of each of the taskloop's tasks, which is 0 at first */
void **ompp_task_begun(void **handle);
void **ompp_iteration_begun(void **handle, int64_t task, int64_t *chunk);
void ompp_task_left(void ***handle);

/* Says, behind POMP2_For_enter(), that each iteration of the loop is told; and that one begins, in the thread that
 * executes it (kinst --iterations). */
void ompp_loop_iterates(void **handle);
void ompp_loop_iteration(void);

/* Says what a new task waits for, before its directive: nothing happens unless the longest path is looked for.
 * kind: enum ompp_span_depend */
void ompp_task_depends(int64_t task, int kind, const void *address);

/* Says that the body of a taskgroup ends, behind which it waits. */
void ompp_taskgroup_ends(void **handle);

/* Returns whether the team has more threads than the calling one. */
int ompp_has_others(void);

#endif
