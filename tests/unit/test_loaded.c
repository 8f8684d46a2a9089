/*
 * Loaded: which file an address is in, and whether its path still has it.  Files are compared once, as long as neither
 * they nor what is loaded change; the kernel says how often we read.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/host/loaded.h"

enum { N_TIMES = 200, SECTIONS = 40 /* where the head says where sections are, which nobody needs to load it */ };

static char folder[] = "/tmp/loaded.XXXXXX", library[64], other[64];
static struct link_map *original;

/* Writes the library's file under another name, with one byte of its first page changed where that is asked for. */
static void copy(const char *path, int is_changed)
{
	FILE *from = fopen(original->l_name, "r"), *to = fopen(path, "w");

	assert_non_null(from);
	assert_non_null(to);
	for (long i = 0, ch; (ch = getc(from)) != EOF; i++)
		putc((int)(ch ^ (is_changed && i == SECTIONS ? 1 : 0)), to);
	assert_int_equal(fclose(from) | fclose(to), 0);
}

static int start(void **state)
{
	void *handle = dlopen("libm.so.6", RTLD_NOW);

	(void)state;
	if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &original) || !mkdtemp(folder))
		return 0;
	snprintf(library, sizeof(library), "%s/library.so", folder);
	snprintf(other, sizeof(other), "%s/other.so", folder);
	return 0;
}

static int end(void **state)
{
	(void)state;
	unlink(library);
	unlink(other);
	rmdir(folder);
	return 0;
}

/* Loads the copy.  Returns an address in it. */
static uintptr_t load(void **handle)
{
	*handle = dlopen(library, RTLD_NOW);
	assert_non_null(*handle);
	return (uintptr_t)dlsym(*handle, "cbrt");
}

static void expect(uintptr_t address, const char *path)
{
	static struct ompp_loaded file;

	assert_int_equal(ompp_loaded_find(&file, address), 0);
	assert_string_equal(file.path, path);
}

/* Returns how often this process has read, as the kernel counts it; -1 where it does not. */
static long n_reads(void)
{
	FILE *io = fopen("/proc/self/io", "r");
	char line[64];
	long n = -1;

	while (io && fgets(line, sizeof(line), io))
		sscanf(line, "syscr: %ld", &n);
	if (io)
		fclose(io);
	return n;
}

/* What is at the path now is told each time, and what is in memory by where it was loaded. */
static void replaced(void **state)
{
	char told[80];
	struct link_map *map;
	static struct ompp_loaded file;
	uintptr_t address;
	void *handle;

	(void)state;
	if (!library[0])
		skip();
	snprintf(told, sizeof(told), "%s%s", library, OMPP_LOADED_REPLACED);
	copy(library, 0);
	address = load(&handle);
	expect(address, library);
	assert_int_equal(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
	assert_int_equal(ompp_loaded_find(&file, address), 0);
	assert_int_equal(file.bias, map->l_addr);
	for (int i = 0; i < 3; i++) {
		copy(other, 1);
		assert_int_equal(rename(other, library), 0);
		expect(address, told);
		copy(other, 0);
		assert_int_equal(rename(other, library), 0);
		expect(address, library);
	}
	copy(other, 1);
	assert_int_equal(rename(other, library), 0);
	expect(address, told);
	dlclose(handle);
	assert_int_equal(ompp_loaded_find(&file, address), -ENOENT);
	expect(load(&handle), library); /* mostly at the same addresses, and now it is the one at the path */
	dlclose(handle);
	expect((uintptr_t)replaced, "/proc/self/exe");
}

static void compared_once(void **state)
{
	static struct ompp_loaded file;
	long first, before, after;
	uintptr_t address;
	void *handle;

	(void)state;
	if (!library[0] || n_reads() < 0)
		skip();
	copy(library, 0);
	address = load(&handle);
	first = n_reads();
	ompp_loaded_find(&file, address);
	before = n_reads();
	for (int i = 0; i < N_TIMES; i++)
		ompp_loaded_find(&file, address);
	after = n_reads();
	assert_true(before - first > 8); /* of the file, of memory, and what n_reads() itself reads */
	assert_in_range(after - before, 0, N_TIMES / 10);
	dlclose(handle);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(replaced), cmocka_unit_test(compared_once) };

	return cmocka_run_group_tests(tests, start, end);
}
