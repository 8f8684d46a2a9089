/*
 * Helper thread: see helper_thread.h.
 */
#define _GNU_SOURCE
#include "runtime/core/helper_thread.h"

#include <errno.h>
#include <linux/prctl.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/host/clone.h"

enum { STACK_BYTES = 64 * 1024, MOST = 16, MOST_PAUSES = 2000, PAUSE_NS = 200000 };

/* Those that have been started, by their numbers; written by who starts the first of a kind, one after another. */
static int started[MOST];
static uint32_t n_started;
static int is_over; /* 1: they have to end, and no other may be started */

static void (*to_run)(void);

static void helper_thread_begin(void)
{
	OMPP_SYS2(prctl, PR_SET_NAME, "ompp");
	to_run();
}

int ompp_helper_thread(void (*run)(void))
{
	const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	char *stack;
	long rc;

	if (OMPP_LOAD(&is_over) || n_started == MOST)
		return -EAGAIN;
	stack = ompp_space_take(STACK_BYTES);
	if (!stack)
		return -ENOMEM;
	to_run = run;
	/* inside of the mapping, as tools expect */
	rc = ompp_clone(flags, stack + STACK_BYTES - 64, helper_thread_begin, NULL);
	if (rc < 0) {
		ompp_sys_munmap(stack, STACK_BYTES);
		return (int)rc;
	}
	started[n_started++] = (int)rc;
	return 0;
}

int ompp_helper_thread_is_over(void)
{
	return OMPP_LOAD(&is_over);
}

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
	n_started = 0;
}
