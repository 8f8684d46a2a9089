/* cancel of a team, by one thread, while the others wait at barriers.  By clang plain programs hang here. */
// compilers: gcc
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
	int n = 0;

	for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(3) // = PARALLEL SUM execC 60; PARALLEL 2 execC 20
		{
#pragma omp master // = MASTER SUM execC 20
			{
#pragma omp atomic
				n++;
			}
#pragma omp barrier // = BARRIER SUM execC 60
			if (omp_get_thread_num() == round % 3) {
#pragma omp atomic
				n++;
#pragma omp cancel parallel // = CANCEL SUM execC 20
			}
#pragma omp critical
			work(1);
#pragma omp cancellation point parallel
#pragma omp barrier
		}
	}
	printf("%d\n", n);
	return 0;
}
