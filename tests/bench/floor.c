/*
 * Floor: the least that any measuring runtime must do: one clock reading per POMP2 event, stored.  `make bench`
 * links the instrumented benchmark with this in place of libompp, to say what part of the cost is ours.
 */
#include <stddef.h>
#include <stdint.h>

#include "runtime/adapters/pomp2.h"
#include "tests/bench/floor_event.h"

extern int omp_get_max_threads(void);

#define E1(name) void POMP2_##name(void **h) { (void)h; event(); }
#define E2(name) void POMP2_##name(void **h, const char c[]) { (void)h, (void)c; event(); }
#define EO(name) void POMP2_##name(void **h, int64_t o) { (void)h, (void)o; event(); }
#define EB(name) void POMP2_##name(void **h, int64_t *o, const char c[]) { (void)h, (void)c; *o = 0; event(); }
#define EC(name)                                                                                  \
	void POMP2_##name(void **h, int64_t *n, int64_t *o, int i, const char c[])                \
	{                                                                                         \
		(void)h, (void)i, (void)c;                                                        \
		*n = *o = 0;                                                                      \
		event();                                                                          \
	}

E2(Atomic_enter) E1(Atomic_exit)
EB(Barrier_enter) EO(Barrier_exit) EO(Implicit_barrier_exit)
E2(Critical_enter) E1(Critical_exit) E1(Critical_begin) E1(Critical_end)
E2(For_enter) E1(For_exit)
E1(Parallel_end) EO(Parallel_join)
E2(Single_enter) E1(Single_exit) E1(Single_begin) E1(Single_end)
EC(Task_create_begin) EO(Task_create_end) EO(Task_begin) E1(Task_end)
EB(Taskwait_begin) EO(Taskwait_end)

void POMP2_Implicit_barrier_enter(void **h, int64_t *o)
{
	(void)h;
	*o = 0;
	event();
}

void POMP2_Parallel_fork(void **h, int i, int n, int64_t *o, const char c[])
{
	(void)h, (void)i, (void)n, (void)c;
	*o = 0;
	event();
}

void ompp_parallel_begin(void **h, int64_t o)
{
	(void)h, (void)o;
	event();
}

/* It is no event: what a task's depend clauses name, for the longest path alone. */
void ompp_task_depends(int64_t t, int k, const void *a)
{
	(void)t, (void)k, (void)a;
}

void POMP2_Assign_handle(void **h, const char c[])
{
	(void)h, (void)c;
}

int POMP2_Lib_get_max_threads(void)
{
	return omp_get_max_threads();
}
