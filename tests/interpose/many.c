#include <omp.h>
#include <stdio.h>
static volatile long n[64];
int main(void)
{
	long copied = 0, sum = 0;
#pragma omp parallel num_threads(3) firstprivate(copied)
	{
#pragma omp for schedule(dynamic)
	for (long i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp for schedule(monotonic: dynamic, 4)
	for (unsigned long i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp for schedule(guided) nowait
	for (long i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp for schedule(monotonic: guided)
	for (unsigned long i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp for schedule(runtime)
	for (long i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp for schedule(runtime)
	for (unsigned long i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp for ordered(1)
	for (long i = 1; i < 30; i++) {
#pragma omp ordered depend(sink : i - 1)
		n[48]++;
#pragma omp ordered depend(source)
	}
#pragma omp single copyprivate(copied)
	copied = 7;
#pragma omp masked
	n[0] += copied;
	}
#pragma omp parallel for schedule(dynamic, 3) num_threads(3)
	for (int i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp parallel for schedule(guided) num_threads(3)
	for (int i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp parallel for schedule(runtime) num_threads(3)
	for (int i = 0; i < 30; i++) n[omp_get_thread_num() * 16]++;
#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		{
#pragma omp taskloop num_tasks(5) in_reduction(+ : sum)
			for (int i = 0; i < 30; i++) sum += i;
#pragma omp task in_reduction(+ : sum) if(0)
			sum++;
#pragma omp taskyield
		}
#pragma omp taskloop num_tasks(6) reduction(+ : sum)
		for (unsigned long i = 0; i < 30; i++) sum += i;
		omp_event_handle_t event;
#pragma omp task detach(event) depend(out : sum)
		omp_fulfill_event(event);
#pragma omp task depend(in : sum) priority(3)
		n[1]++;
#pragma omp taskwait depend(in : sum)
#pragma omp taskwait
	}
#pragma omp parallel for num_threads(3) reduction(task, + : sum)
	for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(+ : sum)
		sum++;
	}
#pragma omp teams num_teams(2)
	n[2]++;
	for (int i = 0; i < 64; i++) n[63] += i == 63 ? 0 : n[i];
	printf("%ld %ld\n", n[63], sum);
	return 3;
}
