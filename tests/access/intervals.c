/* intervals: phases that lie apart in time, for tests/access/intervals.sh.  In each of them all threads use some pages of
 * the same arrays, by another loop.  What it tells to the file descriptor KERNEL_FD stands in a trace of all addresses
 * where phases begin and end. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 128, EACH = 512, N = PAGES * EACH, PHASES = 4 };

static double a[N] __attribute__((aligned(4096))), b[N] __attribute__((aligned(4096)));
static int order[PHASES][2000];
static double times[PHASES][2];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void mark(int phase)
{
	if (getenv("KERNEL_FD"))
		dprintf(atoi(getenv("KERNEL_FD")), "P %d %p %p\n", phase, (void *)a, (void *)b);
}

static void begin(int phase)
{
	usleep(60000);
	mark(phase);
	times[phase][0] = now();
}

static void end(int phase)
{
	times[phase][1] = now();
	mark(-1);
}

static void gather(double *sum)
{
	double s = 0;

	begin(0);
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 2000; i++)
		s += a[order[0][i]];
	end(0);
	*sum += s;
}

static void scatter(void)
{
	begin(1);
#pragma omp parallel for
	for (int i = 0; i < 2000; i++)
		b[order[1][i]] = i;
	end(1);
}

static void rows(void)
{
	begin(2);
#pragma omp parallel for
	for (int i = 0; i < 20; i++)
		for (int j = 0; j < EACH; j++)
			a[order[2][i] / EACH * EACH + j] = b[j];
	end(2);
}

static void tasks(void)
{
	begin(3);
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 40; i++) {
#pragma omp task
		b[order[3][i]] += a[order[3][i + 40]];
	}
	end(3);
}

int main(void)
{
	double sum = 0;

#pragma omp inst data(a, sizeof(a), "a")
#pragma omp inst data(b, sizeof(b), "b")
	srand(1);
	for (int p = 0; p < PHASES; p++)
		for (int i = 0; i < 2000; i++)
			order[p][i] = rand() % N;
	gather(&sum);
	scatter();
	rows();
	tasks();
	printf("%g\n%p %p\n", sum, (void *)a, (void *)b);
	for (int p = 0; p < PHASES; p++)
		printf("%d %.9f %.9f\n", p, times[p][0], times[p][1]);
	return 0;
}
