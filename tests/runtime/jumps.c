/*
 * Jumps: regions that longjmp() leaves, of every kind, in the function that called setjmp() and in others, from signal
 * handlers too.  After each jump the program sleeps, which is no region's time; the regions themselves are short.
 */
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <ompp.h>

enum { ROUNDS = 20, PAUSE_MS = 10 };

static jmp_buf here;
static sigjmp_buf there;
static volatile int n_jumps;

static void pause_ms(int n)
{
	struct timespec t = { 0, n * 1000000L };

	nanosleep(&t, NULL);
}

__attribute__((noinline)) static void jump(void)
{
	longjmp(here, 1);
}

__attribute__((noinline)) static void deep(int n)
{
	volatile char room[64];

	room[0] = (char)n;
	ompp_region_begin("deep");
	if (n)
		deep(n - 1);
	else
		jump();
	ompp_region_end("deep");
	(void)room;
}

static void on_signal(int sig)
{
	(void)sig;
	ompp_region_begin("handler");
	siglongjmp(there, 1);
}

/* Each in the function of its setjmp(), round after round. */
static void user_region(void)
{
	ompp_region_begin("before");
	if (!setjmp(here)) {
		ompp_region_begin("user");
		jump();
	}
	n_jumps++;
	ompp_region_end("before");
	pause_ms(PAUSE_MS);
}

static void constructs(void)
{
	volatile int round;

	for (round = 0; round < ROUNDS; round++) {
		if (!setjmp(here)) {
#pragma omp for
			for (int i = 0; i < 1; i++)
				jump();
		}
		if (!setjmp(here)) {
#pragma omp master
			jump();
		}
		if (!setjmp(here)) {
#pragma omp ordered
			jump();
		}
		if (!setjmp(here))
			deep(5);
		n_jumps += 4;
		pause_ms(PAUSE_MS);
	}
}

/* Begun before the setjmp(), ended behind it, begun again. */
static void crossing(void)
{
	volatile int round;

	for (round = 0; round < ROUNDS; round++) {
		ompp_region_begin("first");
		if (!setjmp(here)) {
			ompp_region_end("first");
			ompp_region_begin("second");
			jump();
		}
		ompp_region_begin("third");
		ompp_region_end("third");
		n_jumps++;
	}
}

/* While measuring is off, which is no time; on again before the jump, and behind it. */
static void off(void)
{
	volatile int round;

	for (round = 0; round < ROUNDS; round++) {
		ompp_region_begin("around off");
		ompp_off();
		if (!setjmp(here)) {
			ompp_region_begin("off");
			if (round % 2)
				ompp_on();
			jump();
		}
		n_jumps++;
		ompp_on();
		ompp_region_end("around off");
		pause_ms(PAUSE_MS / 5);
	}
}

/* What is forked or created and run at once. */
static void teams(void)
{
	volatile int round;

	for (round = 0; round < 3; round++) {
		if (!setjmp(here)) {
#pragma omp parallel if(0)
#pragma omp master
			jump();
		}
		n_jumps++;
		pause_ms(PAUSE_MS);
	}
}

static void tasks(void)
{
	volatile int round;

	for (round = 0; round < ROUNDS; round++) {
		if (!setjmp(here)) {
#pragma omp task if(0)
			jump();
		}
		n_jumps++;
	}
	pause_ms(PAUSE_MS);
}

static void handlers(void)
{
	volatile int round;
	char stack[65536];
	stack_t on = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = on_signal };

	for (round = 0; round < 2 * ROUNDS; round++) {
		if (round == ROUNDS) {
			sigaltstack(&on, NULL);
			action.sa_flags = SA_ONSTACK;
		}
		sigaction(SIGUSR1, &action, NULL);
		ompp_region_begin("around");
		if (!sigsetjmp(there, 1)) {
			ompp_region_begin("interrupted");
			raise(SIGUSR1);
		}
		n_jumps++;
		ompp_region_end("around");
		pause_ms(PAUSE_MS / 5);
	}
	on.ss_flags = SS_DISABLE;
	sigaltstack(&on, NULL);
}

int main(void)
{
	volatile int i;

	for (i = 0; i < ROUNDS; i++)
		user_region();
	constructs();
	crossing();
	handlers();
	off();
	tasks();
	teams();
	printf("%d\n", n_jumps);
	return 0;
}
