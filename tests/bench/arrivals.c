/*
 * Arrivals: the events of N barriers of one member of a team of two, without the barriers: so nobody waits, and the number
 * of instructions is the same in each run.
 * Usage: arrivals N
 */
#include <stdint.h>
#include <stdlib.h>

extern void POMP2_Parallel_fork(void **handle, int if_clause, int n_threads, int64_t *team, const char ctc[]);
extern void ompp_parallel_begin(void **handle, int64_t team);
extern void POMP2_Parallel_end(void **handle);
extern void POMP2_Parallel_join(void **handle, int64_t team);
extern void POMP2_Barrier_enter(void **handle, int64_t *old_task, const char ctc[]);
extern void POMP2_Barrier_exit(void **handle, int64_t old_task);

int main(int argc, char **argv)
{
	static const char parallel[] = "53*regionType=parallel*sscl=t.c:1:1*escl=t.c:9:9**";
	static const char barrier[] = "52*regionType=barrier*sscl=t.c:2:2*escl=t.c:2:2**";
	static void *h_parallel, *h_barrier;
	long n = argc > 1 ? atol(argv[1]) : 0, i;
	int64_t team, task;

	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel);
	ompp_parallel_begin(&h_parallel, team);
	for (i = 0; i < n; i++) {
		POMP2_Barrier_enter(&h_barrier, &task, barrier);
		POMP2_Barrier_exit(&h_barrier, task);
	}
	POMP2_Parallel_end(&h_parallel);
	POMP2_Parallel_join(&h_parallel, team);
	return 0;
}
