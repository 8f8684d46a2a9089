/*
 * CTC: context strings as opari2 writes them, and strings that nobody should write.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/terms/ctc.h"

static struct ompp_ctc ctc;

static int parse(const char *text)
{
	return ompp_ctc_parse(text, SIZE_MAX / 2, &ctc);
}

static void check(const char *text, enum ompp_construct construct, const char *file, uint32_t begin, uint32_t end)
{
	assert_int_equal(parse(text), 0);
	assert_int_equal(ctc.construct, construct);
	assert_int_equal(ctc.file_bytes, strlen(file));
	assert_memory_equal(ctc.file, file, ctc.file_bytes);
	assert_int_equal(ctc.begin_line, begin);
	assert_int_equal(ctc.end_line, end);
	assert_int_equal(ctc.text_bytes, strlen(text));
}

static void test_constructs(void **state)
{
	(void)state;
	check("104*regionType=parallel*sscl=/a.c:3:3*escl=/a.c:9:9**", OMPP_PARALLEL, "/a.c", 3, 9);
	check("1*regionType=parallelfor*sscl=/a.c:3:3*escl=/a.c:4:4*hasReduction=1**", OMPP_PARALLEL_LOOP, "/a.c", 3,
	      4);
	check("1*regionType=paralleldo*sscl=a.f:3:3*escl=a.f:4:4**", OMPP_PARALLEL_LOOP, "a.f", 3, 4);
	check("1*regionType=workshare*sscl=a.f:3:3*escl=a.f:4:4**", OMPP_WORKSHARE, "a.f", 3, 4);
	check("1*regionType=task*sscl=a:3:3*escl=a:4:4*hasIf=1*hasUntied=1**", OMPP_TASK, "a", 3, 4);
	assert_int_equal(ctc.has_untied, 1);
	check("1*regionType=for*sscl=a:3:3*escl=a:4:4*hasNowait=1**", OMPP_LOOP, "a", 3, 4);
	assert_int_equal(ctc.has_nowait, 1);
	check("1*regionType=sections*sscl=a:3:3*escl=a:4:4*numSections=12**", OMPP_SECTIONS, "a", 3, 4);
	assert_int_equal(ctc.n_sections, 12);
	check("1*regionType=sections*sscl=a:3:3*escl=a:4:4*number=7**", OMPP_SECTIONS, "a", 3, 4);
	assert_int_equal(ctc.number, 7);
	assert_int_equal(ctc.n_sections, 0);
	check("1*regionType=sections*sscl=a:3:3*escl=a:4:4*number=x**", OMPP_SECTIONS, "a", 3, 4);
	assert_int_equal(ctc.number, 0);
	check("1*regionType=sections*sscl=a:3:3*escl=a:4:4*numSections=0**", OMPP_SECTIONS, "a", 3, 4);
	assert_int_equal(ctc.n_sections, 0);
}

static void test_names(void **state)
{
	(void)state;
	check("95*regionType=critical*sscl=/a.c:15:15*escl=/a.c:16:18*criticalName=abc**", OMPP_CRITICAL, "/a.c", 15,
	      18);
	assert_int_equal(ctc.name_bytes, 3);
	assert_memory_equal(ctc.name, "abc", 3);
	check("95*regionType=userRegion*sscl=/a.c:2:2*escl=/a.c:4:4*userRegionName=foo**", OMPP_USER_REGION, "/a.c", 2,
	      4);
	assert_memory_equal(ctc.name, "foo", 3);
	check("95*regionType=critical*sscl=/a.c:15:15*escl=/a.c:16:16**", OMPP_CRITICAL, "/a.c", 15, 16);
	assert_int_equal(ctc.name_bytes, 0);
	parse("1*regionType=for*sscl=a:1:1*escl=a:1:1*number=4*onLine=#2**");
	assert_int_equal(ctc.number, 4);
	assert_int_equal(ctc.name_bytes, 2);
	assert_memory_equal(ctc.name, "#2", 2);
	parse("1*regionType=critical*sscl=a:1:1*escl=a:1:1*criticalName=abc*number=4*onLine=#2**");
	assert_int_equal(ctc.name_bytes, 3);
}

/* The parser that comes with opari2 stops at such keys; ours passes over them. */
static void test_unknown_keys(void **state)
{
	(void)state;
	check("109*regionType=single*sscl=/a.c:5:5*escl=/a.c:6:6*hasCopyprivate=1**", OMPP_SINGLE, "/a.c", 5, 6);
	check("185*regionType=for*sscl=/a.c:5:5*escl=/a.c:6:6*hasSchedule=nonmonotonic:dynamic,n*4*hasNowait=1**",
	      OMPP_LOOP, "/a.c", 5, 6);
	assert_int_equal(ctc.has_nowait, 1);
}

/* kinst writes all clauses under one key; opari2 has one for each clause. */
static void test_clauses(void **state)
{
	(void)state;
	check("1*regionType=for*sscl=/a.c:5:5*escl=/a.c:6:6*ownBarrier=1*clauses=schedule(static, (n+1)/2) nowait**",
	      OMPP_LOOP, "/a.c", 5, 6);
	assert_string_equal(ctc.clauses, "schedule(static, (n+1)/2) nowait");
	assert_int_equal(ctc.own_barrier, 1);
	check("1*regionType=for*sscl=/a.c:5:5*escl=/a.c:6:6*hasSchedule=dynamic,4*hasReduction=1*hasNowait=1*hasIf=0**",
	      OMPP_LOOP, "/a.c", 5, 6);
	assert_string_equal(ctc.clauses, "schedule(dynamic,4) reduction nowait");
	check("1*regionType=for*sscl=/a.c:5:5*escl=/a.c:6:6**", OMPP_LOOP, "/a.c", 5, 6);
	assert_string_equal(ctc.clauses, "");
	assert_int_equal(ctc.per_handle, 0);
	check("1*regionType=for*sscl=/a.c:5:5*escl=/a.c:6:6*perHandle=1**", OMPP_LOOP, "/a.c", 5, 6);
	assert_int_equal(ctc.per_handle, 1);
	/* a clause that does not fit is left out as a whole */
	check("1*regionType=for*sscl=/a:5:5*escl=/a:6:6*hasCollapse=1*clauses=schedule(static, "
	      "1234567890123456789012345678901234567"
	      "89012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901"
	      "23456789012"
	      "34567890123456789012345678901234567890)*hasIf=1**",
	      OMPP_LOOP, "/a", 5, 6);
	assert_string_equal(ctc.clauses, "collapse if");
}

static void test_odd_file_names(void **state)
{
	(void)state;
	check("73*regionType=barrier*sscl=/t/a*b:c.c:9:9*escl=/t/a*b:c.c:9:9**", OMPP_BARRIER, "/t/a*b:c.c", 9, 9);
	check("73*regionType=flush*sscl=/t/x:1:2*y.c:9:9*escl=/t/x:1:2*y.c:10:10**", OMPP_FLUSH, "/t/x:1:2*y.c", 9, 10);
	check("73*regionType=master*sscl=a b.c:1:1*escl=other.h:7:7**", OMPP_MASTER, "a b.c", 1, 7);
	check("73*regionType=master*sscl=C:\\x.c:1:1*escl=C:\\x.c:7:7**", OMPP_MASTER, "C:\\x.c", 1, 7);
}

static void test_limits(void **state)
{
	const char text[] = "71*regionType=flush*sscl=/a.c:8:8*escl=/a.c:8:8**";

	(void)state;
	for (size_t n = 0; n < sizeof(text) - 2; n++) { /* the very last '*' is not needed */
		char *cut = malloc(n + 1);

		assert_non_null(cut);
		memcpy(cut, text, n);
		assert_int_equal(ompp_ctc_parse(cut, n, &ctc), -EINVAL);
		free(cut);
	}
	assert_int_equal(ompp_ctc_parse(text, sizeof(text) - 1, &ctc), 0);
	/* Fortran's strings have no NUL at the end, and other text behind them */
	assert_int_equal(parse("71*regionType=flush*sscl=/a.c:8:8*escl=/a.c:8:8**85*criticalName=no**"), 0);
	assert_int_equal(ctc.text_bytes, sizeof(text) - 1);
	assert_int_equal(ctc.name_bytes, 0);
}

static void test_bad(void **state)
{
	static const char *const bad[] = { "",
		                           "71",
		                           "71*",
		                           "*regionType=for*sscl=a:1:1*escl=a:1:1**",
		                           "71*regionType=warp*sscl=a:1:1*escl=a:1:1**",
		                           "71*regionType=for*sscl=a*escl=a**",
		                           "71*regionType=for*sscl=a:1*escl=a:1**",
		                           "71*regionType=for*escl=a:1:1*sscl=a:1:1**",
		                           "71*regionType=for*sscl=a:4294967296:1*escl=a:1:1**" };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(bad); i++)
		assert_int_equal(parse(bad[i]), -EINVAL);
	/* what stood before the error is kept */
	assert_int_equal(parse("71*regionType=warp*sscl=a:1:1*escl=a:2:2**"), -EINVAL);
	assert_int_equal(ctc.end_line, 2);
	assert_int_equal(parse("71*regionType=for*sscl=a:1:1*escl="), -EINVAL);
	assert_int_equal(ctc.construct, OMPP_LOOP);
	assert_int_equal(ctc.begin_line, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constructs),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_unknown_keys),
		cmocka_unit_test(test_clauses),
		cmocka_unit_test(test_odd_file_names),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
