/*
 * Accesses to `counter` before and after the program does with SIGTRAP what its first argument says, for blocked.sh: 10
 * and as many as the second argument says.  It prints the signals that it sees blocked then, and the last value.
 *
 *   thread, process   blocks it by pthread_sigmask() or sigprocmask()
 *   library           has a library block it
 *   handler           counts in a handler during which it is blocked
 *   wait              counts in a handler that comes while it waits with the signal blocked
 *   action            handles it, and counts in two threads
 *   reset             handles it once, and raises it twice: the second one ends the program
 *   unblock           has it blocked before anything is counted, and not afterwards
 *   other             blocks another signal
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLAIN
#define ompp_papi_set_drange(p, n, name) ((void)(p))
#else
#include "ompp.h"
#endif

volatile long counter;
static int n_later;

#ifdef ALONE
static void block_in_library(const sigset_t *set)
{
	(void)set;
}
#else
extern void block_in_library(const sigset_t *set);
#endif

static void count(int n)
{
	for (int i = 0; i < n; i++)
		counter = i;
}

static void on_alarm(int sig)
{
	(void)sig;
	count(n_later);
}

static void on_trap(int sig)
{
	(void)sig;
	puts("trap");
	fflush(stdout);
}

static void handle(int sig, void (*handler)(int), const sigset_t *mask, int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	action.sa_mask = *mask;
	sigaction(sig, &action, NULL);
}

static void count_in_threads(void)
{
#pragma omp parallel num_threads(2)
#pragma omp critical
	count(n_later / 2);
}

static void act(const char *how, const sigset_t *traps)
{
	sigset_t none;

	sigemptyset(&none);
	if (!strcmp(how, "thread"))
		pthread_sigmask(SIG_BLOCK, traps, NULL);
	else if (!strcmp(how, "process"))
		sigprocmask(SIG_BLOCK, traps, NULL);
	else if (!strcmp(how, "library"))
		block_in_library(traps);
	else if (!strcmp(how, "handler"))
		handle(SIGALRM, on_alarm, traps, 0);
	else if (!strcmp(how, "wait"))
		handle(SIGALRM, on_alarm, &none, 0);
	else if (!strcmp(how, "action"))
		handle(SIGTRAP, on_trap, &none, 0);
	else if (!strcmp(how, "reset"))
		handle(SIGTRAP, on_trap, &none, SA_RESETHAND);
	else if (!strcmp(how, "unblock"))
		pthread_sigmask(SIG_UNBLOCK, traps, NULL);
}

/* The alarm is pending when the wait begins, and comes in it. */
static void wait_with(const sigset_t *traps)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	raise(SIGALRM);
	sigsuspend(traps);
}

static void show_mask(void)
{
	sigset_t now;

	pthread_sigmask(SIG_SETMASK, NULL, &now);
	for (int sig = 1; sig < 32; sig++)
		if (sigismember(&now, sig) == 1)
			printf("%d ", sig);
}

int main(int argc, char **argv)
{
	sigset_t traps, other;

	if (argc < 3)
		return 2;
	n_later = atoi(argv[2]);
	sigemptyset(&traps);
	sigaddset(&traps, SIGTRAP);
	sigemptyset(&other);
	sigaddset(&other, SIGUSR1);
	if (!strcmp(argv[1], "unblock")) {
		pthread_sigmask(SIG_BLOCK, &traps, NULL);
		act(argv[1], &traps);
	}
	ompp_papi_set_drange((void *)&counter, sizeof(counter), "counter");
	count(10);
	if (strcmp(argv[1], "unblock"))
		act(argv[1], &traps);
	if (!strcmp(argv[1], "other"))
		pthread_sigmask(SIG_BLOCK, &other, NULL);
	if (!strcmp(argv[1], "wait"))
		wait_with(&traps);
	else if (!strcmp(argv[1], "handler"))
		raise(SIGALRM);
	else if (!strcmp(argv[1], "action"))
		count_in_threads();
	else
		count(n_later);
	if (!strcmp(argv[1], "reset")) {
		raise(SIGTRAP);
		raise(SIGTRAP);
	}
	show_mask();
	printf("%ld\n", counter); /* one more access */
	return 0;
}
