/* tasks that another thread, a stranger to OpenMP, fulfills; and reductions of tasks over loops and teams */
// compilers: gcc
// settings: OMP_NUM_THREADS=3
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static omp_event_handle_t to_fulfill;
static int ready;

static void *fulfill(void *arg)
{
	while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
		;
	omp_fulfill_event(to_fulfill);
	return arg;
}

int main(void)
{
	pthread_t other;
	int x = 0, y = 0, later = 0;

	pthread_create(&other, NULL, fulfill, NULL);
#pragma omp parallel
#pragma omp single
	{
		omp_event_handle_t mine, event;
#pragma omp task depend(inout : x)
		x += 3;
#pragma omp task depend(in : x)
		y = x;
#pragma omp task detach(event) depend(out : later) // = TASK SUM execC 1; TASKEXEC SUM execC 1
		{
			to_fulfill = event;
			__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
		}
#pragma omp task depend(inout : later)
		later = 7;
#pragma omp task detach(mine)
		omp_fulfill_event(mine);
#pragma omp taskwait
	}
	pthread_join(other, NULL);
	printf("%d %d %d\n", x, y, later);
#pragma omp parallel num_threads(3) reduction(task, + : x) // = PARALLEL SUM execC 3
	{
#pragma omp for schedule(static) reduction(task, + : y) // = LOOP SUM execC 3; LOOP SUM exitBarT -
		for (int i = 0; i < 9; i++) {
#pragma omp task in_reduction(+ : y) // = TASK SUM execC 9; TASKEXEC SUM execC 9
			y++;
		}
	}
	printf("%d %d\n", x, y);
	return 0;
}
