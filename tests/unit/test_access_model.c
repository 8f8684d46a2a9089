/*
 * Access model: a thread for whose part of the model there is no memory goes without, is not asked again, and is told
 * of once; others have theirs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "runtime/access/access_model.h"
#include "runtime/access/access_reuse.h"
#include "runtime/core/thread.h"
#include "runtime/host/note.h"

static struct ompp_thread threads[3];

static void limit_address_space(rlim_t n_bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
	limit.rlim_cur = n_bytes < limit.rlim_max ? n_bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

static void test_refused(void **state)
{
	struct rlimit before;

	(void)state;
	ompp_access_model_start("L1=64M/8/64", 1, 0);
	ompp_access_reuse_start(1);
	assert_int_equal(ompp_note_n_said(), 0);
	assert_true(ompp_access_model_for(&threads[0]));
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	limit_address_space(1 << 20); /* less than the process has */
	assert_false(ompp_access_model_for(&threads[1]));
	assert_int_equal(ompp_note_n_said(), 1);
	assert_non_null(strstr(ompp_note_said(0), "no memory for the models"));
	assert_false(ompp_access_model_for(&threads[2]));
	limit_address_space(before.rlim_cur);
	assert_false(ompp_access_model_for(&threads[1]));
	assert_false(ompp_access_reuse_for(&threads[1]));
	assert_int_equal(ompp_note_n_said(), 1);
	assert_true(ompp_access_model_for(&threads[0]));
	assert_true(ompp_access_reuse_for(&threads[0]));
	threads[2].lacks_models = 0;
	assert_true(ompp_access_model_for(&threads[2])); /* there is memory again */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
