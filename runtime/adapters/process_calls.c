/*
 * Process: see process_calls.h.
 *
 * Our handler of a fatal signal is installed where the disposition was the default.  It writes the report, restores the
 * default and raises the signal, so that exit status and core dump are the program's own.  If a library's handler was
 * there before (libgfortran's prints a backtrace), ours calls it first, and reports when that handler has reset the
 * disposition to the default.  A handler that the program installs is not changed, except for SIGTRAP while breakpoints
 * count and their traps may be lost: ours handles those, and calls the program's for others.  kinst diverts sigaction()
 * and signal() to this file, so that a later SIG_DFL installs our handler.
 */
#define _GNU_SOURCE
#include "runtime/adapters/process_calls.h"

#include <alloca.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/adapters/signal_mask.h"
#include "runtime/base/array.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/collect/dump.h"
#include "runtime/collect/forks.h"
#include "runtime/core/session.h"
#include "runtime/host/loaded.h"
#include "runtime/host/real.h"
#include "runtime/host/redirect.h"
#include "runtime/sources/breakpoint.h"

/* Where libompp is linked as an archive, ld --wrap diverts our own calls, too; there the real functions are __real_x.
 * libtool defines PIC for the objects of the shared library. */
#ifdef PIC
#define REAL(name) name
#else
#define REAL(name) __real_##name
extern void __real__exit(int) __attribute__((noreturn));
extern void __real__Exit(int) __attribute__((noreturn));
extern int __real_execve(const char *, char *const[], char *const[]);
extern int __real_execv(const char *, char *const[]);
extern int __real_execvp(const char *, char *const[]);
extern int __real_execvpe(const char *, char *const[], char *const[]);
extern int __real_fexecve(int, char *const[], char *const[]);
extern int __real_daemon(int, int);
extern int __real_sigaction(int, const struct sigaction *, struct sigaction *);
#endif

/* Sets and reads a handler by the C library's own function, even if the program has another function of this name. */
static int set_action(int sig, const struct sigaction *action, struct sigaction *before)
{
	return ompp_real()->sigaction ? ompp_real()->sigaction(sig, action, before) : -1;
}

/* Tells whether the program has its own function of this name; then its calls just go on to that.  It is looked up
 * once. */
#define IS_PROGRAMS(name) \
	({ \
		static int known_; /* 1 for no, 2 for yes */ \
		if (!OMPP_LOAD(&known_)) \
			OMPP_STORE(&known_, 1 + ompp_real_is_programs(#name)); \
		OMPP_LOAD(&known_) == 2; \
	})

static const int fatal[] = { SIGHUP,  SIGINT,  SIGQUIT,   SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
	                     SIGFPE,  SIGUSR1, SIGUSR2,   SIGSEGV, SIGPIPE, SIGALRM, SIGTERM,
	                     SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSYS };
enum { N_FATAL = OMPP_COUNT_OF(fatal) };

/* What the program believes to be installed while our handler is: the default, or a library's handler.  sigaction()
 * calls write it, which a program serialises itself. */
static struct sigaction believed[NSIG];
static _Atomic int ours[NSIG];
static int is_unwatched; /* 1: a filter would not let our handlers do their work, so the program has its own alone */

static int is_fatal(int sig)
{
	int i;

	for (i = 0; i < N_FATAL; i++)
		if (fatal[i] == sig)
			return 1;
	return 0;
}

static int is_default(const struct sigaction *action)
{
	return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

static void on_fatal(int sig, siginfo_t *info, void *context)
{
	struct sigaction now, dfl = { .sa_handler = SIG_DFL };
	struct sigaction before = believed[sig];

	if (sig == SIGTRAP && ompp_breakpoint_lost_trap(info, context))
		return;
	if (!is_default(&before)) {
		if (before.sa_flags & SA_RESETHAND)
			believed[sig] = dfl;
		if (before.sa_flags & SA_SIGINFO)
			before.sa_sigaction(sig, info, context);
		else
			before.sa_handler(sig);
		/* When that handler has given up, the signal is pending with the default action. */
		if (set_action(sig, NULL, &now) || !is_default(&now))
			return;
		ompp_dump_final(sig);
		return;
	}
	ompp_dump_final(sig);
	set_action(sig, &dfl, NULL);
	/* A fault happens again when we return.  Any other signal is raised anew, and delivered when we return. */
	if (info->si_code <= 0 || (sig != SIGSEGV && sig != SIGBUS && sig != SIGFPE && sig != SIGILL && sig != SIGTRAP))
		ompp_sys_raise(sig);
}

static int process_install(int sig, const struct sigaction *stands_for)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_fatal;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	if (!is_default(stands_for)) {
		action.sa_mask = stands_for->sa_mask;
		action.sa_flags = (stands_for->sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
	}
	believed[sig] = *stands_for;
	atomic_store(&ours[sig], 1);
	if (set_action(sig, &action, NULL))
		return -1;
	if (sig == SIGTRAP)
		atomic_store(&ompp_breakpoint_handled, 1);
	return 0;
}

static void on_quick_exit(void *arg)
{
	(void)arg;
	ompp_dump_final(0);
}

static void watch_signal(int sig)
{
	struct sigaction have;

	if (OMPP_LOAD(&is_unwatched) || set_action(sig, NULL, &have))
		return;
	if (have.sa_flags & SA_SIGINFO ? have.sa_sigaction == on_fatal : have.sa_handler == SIG_IGN)
		return;
	process_install(sig, &have);
}

void ompp_process_unwatch(void)
{
	struct sigaction have;

	OMPP_STORE(&is_unwatched, 1);
	for (int i = 0; i < N_FATAL; i++)
		if (atomic_load(&ours[fatal[i]]) && !set_action(fatal[i], NULL, &have) && have.sa_flags & SA_SIGINFO &&
		    have.sa_sigaction == on_fatal)
			set_action(fatal[i], &believed[fatal[i]], NULL);
}

void ompp_process_watch_traps(void)
{
	watch_signal(SIGTRAP);
}

void ompp_process_watch(void)
{
	static int watching;
	const struct ompp_real *r = ompp_real();
	int i;

	if (!watching) {
		watching = 1;
		ompp_forks_watch();
		if (r->at_quick_exit)
			r->at_quick_exit(on_quick_exit, NULL); /* what is registered first runs last */
	}
	for (i = 0; i < N_FATAL; i++)
		watch_signal(fatal[i]);
}

/* Tells whether our handler is to stand for the program's action.  It stands for its handler of SIGTRAP, too, while
 * other threads may have counters of breakpoints open that the machine loses a trap of. */
static int stays_ours(int sig, const struct sigaction *action)
{
	if (atomic_load(&ompp_session.ended) || OMPP_LOAD(&is_unwatched))
		return 0;
	if (is_default(action))
		return 1;
	return sig == SIGTRAP && OMPP_LOAD(&ompp_breakpoints_on) && ompp_breakpoint_may_lose() &&
	       (action->sa_flags & SA_SIGINFO || action->sa_handler != SIG_IGN);
}

typedef int set_function(int sig, const struct sigaction *action, struct sigaction *before);

/* Does what sigaction() does, by calling `set`.  But the program sees only its own handlers, and its default action is
 * our handler. */
static int change_action(set_function *set, int sig, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction now;
	int rc;

	if (sig <= 0 || sig >= NSIG || !is_fatal(sig)) {
		if (action)
			ompp_signal_mask_action(sig, action);
		return set(sig, action, old);
	}
	rc = set_action(sig, NULL, &now);
	if (rc)
		return rc;
	if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fatal)
		now = believed[sig];
	if (action) {
		if (sig == SIGTRAP && !is_default(action))
			ompp_breakpoint_unguard();
		ompp_signal_mask_action(sig, action);
		rc = stays_ours(sig, action) ? process_install(sig, action) : set(sig, action, NULL);
		if (rc)
			return rc;
	}
	if (old)
		*old = now;
	return 0;
}

int __wrap_sigaction(int sig, const struct sigaction *action, struct sigaction *old)
{
	if (IS_PROGRAMS(sigaction))
		return REAL(sigaction)(sig, action, old);
	return change_action(REAL(sigaction), sig, action, old);
}

void (*__wrap_signal(int sig, void (*handler)(int)))(int)
{
	struct sigaction action, old;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = SA_RESTART;
	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	return change_action(set_action, sig, &action, &old) ? SIG_ERR : old.sa_handler;
}

void __wrap__exit(int status)
{
	ompp_dump_final(0);
	REAL(_exit)(status);
}

void __wrap__Exit(int status)
{
	ompp_dump_final(0);
	REAL(_Exit)(status);
}

/* An exec that fails returns.  Then the run goes on, and a later report replaces the one that is made here. */

int __wrap_execve(const char *path, char *const argv[], char *const envp[])
{
	if (!IS_PROGRAMS(execve))
		ompp_dump_before_exec();
	return REAL(execve)(path, argv, envp);
}

int __wrap_execv(const char *path, char *const argv[])
{
	if (!IS_PROGRAMS(execv))
		ompp_dump_before_exec();
	return REAL(execv)(path, argv);
}

int __wrap_execvp(const char *file, char *const argv[])
{
	if (!IS_PROGRAMS(execvp))
		ompp_dump_before_exec();
	return REAL(execvp)(file, argv);
}

int __wrap_execvpe(const char *file, char *const argv[], char *const envp[])
{
	if (!IS_PROGRAMS(execvpe))
		ompp_dump_before_exec();
	return REAL(execvpe)(file, argv, envp);
}

int __wrap_fexecve(int fd, char *const argv[], char *const envp[])
{
	if (!IS_PROGRAMS(fexecve))
		ompp_dump_before_exec();
	return REAL(fexecve)(fd, argv, envp);
}

/* daemon() forks, and the parent ends within the C library, so the parent's report is made here.  Where daemon()
 * fails, the run goes on. */
int __wrap_daemon(int no_chdir, int no_close)
{
	if (!IS_PROGRAMS(daemon))
		ompp_dump_before_exec();
	return REAL(daemon)(no_chdir, no_close);
}

/* Collects the arguments of execl and its kin in an array on the caller's stack.  The last one is NULL. */
#define COLLECT(argv, first, list, last) \
	do { \
		size_t n_ = 1, i_; \
		va_list count_; \
		va_start(list, first); \
		va_copy(count_, list); \
		while ((first) && va_arg(count_, char *)) \
			n_++; \
		va_end(count_); \
		argv = alloca((n_ + 1) * sizeof(char *)); \
		argv[0] = (char *)(uintptr_t)(first); \
		for (i_ = 1; i_ <= n_ && (first); i_++) \
			argv[i_] = va_arg(list, char *); \
		last; \
		va_end(list); \
	} while (0)

int __wrap_execl(const char *path, const char *arg, ...)
{
	char **argv;
	va_list list;

	COLLECT(argv, arg, list, (void)0);
	return __wrap_execv(path, argv);
}

int __wrap_execlp(const char *file, const char *arg, ...)
{
	char **argv;
	va_list list;

	COLLECT(argv, arg, list, (void)0);
	return __wrap_execvp(file, argv);
}

int __wrap_execle(const char *path, const char *arg, ...)
{
	char **argv, **envp;
	va_list list;

	COLLECT(argv, arg, list, envp = va_arg(list, char **));
	return __wrap_execve(path, argv, envp);
}

/* ---- programs that kinst did not link ---- */

typedef void function(void);

void ompp_process_redirect(void)
{
	/* The real ones are called by their names, above. */
	static function *real_sigaction, *real_signal, *real_exits[2], *real_execs[8], *real_daemon;
/* clang-format off */
#define ROW(name, real) { #name, (function *)(uintptr_t)__wrap_##name, &(real), OMPP_REDIRECT_UNBUILT }
	/* clang-format on */
	static const struct ompp_redirection list[] = {
		ROW(sigaction, real_sigaction), ROW(signal, real_signal),    ROW(_exit, real_exits[0]),
		ROW(_Exit, real_exits[1]),      ROW(execve, real_execs[0]),  ROW(execv, real_execs[1]),
		ROW(execvp, real_execs[2]),     ROW(execvpe, real_execs[3]), ROW(fexecve, real_execs[4]),
		ROW(execl, real_execs[5]),      ROW(execlp, real_execs[6]),  ROW(execle, real_execs[7]),
		ROW(daemon, real_daemon),
	};

	if (!ompp_loaded_is_linked())
		ompp_redirect_add(list, OMPP_COUNT_OF(list));
}
