/*
 * Stack: a function that needs much stack gets it in a thread that has little, and signals are as before afterwards.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/host/stack.h"

enum { LARGE = 128 * 1024 };

struct work {
	int n_calls, is_interrupted;
	size_t sum;
};

static volatile sig_atomic_t n_signals;

static void count_signal(int sig)
{
	(void)sig;
	n_signals++;
}

static void use_much(void *arg)
{
	struct work *work = arg;
	volatile unsigned char room[LARGE];

	memset((unsigned char *)room, 1, LARGE);
	pthread_kill(pthread_self(), SIGUSR1);
	for (size_t i = 0; i < LARGE; i++)
		work->sum += room[i];
	work->is_interrupted = n_signals;
	work->n_calls++;
}

static void *call_twice(void *arg)
{
	ompp_stack_call(use_much, arg);
	ompp_stack_call(use_much, arg);
	return NULL;
}

static void call_within(void *arg)
{
	ompp_stack_call(use_much, arg);
}

static void *call_nested(void *arg)
{
	ompp_stack_call(call_within, arg);
	ompp_stack_call(use_much, arg);
	return NULL;
}

/* The least stack of a thread is 128 KiB on 64-bit ARM. */
static size_t small_bytes(void)
{
	long least = sysconf(_SC_THREAD_STACK_MIN);

	return least > 64 * 1024 ? (size_t)least : 64 * 1024;
}

static void run_in_thread(void *(*start)(void *arg), size_t stack_bytes)
{
	struct sigaction count = { .sa_handler = count_signal }, before;
	struct work work = { 0, 0, 0 };
	pthread_attr_t attributes;
	pthread_t thread;

	n_signals = 0;
	assert_int_equal(sigaction(SIGUSR1, &count, &before), 0);
	pthread_attr_init(&attributes);
	assert_int_equal(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
	assert_int_equal(pthread_create(&thread, &attributes, start, &work), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	sigaction(SIGUSR1, &before, NULL);
	assert_int_equal(work.n_calls, 2);
	assert_int_equal(work.sum, 2 * LARGE);
	assert_int_equal(work.is_interrupted, 1); /* by the first call's signal, which came when that call had ended */
	assert_int_equal(n_signals, 2);
}

static void a_small_stack_is_not_used(void **state)
{
	(void)state;
	run_in_thread(call_twice, small_bytes());
}

static void a_large_stack_of_a_thread_is_not_used(void **state)
{
	(void)state;
	run_in_thread(call_twice, 1024 * 1024);
}

static void a_call_may_be_within_another(void **state)
{
	(void)state;
	run_in_thread(call_nested, small_bytes());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_stack_is_not_used),
		cmocka_unit_test(a_large_stack_of_a_thread_is_not_used),
		cmocka_unit_test(a_call_may_be_within_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
