/* cancel of worksharing and of taskgroups; what is printed does not depend on when */
// settings: OMP_CANCELLATION=true OMP_CANCELLATION=false
// notes: left
#include <omp.h>
#include <stdio.h>

static int work(int i)
{
	int x = 0;
#pragma omp critical(in)
	x = i * 2;
	return x;
}

int main(void)
{
	int cancels = omp_get_cancellation(), done = 0, sum = 0, found = -1;

	for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(3) // = PARALLEL SUM execC 60
		{
#pragma omp for // = LOOP SUM execC 60; LOOP SUM exitBarT -
			for (int i = 0; i < 30; i++) {
				work(i);
				if (i == 3) {
#pragma omp atomic write
					found = i;
#pragma omp cancel for
				}
#pragma omp cancellation point for
			}
#pragma omp sections // = SECTIONS SUM execC 60; SECTIONS SUM exitBarT -; SECTIONS SUM mgmtT -
			{
#pragma omp section
				{
#pragma omp cancel sections
					work(1);
				}
#pragma omp section
				work(2);
			}
#pragma omp single // = SINGLE SUM execC 60; SINGLE SUM singleC 20
			{
#pragma omp taskgroup // = TASKGROUP SUM execC 20
				{
					for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(i) // = TASK SUM execC 200
						{
							work(i);
#pragma omp cancel taskgroup if (i == 5)
							work(i);
						}
					}
				}
#pragma omp atomic
				done++;
			}
		}
#pragma omp parallel for num_threads(3) reduction(+ : sum) // = PARALLEL_LOOP SUM execC 60; PARALLEL_LOOP SUM exitBarT -
		for (int i = 0; i < 8; i++) {
			sum++;
#pragma omp cancel for if (cancels && i == 100)
		}
	}
	printf("%d %d %d\n", found, done, sum);
	return 0;
}
