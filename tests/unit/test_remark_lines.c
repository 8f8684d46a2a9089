/*
 * Remark, lines: when the summary says that shared lines were not looked for.
 */
#include "reports/tables/remark_work.h"
#include "tests/unit/finding_case.h"

enum { OBJECT = 2, MANY = 1000000 };

static struct ompp_object objects[3];
static struct ompp_access accesses[4];

/* Two threads access an object of 8 MB in a loop: so many loads and stores by each. */
static void make(int64_t n_loads, int64_t n_stores, enum ompp_parts parts)
{
	one(OMPP_PARALLEL_LOOP, 10, "");
	objects[0] = (struct ompp_object){ .name = "(other)", .measured = 1 };
	objects[1] = (struct ompp_object){ .name = "(stack)", .measured = 1 };
	objects[OBJECT] = (struct ompp_object){ .name = "sums", .bytes = 8000000, .measured = 1, .parts = parts };
	for (uint32_t k = 0; k < 2; k++)
		accesses[k] = (struct ompp_access){ .node = 1,
			                            .row = k,
			                            .object = OBJECT,
			                            .values = { n_loads, n_stores, 0, 8 * n_loads, 8 * n_stores, 0,
			                                        n_loads + n_stores, OMPP_MISSING, OMPP_MISSING,
			                                        OMPP_MISSING } };
	profile.objects = objects;
	profile.n_objects = 3;
	profile.accesses = accesses;
	profile.n_accesses = 2;
}

static const char *said(void)
{
	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
	return ompp_remark_lines(&analysis);
}

static void test_said(void **state)
{
	static const char words[] = "sums: shared lines? ompp run --sharing=1";

	(void)state;
	make(MANY, MANY, OMPP_PARTS_OVERLAP);
	assert_string_equal(said(), words);
	make(MANY, MANY, OMPP_PARTS_UNKNOWN);
	assert_string_equal(said(), words);
	profile.all_objects = 1; /* else that run would have no name for it */
	assert_string_equal(said(), "sums: shared lines? ompp run --objects --sharing=1");
	profile.all_objects = 0;
	profile.sharing = 1; /* it was looked for */
	assert_null(said());
	make(MANY, MANY, OMPP_PARTS_ONE);
	assert_null(said());
	make(MANY, MANY, OMPP_PARTS_OVERLAP);
	objects[OBJECT].is_private = 1;
	assert_null(said());
	make(MANY, MANY, OMPP_PARTS_OVERLAP);
	accesses[1].values[OMPP_ACCESS_STORES] = 0; /* one thread writes */
	assert_null(said());
	make(MANY, MANY, OMPP_PARTS_OVERLAP);
	accesses[0].object = accesses[1].object = 1; /* memory without a name, in which no lines are looked at */
	assert_null(said());
	make(MANY, MANY, OMPP_PARTS_OVERLAP);
	accesses[0].node = accesses[1].node = 0; /* outside of regions */
	assert_null(said());
}

/* At the edge a hundredth of all accesses: 2 stores are as 600 of 60 000 accesses.  With parts of their own only the
 * lines at the edge count, 2 of 125 000. */
static void test_edge(void **state)
{
	(void)state;
	make(29700, 1, OMPP_PARTS_OVERLAP);
	assert_null(said());
	make(29600, 1, OMPP_PARTS_OVERLAP);
	assert_non_null(said());
	make(MANY, MANY, OMPP_PARTS_OWN);
	assert_null(said());
	make(MANY, MANY, OMPP_PARTS_WRITTEN);
	assert_null(said());
	objects[OBJECT].bytes = 128; /* all of it is edge */
	assert_non_null(said());
	make(MANY, MANY, OMPP_PARTS_OWN);
	objects[OBJECT].bytes = 1000 * 64; /* 4000 stores at the edge, as 1.2 million accesses beside 4 million */
	assert_non_null(said());
	make(MANY, 0, OMPP_PARTS_OVERLAP);
	assert_null(said());
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_said, start, stop),
		                            cmocka_unit_test_setup_teardown(test_edge, start, stop) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
