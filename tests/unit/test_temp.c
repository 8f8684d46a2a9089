/*
 * Temp: which folder temporary files get, what it is called, that it goes, and what is returned where none can be made.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
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

#include "opari/base/temp.h"
#include "runtime/base/array.h"

static char base[] = "/tmp/test_temp.XXXXXX";

static int is_there(const char *path)
{
	return !access(path, F_OK);
}

static void seed(const char *line)
{
	struct kinst_words words = { 0 };

	kinst_words_split(&words, line);
	kinst_temp_seed(&words);
	kinst_words_free(&words);
}

/* Returns the folder of a call, which is removed; the caller frees its name. */
static char *name_of(const char *line)
{
	char *name;

	seed(line);
	assert_non_null(kinst_temp_dir());
	name = kinst_strdup(kinst_temp_dir());
	assert_true(is_there(name));
	kinst_temp_remove();
	assert_false(is_there(name));
	return name;
}

/* The same call has the same folder, another one another, and one at the same time, or elsewhere, too. */
static void test_names(void **state)
{
	static const char *const lines[] = { "gcc -c a.c", "gcc -c b.c", "gcc -c a .c", "gcc", "" };
	char *names[OMPP_COUNT_OF(lines)], *again;

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(lines); i++) {
		names[i] = name_of(lines[i]);
		assert_int_equal(strncmp(names[i], base, strlen(base)), 0);
		again = name_of(lines[i]);
		assert_string_equal(names[i], again);
		free(again);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(names[i], names[k]);
		assert_int_equal(mkdir(names[i], 0700), 0);
		again = name_of(lines[i]);
		assert_string_not_equal(names[i], again);
		free(again);
		rmdir(names[i]);
	}
	assert_int_equal(chdir("/"), 0);
	again = name_of(lines[0]);
	assert_string_not_equal(names[0], again);
	free(again);
	assert_int_equal(chdir(base), 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(lines); i++)
		free(names[i]);
}

/* Each file has a folder of its own in that of the call, and all of it goes. */
static void test_paths(void **state)
{
	char *paths[20], *folder;

	(void)state;
	folder = kinst_strdup(kinst_temp_dir());
	for (size_t i = 0; i < OMPP_COUNT_OF(paths); i++) {
		FILE *file;

		paths[i] = kinst_temp_path("a.c");
		assert_non_null(paths[i]);
		assert_int_equal(strncmp(paths[i], folder, strlen(folder)), 0);
		assert_string_equal(strrchr(paths[i], '/'), "/a.c");
		assert_false(is_there(paths[i]));
		file = fopen(paths[i], "w");
		assert_non_null(file);
		fclose(file);
	}
	kinst_temp_remove();
	assert_false(is_there(folder));
	for (size_t i = 0; i < OMPP_COUNT_OF(paths); i++)
		free(paths[i]);
	free(folder);
}

/* The first of these variables that names a folder has it. */
static void test_bases(void **state)
{
	static const char *const names[] = { "TMPDIR", "TMP", "TEMP" };
	char *other = kinst_format("%s/other", base);

	(void)state;
	assert_int_equal(mkdir(other, 0700), 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		char *name;

		setenv(names[i], other, 1);
		name = name_of("gcc");
		assert_int_equal(strncmp(name, other, strlen(other)), 0);
		free(name);
		setenv(names[i], i == 0 ? "" : i == 1 ? "/proc/self/stat" : "/none", 1);
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++)
		unsetenv(names[i]);
	setenv("TMPDIR", base, 1);
	rmdir(other);
	free(other);
}

/* In a folder whose name leaves no room for that of another one. */
static void test_none(void **state)
{
	char part[NAME_MAX + 1], *path = kinst_strdup(base);

	(void)state;
	memset(part, 'a', sizeof(part) - 1);
	part[sizeof(part) - 1] = '\0';
	while (strlen(path) < PATH_MAX - 10) {
		size_t left = PATH_MAX - 5 - strlen(path);
		char *longer = kinst_format("%s/%.*s", path, (int)(left < sizeof(part) ? left : sizeof(part) - 1),
		                            part);

		free(path);
		path = longer;
		assert_int_equal(mkdir(path, 0700), 0);
	}
	setenv("TMPDIR", path, 1);
	assert_null(kinst_temp_dir());
	assert_int_equal(errno, ENAMETOOLONG);
	assert_null(kinst_temp_path("x"));
	setenv("TMPDIR", base, 1);
	for (; strlen(path) > strlen(base); *strrchr(path, '/') = '\0')
		rmdir(path);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_names), cmocka_unit_test(test_paths),
		                            cmocka_unit_test(test_bases), cmocka_unit_test(test_none) };
	int failed;

	if (!mkdtemp(base) || chdir(base))
		return 99;
	unsetenv("TMP");
	unsetenv("TEMP");
	setenv("TMPDIR", base, 1);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return rmdir(base) ? 99 : failed;
}
