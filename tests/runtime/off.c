/*
 * Off: measuring is switched off and on around regions, within them, by several threads and while regions begin and end.
 * The program prints how long it was off by its own clock, the time of region "spans" without that, and what it computed.
 */
#include <omp.h>
#include <stdio.h>
#include <time.h>

#include <ompp.h>

static double off_at, off_s, spans_at, spans_s;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_ms(int n)
{
	struct timespec t = { 0, n * 1000000L };

	nanosleep(&t, NULL);
}

static void off(void)
{
	ompp_off();
	off_at = now();
}

static void on(void)
{
	off_s += now() - off_at;
	ompp_on();
}

static long team(int *line)
{
	long sum = 0;
	int i;

	*line = __LINE__ + 1;
#pragma omp parallel for reduction(+ : sum)
	for (i = 0; i < 100; i++) {
#pragma omp atomic
		sum += 0;
		sum += i;
	}
	return sum;
}

static long tasks(void)
{
	long sum = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++)
#pragma omp task shared(sum)
	{
#pragma omp critical
		sum += i;
	}
	return sum;
}

int main(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nested;
	long sum = 0;
	int line;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nested);

	/* a region of a correct program, between off and on */
	off();
	ompp_region_begin("hidden");
	sum += team(&line) + tasks();
	wait_ms(100);
	ompp_region_end("hidden");
	on();
	sum += team(&line) + tasks();

	/* a region around them */
	spans_at = now();
	ompp_region_begin("spans");
	wait_ms(10);
	spans_s = now() - spans_at;
	off();
	sum += team(&line) + tasks();
	wait_ms(100);
	on();
	ompp_region_end("spans");

	/* ends where another begins */
	ompp_region_begin("before");
	omp_set_lock(&lock);
	omp_set_nest_lock(&nested);
	off();
	omp_set_nest_lock(&nested);
	omp_unset_nest_lock(&nested);
	omp_unset_lock(&lock);
	ompp_region_begin("after");
	ompp_region_end("before");              /* leaves "after", and then there is nothing to end */
	ompp_region_begin("after");
	on();
	omp_unset_nest_lock(&nested);
	ompp_region_end("after");
	omp_set_lock(&lock);
	omp_unset_lock(&lock);

	/* within a team; by a thread that is not the one that switched it on */
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			off();
#pragma omp barrier
#pragma omp atomic
		sum += 1;
#pragma omp single
		sum += tasks();
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			on();
#pragma omp barrier
#pragma omp critical(again)
		sum += 1;
	}
	/* and from within one */
	off();
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		on();
#pragma omp barrier
#pragma omp critical(inner)
		sum += 1;
	}
	ompp_off();
	ompp_off();
	sum += team(&line);
	ompp_on();
	ompp_on();
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nested);
	printf("%ld\n", sum);
	fprintf(stderr, "%.6f %.6f %d\n", off_s, spans_s, line);
	return 0;
}
