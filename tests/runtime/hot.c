/* Functions that take processor time, which each of them measures itself, in serial parts and in a region by thread; writes
 * "function ns" for each into the file that is named first.  The second word says what else is done. */
#include <fcntl.h>
#include <omp.h>
#include <ompp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "raw_fork.h"

enum { ONE, TWO, THREE, FOUR, FIVE, SIX, N };
static const char *const names[N] = { "one", "two", "three", "four", "five", "six" };
static long long spent_ns[N];

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Each works for so many milliseconds of its thread's processor time, of which looking at the clock is some 1 %. */
#define WORKER(name, which)                                                   \
	static __attribute__((noinline)) void name(int ms)                    \
	{                                                                     \
		long long start = now(), at = start;                          \
		volatile long sum = 0;                                        \
		while (at - start < ms * 1000000LL) {                         \
			for (int i = 0; i < 50000; i++)                       \
				sum += i;                                     \
			at = now();                                           \
		}                                                             \
		__atomic_fetch_add(&spent_ns[which], at - start, __ATOMIC_RELAXED); \
	}
WORKER(one, ONE)
WORKER(two, TWO)
WORKER(three, THREE)
WORKER(four, FOUR)
WORKER(five, FIVE)
WORKER(six, SIX)

/* What others can see of the process: its descriptors, threads and children. */
static void put_guests(void)
{
	char command[128];

	fflush(stdout);
	snprintf(command, sizeof(command), "ls /proc/%d/fd /proc/%d/task | grep -c .", (int)getpid(), (int)getpid());
	if (system(command))
		puts("?");
}

static void region(int ms)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num())
			four(2 * ms);
		else
			three(ms);
	}
}

/* Many short visits of a region, in which alone five works, and six outside of it. */
static void visits(int ms)
{
	for (int i = 0; i < ms; i++) {
		ompp_region_begin("short");
		five(1);
		ompp_region_end("short");
		if (i % 4 == 0)
			six(1);
	}
}

/* The child has no handlers of fork(), and no ring. */
static int child_by_clone(void)
{
	int status;
	long pid = raw_fork();

	if (!pid) {
		visits(20);
		_exit(0);
	}
	return waitpid((pid_t)pid, &status, 0) == pid ? status : 1;
}

static int child_by_fork(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		memset(spent_ns, 0, sizeof(spent_ns));
		visits(300);
		exit(0);
	}
	return waitpid(pid, &status, 0) == pid ? status : 1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "all";
	FILE *out = fopen(argv[1], "w");
	int status = 0;

	if (!out)
		return 1;
	one(!strcmp(what, "long") ? 1500 : 300); /* before any event */
	two(100);
	if (!strcmp(what, "all") || !strcmp(what, "long"))
		region(200);
	if (!strcmp(what, "guest") || !strcmp(what, "fork") || !strcmp(what, "clone"))
		region(20);
	if (!strcmp(what, "all"))
		visits(200);
	if (!strcmp(what, "off")) {
		region(100);
		ompp_off();
		six(300);
		ompp_on();
	}
	if (!strcmp(what, "clone"))
		status = child_by_clone();
	if (!strcmp(what, "fork"))
		status = child_by_fork();
	two(100); /* after the last event */
	if (!strcmp(what, "guest") || !strcmp(what, "fork") || !strcmp(what, "clone"))
		put_guests();
	for (int i = 0; i < N; i++)
		fprintf(out, "%s %lld\n", names[i], spent_ns[i]);
	return fclose(out) || status;
}
