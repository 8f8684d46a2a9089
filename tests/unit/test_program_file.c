/*
 * Program file: the path of the program, from the link that the kernel has of it and from a path of its own, into room
 * of any size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/program_file.h"

enum { ROOM = 8192, MARK = 0x5a };

static char folder[] = "program_file.XXXXXX", name[ROOM];

static int make(void **state)
{
	(void)state;
	return !mkdtemp(folder);
}

static int remove_all(void **state)
{
	(void)state;
	unlink(name);
	return rmdir(folder);
}

/* Asks with each amount of room up to what is enough and one more.  A path that does not fit is not known; nothing is
 * written behind the room. */
static void ask(const char *path, size_t n_enough)
{
	size_t n = strlen(path);
	char got[ROOM];

	for (size_t n_room = 1; n_room <= n + 3; n_room++) {
		size_t known = n_room >= n_enough ? n : 0;

		memset(got, MARK, sizeof(got));
		assert_int_equal(ompp_program_path(got, n_room), known);
		assert_int_equal(strlen(got), known);
		assert_memory_equal(got, path, known);
		for (size_t i = n_room; i < n + 8; i++)
			assert_int_equal(got[i], MARK);
	}
}

static void own_program(void **state)
{
	char path[ROOM];

	(void)state;
	assert_non_null(realpath("/proc/self/exe", path));
	assert_string_equal(ompp_program_file, "/proc/self/exe");
	ask(path, strlen(path) + 2); /* a link that fills the room may have been cut */
}

/* Makes a link in the folder, and asks for where it leads. */
static void follow(const char *to)
{
	unlink(name);
	strcpy(name, folder);
	strcat(name, "/link");
	assert_int_equal(symlink(to, name), 0);
	ompp_program_file = name;
	ask(to, strlen(to) + 2);
}

static void links_are_followed(void **state)
{
	char to[300] = "/";

	(void)state;
	follow("/a");
	follow("/no/such/folder/with (deleted)");
	for (int i = 1; i < 299; i++)
		to[i] = i % 50 ? (char)('a' + i % 26) : '/';
	follow(to);
}

/* The file of an emulated program is no link. */
static void files_are_themselves(void **state)
{
	char path[ROOM];

	(void)state;
	assert_non_null(realpath("/proc/self/exe", path));
	ompp_program_file = path;
	ask(path, strlen(path) + 2);
}

static void what_is_missing_is_not_known(void **state)
{
	char got[8] = "before";

	(void)state;
	ompp_program_file = "/no/such/file";
	assert_int_equal(ompp_program_path(got, sizeof(got)), 0);
	assert_string_equal(got, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_program),
		cmocka_unit_test(links_are_followed),
		cmocka_unit_test(files_are_themselves),
		cmocka_unit_test(what_is_missing_is_not_known),
	};

	return cmocka_run_group_tests(tests, make, remove_all);
}
