/*
 * Helper thread: see helper_thread.h.
 */
#define _GNU_SOURCE
#include "runtime/core/helper_thread.h"

#include <errno.h>
#include <linux/prctl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/clone.h"
#include "runtime/host/file.h"

enum { STACK_BYTES = 64 * 1024, MOST = 16, MOST_PAUSES = 2000, PAUSE_NS = 200000 };

/* Those that have been started, by their numbers; written by who starts the first of a kind, one after another. */
static int started[MOST];
static uint32_t n_started;
static int is_over; /* 1: they have to end, and no other may be started */

static void (*to_run)(void);

/* How many there are, above that how many of them are the C library's, and above both how often that has changed.  Each
 * counts itself, so that it is no more than the kernel counts. */
enum { ONE = 1, OF_LIBC = 1 << 8, CHANGE = 1 << 16 };
static _Atomic uint32_t alive;
static void (*to_end)(void);   /* tells the one of the C library's to end; written before it counts itself */
static _Atomic int is_watched; /* the watch was started */
static const struct ompp_emulated_threads *emulated; /* NULL where the kernel tells of threads */

void ompp_helper_thread_enter(void (*end)(void))
{
	OMPP_STORE(&to_end, end);
	atomic_fetch_add(&alive, CHANGE + ONE + OF_LIBC);
}

void ompp_helper_thread_leave(void)
{
	atomic_fetch_add(&alive, CHANGE - ONE - OF_LIBC);
}

static void helper_thread_begin(void)
{
	atomic_fetch_add(&alive, CHANGE + ONE);
	OMPP_SYS2(prctl, PR_SET_NAME, "ompp");
}

static void begin_to_run(void)
{
	helper_thread_begin();
	to_run();
}

void ompp_helper_thread_exit(void)
{
	atomic_fetch_add(&alive, CHANGE - ONE);
	for (;;)
		OMPP_SYS1(exit, 0);
}

static int helper_thread_start(void (*begin)(void))
{
	const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	char *stack;
	long rc;

	if (OMPP_LOAD(&is_over) || OMPP_LOAD(&n_started) >= MOST - 1) /* the watch may be started at the same time */
		return -EAGAIN;
	stack = ompp_space_take(STACK_BYTES);
	if (!stack)
		return -ENOMEM;
	/* inside of the mapping, as tools expect */
	rc = ompp_clone(flags, stack + STACK_BYTES - 64, begin, NULL);
	if (rc < 0) {
		ompp_sys_munmap(stack, STACK_BYTES);
		return (int)rc;
	}
	started[__atomic_fetch_add(&n_started, 1, __ATOMIC_RELAXED)] = (int)rc;
	return 0;
}

int ompp_helper_thread(void (*run)(void))
{
	to_run = run;
	return helper_thread_start(begin_to_run);
}

int ompp_helper_thread_is_over(void)
{
	return OMPP_LOAD(&is_over);
}

/* ---- the end of a process whose threads end by themselves ---- */

enum { LOOK_NS = 100000000, LAST_FILE = -1, OWN_FILES = 2 /* CLOSE_RANGE_UNSHARE */ };
enum { FIELD_STATE = 3, FIELD_THREADS = 20, FIELD_STATUS = 52, MOST_FIELDS = 53 };

/* Is the main thread over?  Then it has no memory that the kernel could read.  This takes no descriptor, whose number
 * the program might get otherwise. */
static int is_main_over(void)
{
	char byte;
	struct iovec to = { &byte, 1 }, from = { &is_over, 1 };

	if (emulated)
		return OMPP_LOAD(&emulated->is_main_over) != 0;
	return OMPP_SYS6(process_vm_readv, ompp_sys_getpid(), &to, 1, &from, 1, 0) == -ESRCH;
}

/* Finds the fields of /proc/self/stat, counted as in proc(5), from the state on.  Returns how many there are. */
static int split_fields(char *stat, const char **field)
{
	char *p = strrchr(stat, ')'); /* the name before it may have anything in it */
	int n = FIELD_STATE;

	for (p = p ? p + 1 : stat; *p && n < MOST_FIELDS;) {
		while (*p == ' ')
			*p++ = '\0';
		if (*p)
			field[n++] = p;
		while (*p && *p != ' ')
			p++;
	}
	return n;
}

/* Both return the status of the process where the main thread is over and no thread but ours is left; -1 otherwise.  By
 * the kernel it is the main thread's, as it tells no other.
 * before: `alive`, which is to be that still */
static int status_by_emulator(uint32_t before)
{
	uint32_t n = __atomic_load_n(&emulated->n, __ATOMIC_ACQUIRE);

	return n == before % OF_LIBC && atomic_load(&alive) == before ? (int)OMPP_LOAD(&emulated->status) : -1;
}

static int status_by_kernel(uint32_t before)
{
	static char stat[1024];
	static const char *field[MOST_FIELDS];
	const char *threads, *status;

	if (ompp_file_line("/proc/self/stat", stat, sizeof(stat)) <= 0 || split_fields(stat, field) <= FIELD_STATUS)
		return -1;
	threads = field[FIELD_THREADS];
	status = field[FIELD_STATUS];
	if (*field[FIELD_STATE] != 'Z' || ompp_text_digits(&threads) != 1 + before % OF_LIBC ||
	    atomic_load(&alive) != before)
		return -1;
	return (int)(ompp_text_digits(&status) >> 8) & 0xff;
}

/* Where one of the C library's is left, the process is not over: the C library's last thread ends it by exit(), which
 * the program's own last one has not done, as it was not the last.  So that one ends first, and while it does so it is
 * not one of ours.  The C library counts a thread that ended by exit(2) still; then exit() is not due, and the process
 * is left to the watch.
 *
 * Reads a file of /proc, for which it gets a table of files of its own. */
static void helper_thread_watch(void)
{
	uint32_t nothing = 0, now;
	int status = -1, found;

	helper_thread_begin();
	if (!emulated && (int)OMPP_SYS3(close_range, 0, LAST_FILE, OWN_FILES) < 0)
		ompp_helper_thread_exit();
	while (!OMPP_LOAD(&is_over)) {
		now = atomic_load(&alive);
		found = emulated ? status_by_emulator(now) : status_by_kernel(now);
		if (status < 0)
			status = found; /* before the one of the C library's gives its own */
		if (found >= 0 && now % CHANGE / OF_LIBC)
			OMPP_LOAD (&to_end)();
		else if (found >= 0)
			OMPP_SYS1(exit_group, status);
		ompp_sys_wait_while(&nothing, 0, LOOK_NS);
	}
	ompp_helper_thread_exit();
}

void ompp_helper_threads_emulated(const struct ompp_emulated_threads *threads)
{
	emulated = threads;
}

void ompp_helper_thread_look(void)
{
	if (!is_main_over() || atomic_exchange(&is_watched, 1))
		return;
	if (helper_thread_start(helper_thread_watch))
		atomic_store(&is_watched, 0);
}

void ompp_helper_thread_wait(uint32_t *word, uint32_t value, int64_t ns)
{
	ompp_sys_wait_while(word, value, ns < LOOK_NS ? ns : LOOK_NS);
	ompp_helper_thread_look();
}

/* ---- all of them ---- */

void ompp_helper_threads_end(void)
{
	OMPP_STORE(&is_over, 1);
	for (uint32_t i = 0; i < n_started; i++)
		for (int k = 0; k < MOST_PAUSES && !OMPP_SYS3(tgkill, ompp_sys_getpid(), started[i], 0); k++)
			ompp_sys_sleep(PAUSE_NS);
	n_started = 0;
}

void ompp_helper_threads_after_fork(void)
{
	atomic_store(&alive, 0);
	atomic_store(&is_watched, 0);
	n_started = 0;
}
