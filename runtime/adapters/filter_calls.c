/*
 * Filter calls: see filter_calls.h.
 *
 * Before the filter is there, our threads end, a delegate starts that makes the report (session/delegate.h), and what
 * would make system calls at events is switched off, where the filter refuses these.  Functions that libraries loaded
 * later call, and system calls by the instruction itself, are not seen.
 */
#define _GNU_SOURCE
#include "runtime/adapters/filter_calls.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "runtime/adapters/process_calls.h"
#include "runtime/base/array.h"
#include "runtime/base/auxv.h"
#include "runtime/base/filter.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/collect/dump.h"
#include "runtime/core/helper_thread.h"
#include "runtime/core/session.h"
#include "runtime/events/arrival.h"
#include "runtime/host/note.h"
#include "runtime/host/redirect.h"
#include "runtime/memory/page_ticks.h"
#include "runtime/memory/page_writes.h"
#include "runtime/session/delegate.h"
#include "runtime/session/session_start.h"
#include "runtime/sources/source.h"
#include "runtime/terms/option.h"

typedef void function(void);

#define RESERVE_BYTES ((size_t)256 << 20)
#define RESERVE_LEAST ((size_t)1 << 20)

/* The same arguments as those of the real functions, so that the calls which are no filter's go on by a jump. */
typedef int prctl_function(int option, long a, long b, long c, long d);
typedef long syscall_function(long number, long a, long b, long c, long d, long e, long f);

static prctl_function *real_prctl;
static syscall_function *real_syscall;

/* ---- before and after ---- */

static void end_threads(void)
{
	ompp_page_ticks_end();
	ompp_page_writes_yield("the program has put a seccomp filter in place");
	ompp_dump_end_thread();
	ompp_helper_threads_end();
}

static void note_filter(int has_delegate)
{
	ompp_note_say_once(has_delegate
	                           ? "The program has put a seccomp filter in place: system calls that it refuses "
	                             "were not made from then on, and what needs them is missing; a process "
	                             "that shares its memory, and that the filter does not bind, makes the report"
	                           : "The program has put a seccomp filter in place, and no process could be started "
	                             "that makes the report at the end: this one may end where the filter begins",
	                   48);
}

static void filter_reserve(void)
{
	static int is_reserved;
	size_t n_bytes = ompp_space_share(RESERVE_BYTES, RESERVE_LEAST, 16);

	if (!is_reserved)
		ompp_filter_reserve(ompp_space_reserve(n_bytes), n_bytes, ompp_page_bytes());
	is_reserved = 1;
}

static void begin(void)
{
	int is_silent = ompp_options_silent(&ompp_session.options), has_delegate;

	filter_reserve();
	end_threads();
	if (is_silent)
		return;
	has_delegate = !ompp_delegate_start();
	note_filter(has_delegate);
	if (!has_delegate)
		ompp_dump_before_exec();
}

/* Switches off what the filter refuses. */
static void heed(void)
{
	if (ompp_filter_refuses(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, 0) ||
	    ompp_filter_refuses(SYS_getrusage, RUSAGE_THREAD, 0))
		OMPP_STORE(&ompp_arrival_interval, UINT64_MAX);
	if (ompp_filter_refuses(SYS_rt_sigaction, 0, 0) || ompp_filter_refuses(SYS_rt_sigreturn, 0, 0) ||
	    ompp_filter_refuses(SYS_tgkill, 0, 0))
		ompp_process_unwatch();
	ompp_sources_filtered();
}

/* Has libompp ready for a filter.  Returns 1; or 0 when the kernel will not take it.
 * program: NULL for the strict mode */
static int filter_comes(const struct sock_fprog *program)
{
	struct sock_fprog copy = { 0, NULL };

	if (!ompp_session_start() || ((uintptr_t)program && ompp_filter_copy(&copy, program, sizeof(copy))))
		return 0;
	if (!OMPP_LOAD(&ompp_filtered))
		begin();
	if (ompp_filter_add(program ? copy.filter : NULL, copy.len))
		return 0;
	heed();
	return 1;
}

/* What follows a call that was to put a filter in place. */
static void filter_came(int was_ready, int is_there)
{
	if (was_ready && !is_there)
		ompp_filter_drop();
}

/* ---- the calls ---- */

static __attribute__((noinline)) int put_by_prctl(long mode, long program, long c, long d)
{
	int ready = mode == SECCOMP_MODE_STRICT            ? filter_comes(NULL)
	          : mode == SECCOMP_MODE_FILTER && program ? filter_comes((const struct sock_fprog *)program)
	                                                   : 0;
	int rc = real_prctl(PR_SET_SECCOMP, mode, program, c, d);

	filter_came(ready, !rc);
	return rc;
}

static int prctl_(int option, long a, long b, long c, long d)
{
	return option == PR_SET_SECCOMP ? put_by_prctl(a, b, c, d) : real_prctl(option, a, b, c, d);
}

static __attribute__((noinline)) long put_by_seccomp(long operation, long flags, long program)
{
	int ready = operation == SECCOMP_SET_MODE_STRICT            ? filter_comes(NULL)
	          : operation == SECCOMP_SET_MODE_FILTER && program ? filter_comes((const struct sock_fprog *)program)
	                                                            : 0;
	long rc = real_syscall(SYS_seccomp, operation, flags, program, 0, 0, 0);

	filter_came(ready, rc == 0 || (rc > 0 && flags & SECCOMP_FILTER_FLAG_NEW_LISTENER));
	return rc;
}

static long syscall_(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_seccomp)
		return put_by_seccomp(a, b, c);
	if (number == SYS_prctl && a == PR_SET_SECCOMP && real_prctl)
		return put_by_prctl(b, c, d, e);
	return real_syscall(number, a, b, c, d, e, f);
}

void ompp_filter_calls_start(void)
{
	static const struct ompp_redirection list[] = {
		{ "prctl", (function *)(uintptr_t)prctl_, (function **)(void *)&real_prctl, 0 },
		{ "syscall", (function *)(uintptr_t)syscall_, (function **)(void *)&real_syscall, 0 },
	};

	ompp_redirect_add(list, OMPP_COUNT_OF(list));
}
