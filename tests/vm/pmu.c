/*
 * pmu: regions with a known number of instructions.
 *
 * USER REGION once: one visit.  In two threads: USER REGION often, many short visits, twice as many in thread 1;
 * CRITICAL; LOOP.  Outside of LOOP one thread works and the other sleeps: what QEMU's processors execute in turns
 * may be counted on both.  With the word "long": USER REGION long, of more instructions than a 31-bit counter has.
 * With the word "unplug", thread 1 runs on processor 1 and thread 0 takes that away while thread 1 works: USER
 * REGION moved.  With the word "named": the same as without, and a data object.  Prints what each thread executed
 * itself, as "expected REGION row instructions".
 */
#include <fcntl.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"
#include "ompp.h"

enum {
	ONCE = 4000000,
	VISITS = 250,
	OFTEN = 10000,
	TURNS = 200,
	TURN = 40000,
	CRITICAL = 1000000,
	MOVED = 100000,
	LONG = 600000000
};

static void expect(const char *region, int row, unsigned long rounds)
{
	printf("expected %s %d %lu\n", region, row, rounds * LOOP_INSTRUCTIONS);
}

static void work(int rank)
{
	int visit;

	for (visit = 0; visit < VISITS * (rank + 1); visit++) {
#pragma pomp inst begin(often)
		loop(OFTEN);
#pragma pomp inst end(often)
	}
#pragma omp critical(alone)
	loop(CRITICAL);
}

static void known(void)
{
	int row;

#pragma pomp inst begin(once)
	loop(ONCE);
#pragma pomp inst end(once)
#pragma omp parallel num_threads(2)
	{
		int rank = omp_get_thread_num(), thread, turn;

		for (thread = 0; thread < 2; thread++) {
			if (thread == rank)
				work(rank);
#pragma omp barrier
		}
#pragma omp for schedule(static)
		for (turn = 0; turn < TURNS; turn++)
			loop(TURN);
	}
	expect("USER_REGION:once", 0, ONCE);
	for (row = 0; row < 2; row++) {
		expect("USER_REGION:often", row, (unsigned long)VISITS * (row + 1) * OFTEN);
		expect("LOOP", row, (unsigned long)TURNS / 2 * TURN);
		expect("CRITICAL:alone", row, CRITICAL);
	}
}

/* Switches processor 1 on or off; returns 0 when that worked. */
static int plug(const char *state)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY), done = fd >= 0 && write(fd, state, 1) == 1;

	if (fd >= 0)
		close(fd);
	return !done;
}

static int unplug(void)
{
	int failed = 0, before = -1, after = -1;
	unsigned long turns = 0;
	volatile int gone = 0;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num()) {
		unsigned long more;
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(1, &one);
		failed |= sched_setaffinity(0, sizeof(one), &one);
		before = sched_getcpu();
#pragma pomp inst begin(moved)
		do {
			loop(MOVED);
			turns++;
		} while (!gone);
		for (more = turns; more; more--) /* as much once more, after the move */
			loop(MOVED);
#pragma pomp inst end(moved)
		after = sched_getcpu();
	} else {
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
		failed |= plug("0");
		gone = 1;
	}
	expect("USER_REGION:moved", 1, 2 * turns * MOVED);
	if (before != 1 || after)
		printf("thread 1 ran on processor %d, then %d\n", before, after);
	return failed | plug("1") | (before != 1) | (after != 0);
}

/* Executes so much that a counter of 32 bits wraps once, as the kernel lets it begin at the half. */
static int wrap(void)
{
#pragma pomp inst begin(long)
	loop(LONG);
#pragma pomp inst end(long)
	expect("USER_REGION:long", 0, LONG);
	return 0;
}

int main(int argc, char **argv)
{
	static double object;

	if (argc > 1 && !strcmp(argv[1], "long"))
		return wrap();
	if (argc > 1 && !strcmp(argv[1], "unplug"))
		return unplug();
	if (argc > 1 && !strcmp(argv[1], "named"))
		ompp_data_begin(&object, sizeof(object), "object");
	known();
	return 0;
}
