/* teams that are all of a target: on the host, as clang allows nothing between both */
// settings: OMP_NUM_THREADS=3 OMP_NUM_THREADS=2,OMP_TARGET_OFFLOAD=disabled
#include <stdio.h>

int main(void)
{
	int sum = 0, n = 0;

	for (int k = 0; k < 3; k++) {
#pragma omp target map(tofrom : sum) // = TARGET SUM execC 3
#pragma omp teams num_teams(1) reduction(+ : sum) // = TEAMS SUM execC 3
		{
#pragma omp parallel num_threads(2) reduction(+ : sum) // = PARALLEL SUM execC 6
			sum++;
#pragma omp distribute // = DISTRIBUTE SUM execC 3
			for (int i = 0; i < 4; i++)
				sum++;
		}
#pragma omp target map(tofrom : n) if (k > 0) // = TARGET SUM execC 3
		{
#pragma omp teams distribute parallel for reduction(+ : n) num_teams(1) // = TEAMS SUM execC 3
			for (int i = 0; i < 8; i++)
				n++;
		}
	}
	printf("%d %d\n", sum, n);
	return 0;
}
