/*
 * Finding, serial: what is said of the memory that a serial part touches, and of its page faults.
 */
#include "runtime/base/array.h"
#include "tests/unit/finding_case.h"

/* Makes 870 ms of a second be outside of parallel regions. */
static void make_serial(void)
{
	one(OMPP_PARALLEL_LOOP, 10, "");
	for (int k = 0; k < 2; k++)
		cells[k].exec_ns = cells[k].incl_ns = cells[k].body_ns = 130 * MS;
	cells[0].exit_bar_ns = 0;
}

/* What a serial part touches first is said with its place, which may have several records; what regions touch is not.
 */
static void test_touches(void **state)
{
	struct ompp_object objects[OMPP_OBJECT_FIRST_NAMED + 2] = {
		[OMPP_OBJECT_FIRST_NAMED] = { .name = "a.c:5 r" }, [OMPP_OBJECT_FIRST_NAMED + 1] = { .name = "a.c:6 s" }
	};
	struct ompp_first_touch touches[] = {
		{ .node = 0, .file = "/src/b.c", .line = 7, .n_pages = 30000, .small = "" },
		{ .node = 0, .file = "/src/a.c", .line = 12, .n_pages = 20000, .small = "" },
		{ .node = 0, .file = "/src/a.c", .line = 12, .n_pages = 20001, .small = "" },
		{ .node = 1, .file = "/src/c.c", .line = 3, .n_pages = 90000, .small = "" }
	};

	(void)state;
	make_serial();
	profile.first_touches = touches;
	profile.n_first_touches = OMPP_COUNT_OF(touches);
	assert_non_null(
		strstr(find("SerialPart")->evidence,
	               " 70 001 pages were touched there first, 40 001 of them at a.c:12. Each is a page fault."));
	touches[0].n_pages = 40001; /* half of all is enough */
	assert_non_null(strstr(find("SerialPart")->advice, ":12, or let"));
	touches[0].n_pages = 40000; /* no line has half */
	touches[2].line = 13;
	assert_non_null(strstr(find("SerialPart")->advice, "ompp run --objects --sample=touch names their memory."));
	assert_null(strstr(find("SerialPart")->advice, "a.c:12"));
	profile.all_objects = 1; /* their memory has names, if not all of it */
	profile.objects = objects;
	profile.n_objects = OMPP_COUNT_OF(objects);
	for (size_t i = 0; i < OMPP_COUNT_OF(touches); i++)
		touches[i].object = i == 1 ? 0 : OMPP_OBJECT_FIRST_NAMED + (i == 2);
	assert_null(strstr(find("SerialPart")->advice, "ompp run"));
	assert_non_null(strstr(find("SerialPart")->advice, "there, first what touches memory in a.c:5 r, or let"));
	assert_non_null(strstr(find("SerialPart")->evidence, "first, 40 000 of them in a.c:5 r."));
	profile.n_objects = profile.all_objects = 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(touches); i++)
		touches[i].object = 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(touches); i++)
		touches[i].line = 0;
	assert_non_null(
		strstr(find("SerialPart")->evidence, " 80 001 pages were touched there first, at no line that"));
	for (size_t i = 0; i < OMPP_COUNT_OF(touches); i++)
		touches[i].line = i ? 12 : 7;
	touches[0].n_pages = 30000;
	profile.fault_ps = 1000000;
	assert_non_null(strstr(find("SerialPart")->evidence, "of them at a.c:12. Each is a page fault."));
	profile.fault_ps = 600000; /* 42 ms of 870 */
	assert_null(strstr(find("SerialPart")->evidence, "touched"));
	profile.fault_ps = OMPP_MISSING;
	for (size_t i = 0; i < OMPP_COUNT_OF(touches); i++)
		touches[i].n_pages = i == 3 ? 90000 : 85;
	assert_null(strstr(find("SerialPart")->evidence, "touched"));
	touches[0].n_pages = 86;
	assert_non_null(
		strstr(find("SerialPart")->evidence, " 256 pages were touched there first, 170 of them at a.c:12."));
	assert_non_null(strstr(find("SerialPart")->advice, "there, first what touches memory at a.c:12, or let"));
	profile.n_first_touches = 0;
	assert_null(strstr(find("SerialPart")->evidence, "touched"));
}

/* Where a run did not look for first touches, page faults that are in no region are said, with the command that finds
 * their lines: no less than a twentieth of 870 ms. */
static void test_faults(void **state)
{
	static const char command[] = "ompp run --sample=touch";

	(void)state;
	make_serial();
	profile.fault_ps = 1000000;
	profile.n_faults = 50000;
	waits[1].n_faults = 6000;
	assert_non_null(strstr(find("SerialPart")->evidence,
	                       " Up to 44 000 page faults lie there, which take at least some 44.0 ms,"));
	assert_non_null(strstr(find("SerialPart")->advice, command));
	waits[1].n_faults = 7000; /* 43 ms are left */
	assert_null(strstr(find("SerialPart")->advice, command));
	waits[1].n_faults = 0;
	profile.fault_ps = OMPP_MISSING;
	assert_null(strstr(find("SerialPart")->advice, command));
	profile.fault_ps = 1000000;
	profile.touched = 1;
	assert_null(strstr(find("SerialPart")->advice, command));
	profile.touched = 0;
	profile.n_faults = OMPP_MISSING;
	assert_null(strstr(find("SerialPart")->advice, command));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_touches, start, stop),
		                            cmocka_unit_test_setup_teardown(test_faults, start, stop) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
