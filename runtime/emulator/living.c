/*
 * Living: see living.h.
 */
#define _GNU_SOURCE
#include "runtime/emulator/living.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/relaxed.h"

enum { STATUS_BITS = 0xff };

struct ompp_emulated_threads ompp_living = { .n = 1 };

static __thread int is_starting; /* the thread makes a call that starts another one */

static void living_add(uint32_t n)
{
	__atomic_fetch_add(&ompp_living.n, n, __ATOMIC_RELEASE);
}

/* A call that a signal interrupts is made once more. */
void ompp_living_called(int64_t number, uint64_t argument, int is_ours)
{
	is_starting = number == SYS_clone && argument & CLONE_THREAD;
	if (is_starting)
		living_add(1);
	else if (number == SYS_exit && !is_ours)
		OMPP_STORE(&ompp_living.status, (uint32_t)argument & STATUS_BITS);
}

void ompp_living_returned(int64_t number, int64_t result)
{
	if (number == SYS_clone && is_starting && result < 0)
		living_add((uint32_t)-1);
}

void ompp_living_ended(void)
{
	if (syscall(SYS_gettid) == getpid())
		OMPP_STORE(&ompp_living.is_main_over, 1);
	living_add((uint32_t)-1);
}

void ompp_living_forked(void)
{
	ompp_living = (struct ompp_emulated_threads){ .n = 1 };
}
