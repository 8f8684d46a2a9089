/*
 * Signals: handlers with regions of their own interrupt threads in the middle of their events.
 * Usage: signals [ROUNDS [own|team]]   own: the handlers have a stack of their own; team: they come in the second thread of
 * a team, from its start on
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <ompp.h>

/* Under strace on a busy machine a tick may come in no time after the one before; the program must end all the same. */
enum { MOST_TICKS = 20000 };

static volatile sig_atomic_t n_ticks;

static void tick(int sig)
{
	static const struct itimerval never;

	(void)sig;
	ompp_region_begin("tick");
	if (__atomic_add_fetch(&n_ticks, 1, __ATOMIC_RELAXED) == MOST_TICKS) /* two threads may be in it at the start */
		setitimer(ITIMER_REAL, &never, NULL);
	ompp_region_begin("tock");
	ompp_region_end("tock");
	ompp_region_end("tick");
}

/* No handler comes in the calling thread any more. */
static void block(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* The first thread takes no signals, so that they come in the other one, also while that is being started. */
static long team(long n)
{
	long sum = 0;

#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			block();
#pragma omp for reduction(+ : sum)
		for (long i = 0; i < n; i++) {
#pragma omp critical
			sum += i;
		}
		block();
	}
	return sum;
}

int main(int argc, char **argv)
{
	static char room[65536];
	stack_t other = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction action;
	struct itimerval every = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	long n = argc > 1 ? atol(argv[1]) : 3000000, i, sum = 0;

	memset(&action, 0, sizeof(action));
	action.sa_handler = tick;
	action.sa_flags = SA_RESTART;
	if (argc > 2 && !strcmp(argv[2], "own")) {
		action.sa_flags |= SA_ONSTACK;
		sigaltstack(&other, NULL);
	}
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	if (argc > 2 && !strcmp(argv[2], "team"))
		sum = team(n);
	else
		for (i = 0; i < n; i++) {
#pragma omp critical
			{
#pragma omp flush
				sum += i;
			}
		}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld %d\n", sum, (int)n_ticks);
	return 0;
}
