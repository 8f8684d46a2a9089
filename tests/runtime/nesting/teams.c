/* teams on the host, and loops that the compiler schedules */
// compilers: gcc
// settings: OMP_NUM_THREADS=2
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int sum = 0, n = 0;

#pragma omp teams num_teams(2) thread_limit(2) reduction(+ : sum) // = TEAMS SUM execC 1
	{
#pragma omp distribute parallel for reduction(+ : sum)
		for (int i = 0; i < 10; i++)
			sum += i;
#pragma omp parallel num_threads(2)
		{
#pragma omp critical
			n += 0;
		}
	}
#pragma omp teams distribute reduction(+ : sum) // = TEAMS SUM execC 1
	for (int i = 0; i < 10; i++)
		sum += i;
#pragma omp parallel num_threads(2)
	{
#pragma omp loop bind(parallel) // = GENERIC_LOOP SUM execC 2
		for (int i = 0; i < 10; i++)
			;
#pragma omp scope // = SCOPE SUM execC 2
		{
#pragma omp atomic
			n++;
		}
#pragma omp masked filter(1) // = MASKED SUM execC 1
		n += 10;
	}
	printf("%d %d\n", sum, n);
	return 0;
}
