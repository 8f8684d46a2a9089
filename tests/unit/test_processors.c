/*
 * Processors: how many processors control groups allow, by constructed folders of both versions.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/host/processors.h"

static char root[] = "/tmp/test_processors.XXXXXX";
static char path[256];

static const char *in_root(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

static void folder(const char *name)
{
	assert_int_equal(mkdir(in_root(name), 0755), 0);
}

static void file(const char *name, const char *text)
{
	FILE *f = fopen(in_root(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int64_t quota(const char *groups)
{
	char list[sizeof(path)];

	file("cgroup", groups);
	snprintf(list, sizeof(list), "%s/cgroup", root);
	return ompp_processors_quota(list, root);
}

/* The lowest limit of the group and of those above it counts; a group without a limit limits nothing. */
static void test_version_2(void **state)
{
	(void)state;
	folder("a");
	folder("a/b");
	assert_true(quota("0::/a/b\n") == INT64_MAX);
	file("a/b/cpu.max", "max 100000\n");
	assert_true(quota("0::/a/b\n") == INT64_MAX);
	file("a/cpu.max", "250000 100000\n");
	assert_int_equal(quota("0::/a/b\n"), 2500);
	file("a/b/cpu.max", "50000 100000\n");
	assert_int_equal(quota("0::/a/b\n"), 500);
	assert_int_equal(quota("0::/a\n"), 2500);
	assert_true(quota("0::/\n") == INT64_MAX);
	assert_true(quota("0::/c\n") == INT64_MAX);
	file("cpu.max", "300000 100000\n"); /* as in a container, which sees its own group as the root */
	assert_int_equal(quota("0::/c\n"), 3000);
	assert_true(quota("") == INT64_MAX);
	assert_true(quota("nonsense\n") == INT64_MAX);
}

static void test_version_1(void **state)
{
	(void)state;
	folder("cpu,cpuacct");
	folder("cpu,cpuacct/x");
	file("cpu,cpuacct/x/cpu.cfs_quota_us", "-1\n");
	file("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
	assert_true(quota("7:memory:/x\n4:cpu,cpuacct:/x\n") == INT64_MAX);
	file("cpu,cpuacct/x/cpu.cfs_quota_us", "150000\n");
	assert_int_equal(quota("7:memory:/x\n4:cpu,cpuacct:/x\n"), 1500);
	assert_true(quota("7:memory:/x\n") == INT64_MAX);
}

static void test_allowed(void **state)
{
	(void)state;
	assert_true(ompp_processors_allowed() >= 1);
}

static int start(void **state)
{
	(void)state;
	return !mkdtemp(root);
}

/* NUMA nodes are a list as the kernel writes it; without that file their number is not known. */
static void test_numa_nodes(void **state)
{
	(void)state;
	file("nodes", "0\n");
	assert_int_equal(ompp_numa_nodes(in_root("nodes")), 1);
	file("nodes", "0-3,8,10-11\n");
	assert_int_equal(ompp_numa_nodes(in_root("nodes")), 7);
	file("nodes", "\n");
	assert_int_equal(ompp_numa_nodes(in_root("nodes")), 0);
	assert_int_equal(ompp_numa_nodes(in_root("nothing")), 0);
}

/* Processors have the NUMA nodes that the kernel's lists say; others have none. */
static void test_numa_node_of(void **state)
{
	(void)state;
	folder("numa");
	folder("numa/node0");
	folder("numa/node3");
	folder("numa/node4");
	file("numa/online", "0,3-4\n");
	file("numa/node0/cpulist", "0-1,4\n");
	file("numa/node3/cpulist", "2\n");
	file("numa/node4/cpulist", "\n"); /* memory alone */
	ompp_numa_start(in_root("numa"));
	assert_int_equal(ompp_numa_node_of(0), 0);
	assert_int_equal(ompp_numa_node_of(1), 0);
	assert_int_equal(ompp_numa_node_of(2), 3);
	assert_true(ompp_numa_node_of(3) == OMPP_NUMA_UNKNOWN);
	assert_int_equal(ompp_numa_node_of(4), 0);
	assert_true(ompp_numa_node_of(UINT32_MAX) == OMPP_NUMA_UNKNOWN);
	ompp_numa_start(in_root("nothing"));
	assert_true(ompp_numa_node_of(0) == OMPP_NUMA_UNKNOWN);
}

static int stop(void **state)
{
	char command[sizeof(path) + 16];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void test_numa_wish(void **state)
{
	static const char *const bad[] = { "emulate",    "emulate:",   "emulate:1", "emulate:65",
		                           "emulate:4x", "emulate:-2", "4",         "off" };
	uint32_t n = 9;

	(void)state;
	assert_int_equal(ompp_numa_wish("", &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(ompp_numa_wish("emulate:4", &n), 0);
	assert_int_equal(n, 4);
	assert_int_equal(ompp_numa_wish("emulate:64", &n), 0);
	assert_int_equal(n, 64);
	assert_int_equal(ompp_numa_wish("auto", &n), 0);
	assert_int_equal(n, 0);
	for (size_t i = 0; i < OMPP_COUNT_OF(bad); i++)
		assert_int_equal(ompp_numa_wish(bad[i], &n), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_2),    cmocka_unit_test(test_version_1),
		cmocka_unit_test(test_allowed),      cmocka_unit_test(test_numa_nodes),
		cmocka_unit_test(test_numa_node_of), cmocka_unit_test(test_numa_wish),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
