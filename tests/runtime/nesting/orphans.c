/* constructs outside of any parallel region: each is executed by a team of one */
#include <omp.h>
#include <stdio.h>

static int n;

static void orphans(void)
{
#pragma omp for // = LOOP SUM execC 3
	for (int i = 0; i < 4; i++) {
#pragma omp atomic
		n++;
#pragma omp task // = TASK SUM execC 12
		n++;
	}
#pragma omp sections // = SECTIONS SUM sectC 6
	{
		n++;
#pragma omp section
		n++;
	}
#pragma omp single // = SINGLE SUM singleC 3
	n++;
#pragma omp master
	n++;
#pragma omp critical // = CRITICAL SUM execC 3
	n++;
#pragma omp barrier // = BARRIER SUM execC 3
#pragma omp taskloop // = TASKLOOP SUM execC 3; TASKEXEC SUM execC 9
	for (int i = 0; i < 3; i++) {
#pragma omp task if (0) // = TASK SUM execC 9
#pragma omp critical(inner)
		n++;
	}
#pragma omp taskgroup
	{
#pragma omp task
		n++;
#pragma omp taskwait
	}
#pragma omp for ordered // = LOOP SUM execC 3
	for (int i = 0; i < 4; i++) {
#pragma omp ordered // = ORDERED SUM execC 12
		n++;
	}
}

int main(void)
{
	orphans();
#pragma omp parallel num_threads(1) // = PARALLEL SUM execC 1
	orphans();
#pragma omp task // = TASK SUM execC 1
	orphans();
	printf("%d\n", n);
	return 0;
}
