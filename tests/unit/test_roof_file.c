/*
 * Roof file: what is written is read again, words of later versions are passed over, and what is damaged is said; where
 * the file is.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "reports/roofs/roof_file.h"
#include "runtime/base/array.h"

#define HEAD "ompp-machine 1\nthreads 2\n"
#define ROOF "flops 2 83000000000 4000000 vector FMA double\n"

static struct ompp_arena arena;
static char folder[] = "/tmp/roofsXXXXXX", path[64];

static void write_text(const char *text)
{
	FILE *to = fopen(path, "w");

	assert_non_null(to);
	assert_true(fputs(text, to) >= 0);
	assert_int_equal(fclose(to), 0);
}

static void test_round(void **state)
{
	struct ompp_roof list[] = {
		{ .kind = OMPP_ROOF_FLOPS, .n_threads = 1, .rate = 1, .spread = 0, .name = "one" },
		{ .kind = OMPP_ROOF_DIVISIONS, .n_threads = 7, .rate = INT64_MAX, .spread = 5, .name = "two words" },
		{ .kind = OMPP_ROOF_BYTES,
		  .n_threads = UINT32_MAX,
		  .rate = 3,
		  .spread = INT64_MAX,
		  .name = "3 threads" }
	};
	struct ompp_roofs roofs = { .host = "vm",
		                    .cpu = "a CPU",
		                    .date = "today",
		                    .vector = "",
		                    .n_threads = 3,
		                    .others = 12,
		                    .list = list,
		                    .n = OMPP_COUNT_OF(list) },
			  have;
	char deep[96];
	const char *why;

	(void)state;
	snprintf(deep, sizeof(deep), "%s/a/b/file", folder);
	assert_int_equal(ompp_roofs_write(&roofs, deep), 0);
	assert_int_equal(ompp_roofs_write(&roofs, deep), 0);
	assert_int_equal(ompp_roofs_read(&have, deep, &arena, &why), 0);
	assert_string_equal(why, "");
	assert_string_equal(have.host, "vm");
	assert_string_equal(have.cpu, "a CPU");
	assert_string_equal(have.date, "today");
	assert_string_equal(have.vector, "");
	assert_true(have.n_threads == 3 && have.others == 12 && have.n == roofs.n);
	for (size_t i = 0; i < have.n; i++) {
		assert_true(have.list[i].kind == list[i].kind && have.list[i].n_threads == list[i].n_threads);
		assert_true(have.list[i].rate == list[i].rate && have.list[i].spread == list[i].spread);
		assert_string_equal(have.list[i].name, list[i].name);
	}
	assert_int_equal(unlink(deep), 0);
	*strrchr(deep, '/') = '\0';
	assert_int_equal(rmdir(deep), 0); /* and nothing else is there */
	*strrchr(deep, '/') = '\0';
	assert_int_equal(rmdir(deep), 0);
	/* a folder that is a file, and one that is missing and cannot be made */
	write_text("");
	snprintf(deep, sizeof(deep), "%s/file", path);
	assert_int_equal(ompp_roofs_write(&roofs, deep), -ENOTDIR);
	assert_int_equal(ompp_roofs_write(&roofs, "/proc/kinst/file"), -ENOENT);
}

static void test_lines(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} cases[] = {
		{ HEAD ROOF, 0 },
		{ HEAD ROOF "later 1 2 3\n\n", 0 }, /* a word of a later version, and no word */
		{ HEAD "hosts vm\n" ROOF, 0 },
		{ HEAD "hos vm\nother 9\nflop x\n" ROOF, 0 },
		{ "ompp-machine 1\nthreads 2\n", -EINVAL }, /* no roof */
		{ "ompp-machine 1\n" ROOF, -EINVAL },       /* no threads */
		{ "ompp-machine 1\nthreads 0\n" ROOF, -EINVAL },
		{ "ompp-machine 1\nthreads 4294967295\n" ROOF, 0 },
		{ "ompp-machine 1\nthreads 4294967296\n" ROOF, -EINVAL },
		{ HEAD "others 5\n" ROOF, 0 },
		{ HEAD "others x\n" ROOF, -EINVAL },
		{ HEAD "flops 0 5 5 a\n", -EINVAL },
		{ HEAD "flops 4294967296 5 5 a\n", -EINVAL },
		{ HEAD "flops 4294967295 5 5 a\n", 0 },
		{ HEAD "flops 1 0 5 a\n", -EINVAL },
		{ HEAD "flops 1 5 0 a\n", 0 },
		{ HEAD "flops 1 -5 0 a\n", -EINVAL },
		{ HEAD "flops 1 5x 0 a\n", -EINVAL },
		{ HEAD "flops 1 5 0 \n", -EINVAL }, /* no name */
		{ HEAD "flops 1 99999999999999999999 0 a\n", -EINVAL },
	};
	struct ompp_roofs roofs;
	const char *why;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		write_text(cases[i].text);
		assert_int_equal(ompp_roofs_read(&roofs, path, &arena, &why), cases[i].rc);
		assert_string_equal(why, cases[i].rc ? "is damaged; measure anew with 'ompp machine'" : "");
		if (!cases[i].rc)
			assert_true(roofs.n == 1 && !roofs.host[0] && roofs.list[0].kind == OMPP_ROOF_FLOPS);
	}
	for (int is_empty = 0; is_empty < 2; is_empty++) {
		write_text(is_empty ? "" : "ompp-machine 2\n" ROOF);
		assert_int_equal(ompp_roofs_read(&roofs, path, &arena, &why), -EINVAL);
		assert_non_null(strstr(why, "is not a file that ompp machine wrote"));
	}
	assert_int_equal(unlink(path), 0);
	assert_int_equal(ompp_roofs_read(&roofs, path, &arena, &why), -ENOENT);
	assert_string_equal(why, "");
}

static void test_path(void **state)
{
	(void)state;
	setenv("HOME", "/people/me", 1);
	setenv("XDG_CACHE_HOME", "/cache", 1);
	assert_string_equal(ompp_roofs_path("vm", &arena), "/cache/kinst/machine-vm");
	setenv("XDG_CACHE_HOME", "relative", 1);
	assert_string_equal(ompp_roofs_path("vm", &arena), "/people/me/.cache/kinst/machine-vm");
	unsetenv("XDG_CACHE_HOME");
	assert_string_equal(ompp_roofs_path("vm", &arena), "/people/me/.cache/kinst/machine-vm");
	setenv("HOME", "", 1);
	assert_null(ompp_roofs_path("vm", &arena));
	unsetenv("HOME");
	assert_null(ompp_roofs_path("vm", &arena));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_round), cmocka_unit_test(test_lines),
		                            cmocka_unit_test(test_path) };
	int rc;

	ompp_arena_init(&arena, 0);
	if (!mkdtemp(folder))
		return 99;
	snprintf(path, sizeof(path), "%s/roofs", folder);
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	rmdir(folder);
	ompp_arena_fini(&arena);
	return rc;
}
