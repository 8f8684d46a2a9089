/*
 * Child: how programs that ompp runs end, and those that cannot be run; the terminal's signals are ompp's again then,
 * and no descriptor stays.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/command/arguments.h"
#include "reports/command/child.h"
#include "runtime/base/array.h"

enum { OURS = 100 }; /* an end of a pipe from the program */

static int n_open(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void on_interrupt(int number)
{
	(void)number;
}

static void (*handler_of(int number))(int)
{
	struct sigaction action;

	assert_int_equal(sigaction(number, NULL, &action), 0);
	return action.sa_handler;
}

/* The program is not run before it is told to, and sees what was prepared. */
static void prepare(void)
{
	if (dup2(OURS, 1) < 0)
		_exit(98);
}

static void test_ends(void **state)
{
	static const struct {
		const char *words[4];
		int is_run, status;
	} cases[] = {
		{ { "sh", "-c", "exit 3" }, 0, 3 << 8 },         { { "sh", "-c", "exit 0" }, 0, 0 },
		{ { "sh", "-c", "kill -TERM $$" }, 0, SIGTERM }, { { "sh", "-c", "echo x" }, 0, 0 },
		{ { "./none" }, OMPP_EXIT_NOT_FOUND, 0 },        { { "/" }, OMPP_EXIT_NOT_RUN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		int before = n_open(), pipes[2];
		struct ompp_child child;
		char *words[4] = { NULL }, byte = 0;

		for (size_t k = 0; cases[i].words[k]; k++)
			words[k] = (char *)cases[i].words[k];
		assert_int_equal(pipe2(pipes, O_CLOEXEC | O_NONBLOCK), 0);
		assert_int_equal(dup2(pipes[1], OURS), OURS);
		assert_int_equal(ompp_child_start(&child, words, prepare), 0);
		assert_true(handler_of(SIGINT) == SIG_IGN && handler_of(SIGQUIT) == SIG_IGN);
		assert_int_equal(read(pipes[0], &byte, 1), -1);
		assert_int_equal(ompp_child_go(&child, "; try"), cases[i].is_run);
		if (!cases[i].is_run)
			assert_int_equal(ompp_child_wait(&child), cases[i].status);
		if (cases[i].words[2] && cases[i].words[2][0] == 'e' && cases[i].words[2][1] == 'c')
			assert_true(read(pipes[0], &byte, 1) == 1 && byte == 'x');
		assert_ptr_equal(handler_of(SIGINT), on_interrupt);
		assert_ptr_equal(handler_of(SIGQUIT), SIG_DFL);
		close(OURS);
		close(pipes[0]);
		close(pipes[1]);
		assert_int_equal(n_open(), before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_ends) };

	signal(SIGINT, on_interrupt);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
