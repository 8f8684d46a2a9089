/* tasks of every kind: dependences, final, merged, undeferred, with priority, loops, reductions */
// settings: OMP_NUM_THREADS=2 OMP_NUM_THREADS=4 OMP_NUM_THREADS=4,OMP_DYNAMIC=true
#include <omp.h>
#include <stdio.h>

static long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) final(n < 6) mergeable // = TASK SUM execC 143
	a = fib(n - 1);
#pragma omp task shared(b) if (n > 4) priority(n) // = TASK SUM execC 143
	b = fib(n - 2);
#pragma omp taskwait // = TASKWAIT SUM execC 143
	return a + b;
}

int main(void)
{
	int x = 0, y = 0, order[4] = { 0 }, n_order = 0, both = 0, sum = 0, loops = 0, v[20] = { 0 };
	long f = 0;
	omp_depend_t held;

#pragma omp parallel
#pragma omp single
	{
		f = fib(11);
#pragma omp taskgroup // = TASKGROUP SUM execC 1
		{
#pragma omp task depend(out : x)
			x = 5;
#pragma omp depobj(held) depend(inout : x) // = DEPOBJ SUM execC 1
#pragma omp task depend(depobj : held)
			x *= 2;
#pragma omp task depend(in : x) depend(out : y)
			y = x + 1;
#pragma omp task depend(mutexinoutset : both) depend(in : x)
			both += 3;
#pragma omp task depend(mutexinoutset : both) depend(in : x)
			both += 4;
#pragma omp task depend(iterator(i = 0 : 20), inout : v[i])
			for (int i = 0; i < 20; i++)
				v[i] = i;
#pragma omp taskwait depend(in : x) // = TASKWAIT SUM execC 1
			order[n_order++] = x;
#pragma omp depobj(held) destroy // = DEPOBJ SUM execC 1
		}
#pragma omp taskgroup task_reduction(+ : sum) // = TASKGROUP SUM execC 1
		{
			for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i) // = TASK SUM execC 10; TASKEXEC SUM execC 10
				sum += i;
			}
		}
#pragma omp taskloop grainsize(3) collapse(2) reduction(+ : loops) // = TASKLOOP SUM execC 1; TASKEXEC SUM execC 24
		for (int i = 0; i < 4; i++)
			for (int k = 0; k < 6; k++) {
				if (k == 3)
					continue;
				loops++;
			}
#pragma omp taskyield // = TASKYIELD SUM execC 1
	}
	printf("%ld %d %d %d %d %d %d %d\n", f, x, y, both, order[0], v[19], sum, loops);
	return 0;
}
