/*
 * Signals: see signals.h.
 */
#include "opari/base/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "runtime/base/array.h"

static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU };

static volatile sig_atomic_t running[KINST_CHILDREN]; /* pids of children, or 0 */
static volatile sig_atomic_t pending;                 /* the signal that ends us, or 0 */
static sigset_t ending_set, before;
static void (*clean_up)(void);

static void on_signal(int number)
{
	pending = number;
	for (size_t i = 0; i < KINST_CHILDREN; i++)
		if (running[i])
			kill((pid_t)running[i], number);
}

void kinst_signals_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal }, old;

	sigemptyset(&ending_set);
	for (size_t i = 0; i < OMPP_COUNT_OF(ending); i++)
		sigaddset(&ending_set, ending[i]);
	sigprocmask(SIG_BLOCK, NULL, &before);
	for (size_t i = 0; i < OMPP_COUNT_OF(ending); i++)
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
}

void kinst_signals_hold(void)
{
	sigprocmask(SIG_BLOCK, &ending_set, NULL);
}

void kinst_signals_release(void)
{
	sigprocmask(SIG_SETMASK, &before, NULL);
	kinst_signals_end();
}

void kinst_signals_pass_to(const pid_t children[KINST_CHILDREN])
{
	for (size_t i = 0; i < KINST_CHILDREN; i++)
		running[i] = children[i];
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void kinst_signals_as_before(void)
{
	struct sigaction old;

	for (size_t i = 0; i < OMPP_COUNT_OF(ending); i++)
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler == on_signal)
			signal(ending[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void kinst_signals_clean_by(void (*clean)(void))
{
	clean_up = clean;
}

void kinst_signals_end(void)
{
	int number = pending;

	if (!number)
		return;
	if (clean_up)
		clean_up();
	signal(number, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	raise(number);
	_exit(128 + number);
}
