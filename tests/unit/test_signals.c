/*
 * Signals, and the folder of temporary files: a program that kinst starts gets its signals as kinst got them; removing
 * the folder follows no link out of it.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "opari/base/signals.h"
#include "opari/base/temp.h"

static void handler(int number)
{
	(void)number;
}

static void (*handler_of(int number))(int)
{
	struct sigaction action;

	assert_int_equal(sigaction(number, NULL, &action), 0);
	return action.sa_handler;
}

static void test_as_before(void **state)
{
	(void)state;
	assert_true(signal(SIGHUP, SIG_IGN) != SIG_ERR && signal(SIGUSR1, handler) != SIG_ERR);
	kinst_signals_catch();
	assert_true(handler_of(SIGHUP) == SIG_IGN); /* as under nohup */
	assert_true(handler_of(SIGTERM) != SIG_DFL);
	kinst_signals_as_before();
	assert_true(handler_of(SIGHUP) == SIG_IGN);
	assert_true(handler_of(SIGTERM) == SIG_DFL && handler_of(SIGINT) == SIG_DFL);
	assert_true(handler_of(SIGUSR1) == handler);
}

static void test_no_link_is_followed(void **state)
{
	char others[] = "/tmp/test_signals.XXXXXX", *file = NULL, *link = kinst_temp_path("link");
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(others));
	file = kinst_format("%s/file", others);
	assert_true(close(open(file, O_CREAT | O_WRONLY, 0600)) == 0);
	assert_int_equal(symlink(others, link), 0);
	kinst_temp_remove();
	assert_int_not_equal(lstat(link, &st), 0);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(others), 0);
	free(file);
	free(link);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_as_before),
		                            cmocka_unit_test(test_no_link_is_followed) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
