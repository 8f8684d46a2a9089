/* target on the host: constructs, data, waiting for those that do not wait themselves; teams and distribute */
// compilers: gcc
// settings: OMP_NUM_THREADS=3 OMP_NUM_THREADS=2,OMP_TARGET_OFFLOAD=disabled
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
static int twice(int x)
{
	int y = 0;
#pragma omp parallel for reduction(+ : y)
	for (int i = 0; i < 2; i++)
		y += x;
	return y;
}
#pragma omp end declare target

int main(void)
{
	int a[100], sum = 0, inner = 0, dep = 0;

	for (int i = 0; i < 100; i++)
		a[i] = i;
#pragma omp target data map(tofrom : a) // = TARGET_DATA SUM execC 1
	{
#pragma omp target map(tofrom : sum) // = TARGET SUM execC 1
		{
#pragma omp parallel for reduction(+ : sum)
			for (int i = 0; i < 100; i++)
				sum += a[i] + twice(1);
		}
#pragma omp target update from(a) // = TARGET_UPDATE SUM execC 1
	}
#pragma omp target enter data map(to : a) // = TARGET_ENTER_DATA SUM execC 1
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum) // = TARGET SUM execC 1
	for (int i = 0; i < 100; i++)
		sum += a[i];
#pragma omp target exit data map(from : a) // = TARGET_EXIT_DATA SUM execC 1
	for (int i = 0; i < 5; i++) {
#pragma omp target nowait depend(inout : dep) map(tofrom : dep) // = TARGET SUM execC 5
		dep += 1;
	}
#pragma omp taskwait // = TASKWAIT SUM execC 1
#pragma omp parallel num_threads(3) // = PARALLEL SUM execC 3
	{
#pragma omp target map(tofrom : inner) // = TARGET SUM execC 3
		{
#pragma omp atomic
			inner++;
		}
#pragma omp single
#pragma omp task depend(inout : dep)
		{
#pragma omp target map(tofrom : dep)
			dep *= 2;
		}
	}
#pragma omp target teams num_teams(2) map(tofrom : inner) // = TARGET SUM execC 1
	{
#pragma omp parallel num_threads(2)
		{
#pragma omp atomic
			inner += 0;
		}
	}
	printf("%d %d %d\n", sum, inner, dep);
	return 0;
}
