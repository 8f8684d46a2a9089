/*
 * Events: each construct many times with next to nothing inside; prints "construct seconds executions" a line.
 * Built three times by `make bench`: plainly, with the floor, with libompp.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

static double parallel(long n)
{
	double t = omp_get_wtime();
	long i;

	for (i = 0; i < n; i++) {
#pragma omp parallel
		{
			sink;
		}
	}
	return omp_get_wtime() - t;
}

/* The others run inside one parallel region; the time is thread 0's. */

static double loop(long n)
{
	double t = 0;

#pragma omp parallel shared(t)
	{
		double start = omp_get_wtime();
		long i, k;

		for (i = 0; i < n; i++) {
#pragma omp for nowait
			for (k = 0; k < 2; k++) {
				sink;
			}
		}
		if (omp_get_thread_num() == 0)
			t = omp_get_wtime() - start;
	}
	return t;
}

static double barrier(long n)
{
	double t = 0;

#pragma omp parallel shared(t)
	{
		double start = omp_get_wtime();
		long i;

		for (i = 0; i < n; i++) {
#pragma omp barrier
		}
		if (omp_get_thread_num() == 0)
			t = omp_get_wtime() - start;
	}
	return t;
}

static double single(long n)
{
	double t = 0;

#pragma omp parallel shared(t)
	{
		double start = omp_get_wtime();
		long i;

		for (i = 0; i < n; i++) {
#pragma omp single nowait
			{
				sink;
			}
		}
		if (omp_get_thread_num() == 0)
			t = omp_get_wtime() - start;
	}
	return t;
}

static double critical(long n)
{
	double t = 0;

#pragma omp parallel shared(t)
	{
		double start = omp_get_wtime();
		long i;

		for (i = 0; i < n; i++) {
#pragma omp critical
			{
				sink;
			}
		}
		if (omp_get_thread_num() == 0)
			t = omp_get_wtime() - start;
	}
	return t;
}

static double atomic(long n)
{
	double t = 0;
	long sum = 0;

#pragma omp parallel shared(t, sum)
	{
		double start = omp_get_wtime();
		long i;

		for (i = 0; i < n; i++) {
#pragma omp atomic
			sum++;
		}
		if (omp_get_thread_num() == 0)
			t = omp_get_wtime() - start;
	}
	return t;
}

static double task(long n)
{
	double t = 0;

#pragma omp parallel shared(t)
	{
		double start = omp_get_wtime();
		long i;

		for (i = 0; i < n; i++) {
#pragma omp task
			{
				sink;
			}
		}
#pragma omp taskwait
		if (omp_get_thread_num() == 0)
			t = omp_get_wtime() - start;
	}
	return t;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		double    (*run)(long);
		long        n, events;          /* POMP2 events per execution and thread */
	} all[] = {
		{ "parallel", parallel, 100000, 6 },
		{ "for", loop, 2000000, 2 },
		{ "barrier", barrier, 200000, 2 },
		{ "single", single, 1000000, 4 },
		{ "critical", critical, 1000000, 4 },
		{ "atomic", atomic, 2000000, 2 },
		{ "task", task, 500000, 4 },
	};
	long scale = argc > 1 ? atol(argv[1]) : 1;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		long n = all[i].n / (scale > 0 ? scale : 1);

		all[i].run(n / 10);
		printf("%s %.9f %ld %ld\n", all[i].name, all[i].run(n), n, all[i].events);
	}
	return 0;
}
