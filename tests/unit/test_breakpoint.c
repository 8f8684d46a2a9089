/*
 * Breakpoint: counts loops whose accesses are known, in one to four threads, and objects that move, end, or are too
 * many.  What costs too much is given up.  Debug registers may have other holders, and programs may close descriptors,
 * fork, or have no right to open events.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/sources/breakpoint.h"

enum { FIRST = 100, N_OBJECTS = 20, N_THREADS = 4 };

struct hits {
	uint64_t all, stores;
	int has_all, has_stores;
};

static volatile uint64_t word[8] __attribute__((aligned(64)));
static char why[300];

/* The counters of this thread, and its hits by object since the last look(). */
static __thread struct ompp_breakpoints own;
static __thread struct hits hits[N_OBJECTS];

static void look(void)
{
	struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS];
	size_t n, i;

	errno = ENOTTY;
	n = ompp_breakpoint_read(&own, slots);
	assert_int_equal(errno, ENOTTY);
	memset(hits, 0, sizeof(hits));
	for (i = 0; i < n; i++) {
		struct hits *h = &hits[slots[i].object - FIRST];

		*(slots[i].kind == OMPP_BREAKPOINT_ALL ? &h->all : &h->stores) += slots[i].n;
		*(slots[i].kind == OMPP_BREAKPOINT_ALL ? &h->has_all : &h->has_stores) += 1;
	}
}

static int watch(int i, volatile void *address, size_t n_bytes)
{
	int rc;

	errno = ENOTTY;
	rc = ompp_breakpoint_watch(FIRST + (uint32_t)i, (uintptr_t)address, n_bytes, why, sizeof(why));
	assert_int_equal(errno, ENOTTY);
	look();
	return rc;
}

static int measured(int i)
{
	return ompp_breakpoint_measured(FIRST + (uint32_t)i);
}

/* Threads load and store at the same time, so each access is atomic, and one instruction. */
static void load(volatile uint64_t *p, int n)
{
	while (n--)
		(void)__atomic_load_n(p, __ATOMIC_RELAXED);
}

static void store(volatile uint64_t *p, int n)
{
	while (n--)
		__atomic_store_n(p, 1, __ATOMIC_RELAXED);
}

static int end_all(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_OBJECTS; i++)
		watch(i, word, 0);
	assert_int_equal(own.n, 0);
	return 0;
}

/* A virtual machine may lose traps.  What was lost is then repeated in a new child: one part, or all tests.  Nothing of
 * the child that lost the trap is left then, such as debug registers that a failed test holds. */
enum { TRAP_WAS_LOST = 3, MOST_REPEATS = 50 };
static volatile sig_atomic_t n_lost_traps;
static volatile sig_atomic_t n_held; /* counters of this test's own that count its accesses */

static void on_trap(int sig, siginfo_t *info, void *context)
{
	if (n_held || ompp_breakpoint_lost_trap(info, context))
		n_lost_traps++;
	else
		signal(sig, SIG_DFL);
}

/* Ends a child. */
static void leave(int rc)
{
	if (n_lost_traps)
		fprintf(stderr, "the machine lost %d traps: again\n", (int)n_lost_traps);
	fflush(NULL);
	_exit(n_lost_traps ? TRAP_WAS_LOST : rc);
}

/* Runs a part in a child process, so that what it does to its process ends with it.  Returns the child's status, as of
 * waitpid(). */
static int repeat(int (*part)(void *), void *data)
{
	int status = TRAP_WAS_LOST << 8, i;

	for (i = 0; i < MOST_REPEATS && status == TRAP_WAS_LOST << 8; i++) {
		pid_t pid;

		fflush(NULL);
		pid = fork();
		if (!pid) {
			n_lost_traps = 0;
			leave(part(data));
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return -1;
	}
	return status;
}

static int run_part(void *part)
{
	ompp_breakpoint_after_fork(&own);
	(*(void (**)(void))part)();
	return 0;
}

static void in_child(void (*part)(void))
{
	assert_int_equal(repeat(run_part, &part), 0);
}

/* After a lost trap the tests that follow would fail, and everything is repeated anyway. */
static int begin(void **state)
{
	(void)state;
	if (n_lost_traps)
		leave(TRAP_WAS_LOST);
	return 0;
}

/* Asserts in a child, where a failure of cmocka's own assertions would go on with the parent's tests. */
static void check(int right, const char *what)
{
	if (right)
		return;
	if (n_lost_traps)
		leave(TRAP_WAS_LOST);
	fprintf(stderr, "not so: %s (%s)\n", what, why);
	_exit(1);
}
#define CHECK(condition) check(!!(condition), #condition)

/* The kernel stops the counter of a word that is hit too often; the other counters go on. */
static void child_pays(void)
{
	uint64_t hit_ns;

	CHECK(!watch(0, &word[0], 8));
	CHECK(!watch(1, &word[1], 8));
	load(&word[0], 2000000);
	load(&word[1], 50);
	look();
	CHECK(hits[0].all < 2000000);
	CHECK(hits[1].all == 50);
	CHECK(measured(0) == 0);
	CHECK(measured(1) == 2);
	CHECK(ompp_breakpoint_given_up(FIRST, &hit_ns) && hit_ns > 0);
	CHECK(!ompp_breakpoint_given_up(FIRST + 1, &hit_ns));
	CHECK(watch(0, &word[0], 8) == -ENODATA);
	load(&word[0], 5);
	load(&word[1], 5);
	look();
	CHECK(!hits[0].has_all);
	CHECK(hits[1].all == 5);
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Changes of the set are paid for as well.  On a busy machine the child gets so little time that they are less than a
 * tenth of the run. */
static void child_moves(void)
{
	double begin = seconds(CLOCK_MONOTONIC), run = 0;
	uint64_t hit_ns;
	int i, rc = 0;

	for (i = 0; !rc && run < 20; i++) {
		rc = watch(0, &word[i % 8], 8);
		run = seconds(CLOCK_MONOTONIC) - begin;
	}
	if (!rc && seconds(CLOCK_PROCESS_CPUTIME_ID) < run / 2)
		return;
	CHECK(rc == -ENODATA);
	CHECK(ompp_breakpoint_given_up(FIRST, &hit_ns));
}

/* So are readings. */
static void child_reads(void)
{
	double begin = seconds(CLOCK_MONOTONIC), run = 0;
	uint64_t hit_ns;

	CHECK(!watch(0, &word[0], 8));
	while (measured(0) && run < 20) {
		for (int i = 0; i < 1000; i++)
			look();
		run = seconds(CLOCK_MONOTONIC) - begin;
	}
	if (measured(0) && seconds(CLOCK_PROCESS_CPUTIME_ID) < run / 2)
		return;
	CHECK(!measured(0));
	CHECK(ompp_breakpoint_given_up(FIRST, &hit_ns));
	CHECK(!own.n);
}

static void test_cost(void **state)
{
	(void)state;
	in_child(child_pays);
	in_child(child_moves);
	in_child(child_reads);
}

static void test_counts(void **state)
{
	(void)state;
	ompp_breakpoint_at_any_cost();
	assert_int_equal(ompp_breakpoints_on, 0);
	assert_int_equal(measured(0), 0);
	assert_int_equal(watch(0, &word[0], 8), 0);
	assert_int_equal(ompp_breakpoints_on, 1);
	assert_int_equal(measured(0), 2);
	load(&word[0], 70);
	store(&word[0], 30);
	load(&word[1], 5);
	look();
	assert_int_equal(hits[0].all, 100);
	assert_int_equal(hits[0].stores, 30);
	look();
	assert_int_equal(hits[0].all, 0);
	assert_int_equal(hits[0].stores, 0);
	load(&word[0], 1);
	look();
	assert_int_equal(hits[0].all, 1);
	assert_int_equal(hits[0].stores, 0);
#if defined(__x86_64__)
	__asm__ volatile("lock addq $1, %0" : "+m"(word[0]));
	look();
	assert_int_equal(hits[0].all, 1);
	assert_int_equal(hits[0].stores, 1);
#endif
}

/* Of objects that are no whole words only their own bytes are counted, also when an access is larger than these. */
static void test_bytes(void **state)
{
	volatile uint8_t *byte = (volatile uint8_t *)word;
	int i;

	(void)state;
	assert_int_equal(watch(0, byte + 3, 1), 0);
	assert_int_equal(watch(1, byte + 12, 12), 0); /* two pieces: 4 + 8 bytes */
	for (i = 0; i < 32; i++)
		byte[i] = 1;
	load(&word[0], 10);
	look();
	assert_int_equal(hits[0].all, 11);
	assert_int_equal(hits[0].stores, 1);
	assert_int_equal(hits[1].all, 12);
	assert_int_equal(hits[1].has_all, 2);
	assert_int_equal(measured(1), 1); /* 3 words, of which only the first has its stores counted */
	assert_int_equal(watch(0, byte, 0), 0);
	look();
	load(&word[1], 4);
	look();
	assert_int_equal(hits[1].all, 4);
	assert_int_equal(measured(1), 1);
}

static void test_slots(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_int_equal(watch(2 + i, &word[i], 8), 0);
		assert_int_equal(measured(2 + i), i < 2 ? 2 : 1);
	}
	assert_int_equal(measured(2), 1); /* its counter of stores had to be given up */
	assert_int_equal(watch(6, &word[4], 8), -ENOSPC);
	assert_string_equal(why, "object 106: too few of the 4 slots are left; measured: object 102, object 103, "
	                         "object 104, object 105; name fewer, or build with kinst --access");
	assert_int_equal(measured(6), 0);
	for (i = 0; i < 5; i++)
		load(&word[i], 10 + i);
	look();
	for (i = 0; i < 4; i++) {
		assert_int_equal(hits[2 + i].all, 10 + i);
		assert_int_equal(hits[2 + i].has_stores, 0);
	}
	assert_int_equal(hits[6].has_all, 0);
	load(&word[1], 3);
	assert_int_equal(watch(3, &word[1], 0), 0);
	assert_int_equal(hits[3].all, 3); /* those before the change */
	assert_int_equal(watch(7, &word[4], 8), 0);
	load(&word[1], 3);
	load(&word[4], 6);
	look();
	assert_int_equal(hits[3].has_all, 0);
	assert_int_equal(hits[7].all, 6);
	assert_int_equal(measured(3), 1);
	assert_int_equal(measured(6), 0); /* it was not watched when it should have been */
}

static void test_large(void **state)
{
	volatile char *byte = (volatile char *)word;

	(void)state;
	assert_int_equal(watch(8, word, 40), -E2BIG);
	assert_string_equal(why, "object 108: 40 bytes are more than 4 aligned words of at most 8 bytes; name less, or "
	                         "build with kinst --access");
	assert_int_equal(watch(12, byte + 1, 16), -E2BIG); /* five pieces: 1, 2, 4, 8 and 1 bytes */
	assert_int_equal(watch(13, byte + 1, (size_t)-1), -E2BIG);
	assert_int_equal(watch(9, byte + 1, 15), 0);
	assert_int_equal(watch(9, byte, 33), -E2BIG); /* and its old range is watched no more */
	load(&word[0], 3);
	look();
	assert_int_equal(hits[9].has_all, 0);
	assert_int_equal(measured(9), 0);
	assert_int_equal(watch(9, word, 8), -ENODATA); /* the 3 hits are missing */
	assert_non_null(strstr(why, "object 109: no longer measured, "));
	assert_int_equal(own.n, 0);
}

static void test_foreign(void **state)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	munmap(page, 4096);
	assert_int_equal(watch(14, page, 8), -EINVAL);
	assert_string_equal(why, "object 114: not memory of the program; name what is, or build with kinst --access");
	assert_int_equal(watch(15, (void *)(uintptr_t)0xffffffff81000000, 8), -EINVAL);
	assert_int_equal(watch(16, (void *)(uintptr_t)0x7000000000000000, 8), -EINVAL);
	assert_int_equal(ompp_breakpoint_watch(UINT32_MAX, (uintptr_t)word, 8, why, sizeof(why)), -EINVAL);
	assert_int_equal(ompp_breakpoint_measured(UINT32_MAX), 0);
	assert_int_equal(ompp_breakpoint_lost(why, sizeof(why)), 0);
}

struct worker {
	pthread_t id;
	int i;
	struct hits before, after;
};

static pthread_barrier_t barrier;

/* Each thread loads and stores word[0] as often as its number says, and again when the object has moved to word[5]. */
static void *work(void *data)
{
	struct worker *w = data;

	look();
	load(&word[0], 100 * w->i);
	store(&word[0], 10 * w->i);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier); /* between the two the object moves */
	load(&word[0], 1);
	look();
	w->before = hits[0];
	load(&word[0], 3);
	load(&word[5], 50 * w->i);
	store(&word[5], 5 * w->i);
	look();
	w->after = hits[0];
	ompp_breakpoint_stop(&own);
	return NULL;
}

static void test_threads(void **state)
{
	struct worker worker[N_THREADS];
	int n, i;

	(void)state;
	for (n = 1; n <= N_THREADS; n++) {
		assert_int_equal(watch(0, &word[0], 8), 0);
		pthread_barrier_init(&barrier, NULL, (unsigned int)n + 1);
		for (i = 0; i < n; i++) {
			worker[i].i = i + 1;
			assert_int_equal(pthread_create(&worker[i].id, NULL, work, &worker[i]), 0);
		}
		pthread_barrier_wait(&barrier);
		assert_int_equal(watch(0, &word[5], 8), 0);
		pthread_barrier_wait(&barrier);
		for (i = 0; i < n; i++)
			pthread_join(worker[i].id, NULL);
		for (i = 0; i < n; i++) {
			assert_int_equal(worker[i].before.all, 110 * (i + 1) + 1);
			assert_int_equal(worker[i].before.stores, 10 * (i + 1));
			assert_int_equal(worker[i].after.all, 55 * (i + 1));
			assert_int_equal(worker[i].after.stores, 5 * (i + 1));
		}
		look();
		assert_int_equal(hits[0].all, 0); /* none of the accesses is this thread's */
		pthread_barrier_destroy(&barrier);
	}
}

static void *change(void *data)
{
	char mine[300];
	int i;

	for (i = 0; i < 200; i++)
		ompp_breakpoint_watch(FIRST + (uint32_t) * (int *)data, (uintptr_t)&word[i % 8], i % 3 ? 8 : 0, mine,
		                      sizeof(mine));
	i = ompp_breakpoint_watch(FIRST + (uint32_t) * (int *)data, (uintptr_t)&word[*(int *)data], 8, mine,
	                          sizeof(mine));
	return (void *)(intptr_t)i;
}

/* Several threads change the set while this one reads it; in the end it counts the set that they left. */
static void test_changes(void **state)
{
	pthread_t id[N_THREADS];
	int number[N_THREADS], i;

	(void)state;
	for (i = 0; i < N_THREADS; i++) {
		number[i] = i;
		assert_int_equal(pthread_create(&id[i], NULL, change, &number[i]), 0);
	}
	for (i = 0; i < 500; i++)
		look();
	for (i = 0; i < N_THREADS; i++) {
		void *rc;

		pthread_join(id[i], &rc);
		assert_null(rc); /* the last change did not come too late */
	}
	look();
	assert_int_equal(own.n, 4);
	for (i = 0; i < N_THREADS; i++)
		store(&word[i], 5 + i);
	look();
	for (i = 0; i < N_THREADS; i++)
		assert_int_equal(hits[i].all, 5 + i);
	assert_int_equal(ompp_breakpoint_lost(why, sizeof(why)), 0);
}

static volatile sig_atomic_t n_busy, is_busy_measured;

static void watch_in_handler(int sig)
{
	char mine[300];

	(void)sig;
	if (ompp_breakpoint_watch(FIRST + 19, (uintptr_t)&word[7], 8, mine, sizeof(mine)) != -EBUSY)
		return;
	n_busy = n_busy + 1;
	is_busy_measured |= measured(19) || !strstr(mine, "object 119: could not be watched in time");
}

/* A handler that comes while its own thread changes the set cannot change it, too.  Its object is watched at its old
 * place then, if at all, and must have no number. */
static void child_is_busy(void)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = watch_in_handler, .sa_flags = SA_RESTART };
	int i;

	CHECK(!watch(19, &word[0], 8));
	CHECK(measured(19));
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < 1000000 && !n_busy; i++)
		ompp_breakpoint_watch(FIRST, (uintptr_t)&word[i % 4], 8, why, sizeof(why));
	setitimer(ITIMER_REAL, &never, NULL);
	CHECK(n_busy);
	CHECK(!is_busy_measured);
	CHECK(!measured(19));
	CHECK(watch(19, &word[6], 8) == -ENODATA);
	CHECK(own.n == 2); /* and its slots are free */
}

static void test_busy(void **state)
{
	(void)state;
	in_child(child_is_busy);
}

/* A thread that reads into another struct has its counters there from then on. */
static void test_other(void **state)
{
	static struct ompp_breakpoints other; /* static, as this thread has it until its next look() */
	struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS];
	int i;

	(void)state;
	for (i = 0; i < 4; i++)
		assert_int_equal(watch(i, &word[i], 8), 0);
	assert_int_equal(ompp_breakpoint_read(&other, slots), 0);
	assert_int_equal(other.n, 4);
	assert_int_equal(own.n, 0);
	load(&word[2], 6);
	assert_int_equal(ompp_breakpoint_read(&other, slots), 4);
	for (i = 0; i < 4; i++)
		assert_int_equal(slots[i].n, i == 2 ? 6 : 0);
	look();
	assert_int_equal(own.n, 4);
	assert_int_equal(other.n, 0);
	assert_int_equal(ompp_breakpoint_lost(why, sizeof(why)), 0);
}

static void test_refuse(void **state)
{
	(void)state;
	assert_int_equal(watch(11, word, 8), 0);
	assert_int_equal(measured(11), 2);
	ompp_breakpoint_refuse(FIRST + 11);
	look();
	assert_int_equal(own.n, 0);
	assert_int_equal(measured(11), 0);
	assert_int_equal(watch(11, word, 8), -ENODATA);
	assert_int_equal(measured(11), 0);
	ompp_breakpoint_refuse(UINT32_MAX);
}

static int n_descriptors(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 2048; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void test_descriptors(void **state)
{
	int before = n_descriptors(), low = dup(0), i;

	(void)state;
	assert_int_equal(watch(0, word, 8), 0);
	assert_int_equal(n_descriptors(), before + 4); /* one of them is the group's */
	for (i = 0; i < (int)own.n; i++) {
		assert_true(own.fd[i] >
		            low + 1); /* the program's next descriptor has the number that it would have without us */
		assert_int_equal(fcntl(own.fd[i], F_GETFD), FD_CLOEXEC);
	}
	close(low);
	ompp_breakpoint_stop(&own);
	assert_int_equal(n_descriptors(), before);
	look();
	load(&word[0], 2);
	look();
	assert_int_equal(hits[0].all, 2); /* those of a new thread in the same memory */
	assert_int_equal(watch(0, word, 0), 0);
	assert_int_equal(n_descriptors(), before);
}

static void child_counts(void)
{
	load(&word[0], 50);
	look();
	load(&word[0], 7);
	look();
	CHECK(hits[0].all == 7);
	CHECK(!watch(0, &word[1], 8));
	load(&word[1], 9);
	look();
	CHECK(hits[0].all == 9);
}

static void test_fork(void **state)
{
	(void)state;
	assert_int_equal(watch(0, word, 8), 0);
	load(&word[0], 20);
	in_child(child_counts);
	load(&word[0], 3);
	look();
	assert_int_equal(hits[0].all, 23);
}

static int hold(volatile uint64_t *address)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_BREAKPOINT;
	attr.size = sizeof(attr);
	attr.bp_type = HW_BREAKPOINT_RW;
	attr.bp_addr = (uintptr_t)address;
	attr.bp_len = 8;
	attr.exclude_kernel = attr.exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

/* When others hold debug registers, fewer kinds of accesses are counted at first, and then fewer objects. */
static void test_holders(void **state)
{
	int fd[3], i;

	(void)state;
	for (i = 0; i < 2; i++) {
		fd[i] = hold(&word[7]);
		assert_true(fd[i] > 0);
	}
	assert_int_equal(watch(0, &word[0], 8), 0);
	assert_int_equal(own.n, 2);
	assert_int_equal(watch(1, &word[1], 8), 0);
	assert_int_equal(own.n, 2);
	assert_int_equal(watch(17, &word[2], 8), -ENOSPC);
	assert_string_equal(why, "object 117: no debug register is free; end the debugger that has them, or build with "
	                         "kinst --access");
	load(&word[0], 4);
	load(&word[1], 6);
	look();
	assert_int_equal(hits[0].all, 4);
	assert_int_equal(hits[0].has_stores, 0);
	assert_int_equal(hits[1].all, 6);
	end_all(NULL);
	fd[2] = hold(&word[7]);
	assert_int_equal(watch(0, &word[0], 8), 0);
	assert_int_equal(own.n, 1);
	for (i = 0; i < 3; i++)
		close(fd[i]);
	assert_int_equal(watch(18, &word[2], 8), 0);
	assert_int_equal(own.n, 4);
	assert_int_equal(ompp_breakpoint_lost(why, sizeof(why)), 0);
}

/* The program closes descriptors that it did not open, and opens a file of its own under such a number: we must neither
 * read nor close that file. */
static void child_closes(void)
{
	uint64_t n = 42;
	int fd, at;

	CHECK(!watch(10, word, 8));
	CHECK(own.n == 2);
	CHECK(measured(10) == 2);
	at = own.fd[0];
	close(at);
	fd = eventfd(42, EFD_NONBLOCK);
	CHECK(dup2(fd, at) == at);
	load(&word[0], 3);
	look();
	CHECK(!hits[10].has_all);
	CHECK(own.n == 0);
	CHECK(read(at, &n, 8) == 8 && n == 42);
	CHECK(ompp_breakpoint_lost(why, sizeof(why)) == 1);
	CHECK(strstr(why, "closed the counters' file descriptors; "));
	CHECK(!measured(10));
	CHECK(!watch(10, word, 0));
	ompp_breakpoint_stop(&own);
	CHECK(fcntl(at, F_GETFD) >= 0);
}

/* A second thread gets no counters, so the numbers of that object must count as unknown. */
static void *starve(void *data)
{
	(void)data;
	load(&word[0], 3);
	look();
	return NULL;
}

static void child_starves(void)
{
	struct rlimit limit = { 3, 3 };
	pthread_t id;

	CHECK(!watch(10, word, 8));
	CHECK(measured(10) == 2);
	setrlimit(RLIMIT_NOFILE, &limit);
	CHECK(!pthread_create(&id, NULL, starve, NULL));
	pthread_join(id, NULL);
	CHECK(!measured(10));
	CHECK(ompp_breakpoint_lost(why, sizeof(why)) == 1);
	CHECK(strstr(why, "raise `ulimit -n`"));
}

static void child_is_forbidden(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { OMPP_COUNT_OF(code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return;
	CHECK(watch(0, word, 8) == -EPERM);
	CHECK(strstr(why, "object 100: perf_event_open is not permitted, "));
	CHECK(strstr(why, "kernel.perf_event_paranoid is "));
	CHECK(strstr(why, "; "));
	CHECK(own.n == 0);
}

static void send_trap(void)
{
#if defined(__x86_64__)
	raise(SIGTRAP); /* of the program: it is no lost trap */
	__asm__ volatile("int3");
#endif
}

static volatile sig_atomic_t n_own_traps;

static void on_own_trap(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	n_own_traps += !ompp_breakpoint_lost_trap(info, context);
}

/* A signal like that of a lost trap is taken for one while counters are open, and only then; nothing is measured after
 * it.  INT1 is the program's own instruction. */
static void child_loses(void)
{
	struct sigaction action = { .sa_sigaction = on_own_trap, .sa_flags = SA_SIGINFO };
	siginfo_t lost = { .si_signo = SIGTRAP, .si_code = TRAP_BRKPT };
	unsigned char code[] = { 0xf1, 0x90 };
	ucontext_t at;

	memset(&at, 0, sizeof(at));
	sigaction(SIGTRAP, &action, NULL);
#if defined(__x86_64__)
	at.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)&code[2];
	CHECK(!ompp_breakpoint_lost_trap(&lost, &at));
	CHECK(!watch(0, word, 8));
	CHECK(own.n == 2);
	send_trap();
	CHECK(n_own_traps == 2);
	CHECK(measured(0) == 2);
	at.uc_mcontext.gregs[REG_RIP]--;
	CHECK(!ompp_breakpoint_lost_trap(&lost, &at));
	CHECK(measured(0) == 2);
	at.uc_mcontext.gregs[REG_RIP]++;
	CHECK(ompp_breakpoint_lost_trap(&lost, &at));
	CHECK(!measured(0));
	CHECK(ompp_breakpoint_lost(why, sizeof(why)) == 1);
	CHECK(strstr(why, "the virtual machine lost a trap"));
	look();
	CHECK(!own.n);
#else
	(void)code;
	send_trap();
	CHECK(!ompp_breakpoint_lost_trap(&lost, &at));
#endif
}

/* Where traps may be lost, nothing is counted unless their signal is handled, and not blocked. */
static void child_blocks(void)
{
	ompp_breakpoint_blocked = 1;
	CHECK((watch(0, word, 8) == 0) == !ompp_breakpoint_may_lose());
	CHECK(!ompp_breakpoint_may_lose() || strstr(why, "blocks or handles SIGTRAP"));
	CHECK(!ompp_breakpoint_may_lose() || !own.n);
}

static void child_handles(void)
{
	CHECK(!watch(0, word, 8));
	atomic_store(&ompp_breakpoint_handled, 0);
	look();
	CHECK(measured(0) == (ompp_breakpoint_may_lose() ? 0 : 2));
	CHECK(own.n == (ompp_breakpoint_may_lose() ? 0 : 2));
	CHECK(!ompp_breakpoint_may_lose() ||
	      (ompp_breakpoint_lost(why, sizeof(why)) && strstr(why, "blocks or handles SIGTRAP")));
}

/* Who blocks SIGTRAP while counters are open has none from then on: before the kernel would end the process. */
static void child_blocks_later(void)
{
	CHECK(!watch(0, word, 8));
	ompp_breakpoint_block(1);
	CHECK(own.n == (ompp_breakpoint_may_lose() ? 0 : 2));
	ompp_breakpoint_block(0);
	look();
	CHECK(measured(0) == (ompp_breakpoint_may_lose() ? 0 : 2));
	CHECK(!ompp_breakpoint_may_lose() ||
	      (ompp_breakpoint_lost(why, sizeof(why)) && strstr(why, "blocks or handles SIGTRAP")));
}

/* Blocked and unblocked while nothing is watched, it is as if nothing had been. */
static void child_unblocks(void)
{
	ompp_breakpoint_block(1);
	ompp_breakpoint_block(0);
	CHECK(!watch(0, word, 8));
	load(&word[0], 4);
	look();
	CHECK(hits[0].all == 4 && measured(0) == 2);
	ompp_breakpoint_unguard();
	CHECK(measured(0) == (ompp_breakpoint_may_lose() ? 0 : 2));
	CHECK(own.n == (ompp_breakpoint_may_lose() ? 0 : 2));
}

static void test_traps(void **state)
{
	(void)state;
	in_child(child_loses);
	in_child(child_blocks_later);
	in_child(child_unblocks);
	in_child(child_blocks);
	in_child(child_handles);
}

static void test_failures(void **state)
{
	(void)state;
	in_child(child_closes);
	in_child(child_starves);
	in_child(child_is_forbidden);
}

static int run_all(void *data)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_traps, begin, NULL),
		cmocka_unit_test_setup_teardown(test_cost, begin, NULL),
		cmocka_unit_test_setup_teardown(test_counts, begin, end_all),
		cmocka_unit_test_setup_teardown(test_slots, begin, end_all),
		cmocka_unit_test_setup_teardown(test_bytes, begin, end_all),
		cmocka_unit_test_setup_teardown(test_large, begin, end_all),
		cmocka_unit_test_setup_teardown(test_foreign, begin, end_all),
		cmocka_unit_test_setup_teardown(test_threads, begin, end_all),
		cmocka_unit_test_setup_teardown(test_changes, begin, end_all),
		cmocka_unit_test_setup_teardown(test_busy, begin, end_all),
		cmocka_unit_test_setup_teardown(test_other, begin, end_all),
		cmocka_unit_test_setup_teardown(test_refuse, begin, end_all),
		cmocka_unit_test_setup_teardown(test_descriptors, begin, end_all),
		cmocka_unit_test_setup_teardown(test_fork, begin, end_all),
		cmocka_unit_test_setup_teardown(test_holders, begin, end_all),
		cmocka_unit_test_setup_teardown(test_failures, begin, end_all),
	};

	(void)data;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Returns 1 when a breakpoint counts accesses here. */
static int counts_any(int fd)
{
	uint64_t n = 0;

	n_held = 1;
	store(&word[0], 10);
	n_held = 0;
	return read(fd, &n, sizeof(n)) != (ssize_t)sizeof(n) || n;
}

/* Tells whether this machine stops breakpoints for a while unseen, by a counter of this test's own and without any of
 * the library's: of its hits fewer are counted, or come as lost traps, than there were stores. */
static int machine_stops(void)
{
	enum { N_RUNS = 100, N_STORES = 20000 };
	uint64_t n = N_STORES;
	int i;

	for (i = 0; i < N_RUNS && n == N_STORES; i++) {
		int fd = hold(&word[0]);

		n_lost_traps = 0;
		n_held = 1;
		store(&word[0], N_STORES);
		n_held = 0;
		if (fd < 0 || read(fd, &n, sizeof(n)) != (ssize_t)sizeof(n))
			return 0;
		n += (uint64_t)n_lost_traps;
		close(fd);
	}
	if (n < N_STORES)
		fprintf(stderr, "the machine stopped a breakpoint: %d of %d stores in run %d\n", (int)n, N_STORES, i);
	return n < N_STORES;
}

int main(void)
{
	int tries = 3, status;
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
	int fd = hold(&word[0]);

	if (fd < 0) {
		printf("skip: no hardware breakpoints here: %s\n", strerror(errno));
		return 77;
	}
	sigaction(SIGTRAP, &action, NULL);
	if (!counts_any(fd)) {
		puts("skip: no hardware breakpoints here: the kernel opens them, and they count nothing");
		return 77;
	}
	close(fd);
	atomic_store(&ompp_breakpoint_handled, 1);
	do
		status = repeat(run_all, NULL);
	while (status && --tries && ompp_breakpoint_may_lose() && machine_stops());
	return status != 0;
}
