/*
 * stack: a program that needs little stack.  It calls functions, takes locks, names data, and runs loops and tasks.
 */
#include <ompp.h>
#include <stdio.h>
#include <omp.h>

static double a[1000];
static omp_lock_t lock;

static int depth(int n)
{
	volatile char room[64];

	room[0] = (char)n;
	return n ? depth(n - 1) + room[0] * 0 : 0;
}

static void loop(double *sum, int *n)
{
	double s = 0;
	int i, m = 0;

	#pragma omp parallel for reduction(+:s)
	for (i = 0; i < 1000; i++) {
		a[i] = i;
		s += a[i];
		#pragma omp critical
		m++;
	}
	*sum = s;
	*n = m;
}

static int tasks(void)
{
	int n = 0;

	#pragma omp parallel
	{
		int i;

		#pragma omp single
		for (i = 0; i < 20; i++) {
			#pragma omp task
			{
				omp_set_lock(&lock);
				n += depth(3) + 1;
				omp_unset_lock(&lock);
			}
		}
		#pragma omp taskwait
	}
	return n;
}

int main(void)
{
	double sum;
	int n;

	ompp_data_begin(a, sizeof(a), "a");
	omp_init_lock(&lock);
	loop(&sum, &n);
	printf("%g %d %d\n", sum, n, tasks());
	return 0;
}
