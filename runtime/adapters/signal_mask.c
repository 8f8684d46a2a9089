/*
 * Signal mask: see signal_mask.h.
 */
#define _GNU_SOURCE
#include "runtime/adapters/signal_mask.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime/base/array.h"
#include "runtime/base/sys.h"
#include "runtime/core/session.h"
#include "runtime/host/real.h"
#include "runtime/host/redirect.h"
#include "runtime/sources/breakpoint.h"

typedef void function(void);

static int has_traps(const sigset_t *set)
{
	uint64_t signals;

	if (!set)
		return 0;
	memcpy(&signals, set, sizeof(signals));
	return (signals & OMPP_SIGNAL(SIGTRAP)) != 0;
}

void ompp_signal_mask_action(int sig, const struct sigaction *action)
{
	int is_function = action->sa_flags & SA_SIGINFO ||
	                  (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);

	if (sig != SIGTRAP && is_function && has_traps(&action->sa_mask))
		ompp_breakpoint_unguard();
}

/* ---- a thread's mask ---- */

typedef int set_function(int how, const sigset_t *set, sigset_t *before);

/* Does what pthread_sigmask() and sigprocmask() do, by calling `real`. */
static int change_mask(set_function *real, int how, const sigset_t *set, sigset_t *before)
{
	int has = has_traps(set), rc;

	if (has && (how == SIG_BLOCK || how == SIG_SETMASK))
		ompp_breakpoint_block(1);
	rc = real(how, set, before);
	if (!rc && set && (how == SIG_UNBLOCK ? has : how == SIG_SETMASK && !has))
		ompp_breakpoint_block(0);
	return rc;
}

static set_function *real_pthread_sigmask, *real_sigprocmask;

static int pthread_sigmask_(int how, const sigset_t *set, sigset_t *before)
{
	return change_mask(real_pthread_sigmask, how, set, before);
}

static int sigprocmask_(int how, const sigset_t *set, sigset_t *before)
{
	return change_mask(real_sigprocmask, how, set, before);
}

/* ---- calls that wait with a mask of their own, which a handler has that runs meanwhile ---- */

static void wait_with(const sigset_t *set)
{
	if (has_traps(set))
		ompp_breakpoint_unguard();
}

static int (*real_sigsuspend)(const sigset_t *set);
static int sigsuspend_(const sigset_t *set)
{
	wait_with(set);
	return real_sigsuspend(set);
}

static int (*real_ppoll)(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *set);
static int ppoll_(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *set)
{
	wait_with(set);
	return real_ppoll(fds, n, timeout, set);
}

static int (*real_pselect)(int n, fd_set *in, fd_set *out, fd_set *more, const struct timespec *timeout,
                           const sigset_t *set);
static int pselect_(int n, fd_set *in, fd_set *out, fd_set *more, const struct timespec *timeout, const sigset_t *set)
{
	wait_with(set);
	return real_pselect(n, in, out, more, timeout, set);
}

static int (*real_epoll_pwait)(int epoll, struct epoll_event *events, int n, int timeout, const sigset_t *set);
static int epoll_pwait_(int epoll, struct epoll_event *events, int n, int timeout, const sigset_t *set)
{
	wait_with(set);
	return real_epoll_pwait(epoll, events, n, timeout, set);
}

/* ---- handlers that libraries install; the program's own are seen by process.c ---- */

static int (*real_sigaction)(int sig, const struct sigaction *action, struct sigaction *old);
static int sigaction_(int sig, const struct sigaction *action, struct sigaction *old)
{
	if (action && sig == SIGTRAP)
		ompp_breakpoint_unguard();
	else if (action)
		ompp_signal_mask_action(sig, action);
	return real_sigaction(sig, action, old);
}

static void (*(*real_signal)(int sig, void (*handler)(int)))(int);
static void (*signal_(int sig, void (*handler)(int)))(int)
{
	if (sig == SIGTRAP)
		ompp_breakpoint_unguard();
	return real_signal(sig, handler);
}

/* ---- the start ---- */

static void look_at_handlers(void)
{
	struct sigaction have;
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		if (ompp_real()->sigaction && !ompp_real()->sigaction(sig, NULL, &have))
			ompp_signal_mask_action(sig, &have);
}

void ompp_signal_mask_start(void)
{
/* clang-format off */
#define ROW(name) { #name, (function *)(uintptr_t)name##_, (function **)(void *)&real_##name, 0 }
	/* clang-format on */
	static const struct ompp_redirection list[] = {
		ROW(pthread_sigmask), ROW(sigprocmask), ROW(sigsuspend), ROW(ppoll),
		ROW(pselect),         ROW(epoll_pwait), ROW(sigaction),  ROW(signal),
	};

	if (strcmp(ompp_session.options.text[OMPP_OPT_DATA_METHOD], "breakpoint") || !ompp_breakpoint_may_lose())
		return;
	ompp_redirect(list, OMPP_COUNT_OF(list));
	if (!real_sigprocmask || !real_pthread_sigmask)
		ompp_breakpoint_unguard(); /* a static program that kinst has not linked */
	look_at_handlers();
}
