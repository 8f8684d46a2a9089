/*
 * Region: the same context string gives the same region; filters, switches, and many regions from several threads.
 */
#include "tests/unit/steps.h"

#include <stdio.h>

#include "runtime/base/array.h"
#include "runtime/core/region.h"
#include "runtime/session/register.h"

static struct ompp_region_def *assign(const char *ctc)
{
	void *handle = NULL;
	struct ompp_region_def *def = ompp_register(&handle, ctc, strlen(ctc));

	assert_ptr_equal(handle, def);
	return def;
}

static struct ompp_region_def *critical_at(int line, const char *file, const char *name)
{
	char ctc[256];

	snprintf(ctc, sizeof(ctc), "0*regionType=critical*sscl=%s:%d:%d*escl=%s:%d:%d*criticalName=%s**", file, line,
	         line, file, line + 2, line + 2, name);
	return assign(ctc);
}

static void same_text_is_the_same_region(void **state)
{
	struct ompp_region_def *def = critical_at(5, "/src/a.c", "x");

	(void)state;
	assert_non_null(def);
	assert_ptr_equal(critical_at(5, "/src/a.c", "x"), def);
	assert_ptr_not_equal(critical_at(6, "/src/a.c", "x"), def);
	assert_ptr_not_equal(critical_at(5, "/src/b.c", "x"), def);
	assert_ptr_not_equal(critical_at(5, "/src/a.c", "y"), def);
	assert_int_equal(ompp_region_count(), 4);
	assert_int_equal(POMP2_Get_num_regions(), 4);
	assert_int_equal(POMP2_USER_Get_num_regions(), 0); /* those of users are among the others */
	assert_ptr_equal(ompp_region_by_id(1), def);
	assert_int_equal(OMPP_KEY_ID(def->key), 1);
	assert_int_equal(def->construct, OMPP_CRITICAL);
	assert_string_equal(def->file, "/src/a.c");
	assert_string_equal(def->name, "x");
	assert_int_equal(def->begin_line, 5);
	assert_int_equal(def->end_line, 7);
	assert_int_equal(def->off, 0);
	assert_null(ompp_region_by_id(0));
	assert_null(ompp_region_by_id(5));
}

/* In C++ each handle of the program has a region; copies of handles on the stack have one together. */
static void handles_have_regions(void **state)
{
	static const char ctc[] = "0*regionType=for*sscl=/t.h:3:3*escl=/t.h:4:4*perHandle=1**";
	static void *handles[2];
	void *copies[2] = { NULL, NULL };

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_non_null(ompp_register(&handles[i], ctc, sizeof(ctc) - 1));
		assert_non_null(ompp_register(&copies[i], ctc, sizeof(ctc) - 1));
	}
	assert_ptr_not_equal(handles[0], handles[1]);
	assert_ptr_equal(copies[0], copies[1]);
	assert_ptr_not_equal(copies[0], handles[0]);
	assert_int_equal(ompp_region_count(), 3);
	assert_ptr_equal(ompp_register(&handles[1], ctc, sizeof(ctc) - 1), ompp_region_by_id(3));
}

/* Fortran's strings have no mark at their end, so nothing beyond the length may be read. */
static void text_ends_at_its_length(void **state)
{
	static const char good[] = "0*regionType=atomic*sscl=a.c:1:1*escl=a.c:1:1**";
	char *text = malloc(sizeof(good) - 1);
	void *handle = NULL;

	(void)state;
	memcpy(text, good, sizeof(good) - 1);
	assert_non_null(ompp_register(&handle, text, sizeof(good) - 1));
	free(text);
}

static void broken_text_is_counted(void **state)
{
	(void)state;
	assert_null(assign(""));
	assert_null(assign("0*regionType=nothing*sscl=a.c:1:1*escl=a.c:1:1**"));
	assert_int_equal(ompp_note_count(OMPP_NOTE_LOST_REGION), 2);
	assert_int_equal(ompp_region_count(), 0);
}

static void named_regions(void **state)
{
	struct ompp_region_def *def = ompp_register_named(OMPP_USER_REGION, "solve", "a.c", 3);

	(void)state;
	assert_ptr_equal(ompp_register_named(OMPP_USER_REGION, "solve", "a.c", 3), def);
	assert_ptr_not_equal(ompp_register_named(OMPP_FUNCTION, "solve", "a.c", 3), def);
	assert_string_equal(ompp_register_named(OMPP_LOCK, "0x1", NULL, 0)->file, "");
}

static void filters(void **state)
{
	(void)state;
	option("OMPP_FILTER", "a.c:5, sub/b.c:7 ,hot,atomic,parallel loop");
	assert_int_equal(critical_at(5, "/src/a.c", "")->off, 1);
	assert_int_equal(critical_at(5, "a.c", "n")->off, 1);
	assert_int_equal(critical_at(6, "/src/a.c", "")->off, 0);
	assert_int_equal(critical_at(5, "/src/aa.c", "")->off, 0); /* "a.c" is only the tail of this name */
	assert_int_equal(critical_at(7, "/x/sub/b.c", "")->off, 1);
	assert_int_equal(critical_at(7, "/x/other/b.c", "")->off, 0);
	assert_int_equal(critical_at(50, "/x/c.c", "hot")->off, 1);
	assert_int_equal(critical_at(50, "/x/c.c", "hotter")->off, 0);
	assert_int_equal(assign(CTC(atomic, 90, 90, ""))->off, 1);
	assert_int_equal(assign(CTC(parallelfor, 91, 92, ""))->off, 1);
	assert_int_equal(assign(CTC(for, 91, 92, ""))->off, 0);
}

static int is_off(const char *variable, const char *ctc)
{
	setenv(variable, "1", 1);
	return assign(ctc)->off;
}

static void master_can_be_disabled(void **state)
{
	(void)state;
	assert_int_equal(is_off("OMPP_DISABLE_MASTER", CTC(master, 1, 2, "")), 1);
	assert_int_equal(assign(CTC(single, 1, 2, ""))->off, 0);
}

/* What is switched off has no data; all words are. */
static void assert_all_off(void)
{
	assert_int_equal(assign(CTC(atomic, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(barrier, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(critical, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(flush, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(for, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(do, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(master, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(ordered, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(sections, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(single, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(workshare, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(task, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(taskwait, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(userRegion, 1, 2, "userRegionName=a*"))->off, 1);
	assert_int_equal(ompp_register_named(OMPP_FUNCTION, "f", "", 0)->off, 1);
	assert_int_equal(ompp_register_named(OMPP_LOCK, "0x1", "", 0)->off, 1);
	assert_int_equal(ompp_register_named(OMPP_NEST_LOCK, "0x1", "", 0)->off, 1);
	assert_int_equal(assign(CTC(parallel, 1, 2, ""))->off, 0);
}

/* Every OMPP_DISABLE_ variable, of older versions, switches off its construct. */
static void all_can_be_disabled(void **state)
{
	(void)state;
#define DISABLED(name, word) option("OMPP_DISABLE_" #name, "1");
#include "env/disabled.def"
#undef DISABLED
	assert_all_off();
}

/* The list has the same words, and one of it is that word alone. */
static void a_list_disables(void **state)
{
	(void)state;
	option("OMPP_DISABLE", "atomic"
#define DISABLED(name, word) "," word
#include "env/disabled.def"
#undef DISABLED
	);
	assert_all_off();
}

static void a_word_disables_its_construct_alone(void **state)
{
	(void)state;
	option("OMPP_DISABLE", "Barrier, flush");
	assert_int_equal(assign(CTC(barrier, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(flush, 1, 2, ""))->off, 1);
	assert_int_equal(assign(CTC(single, 1, 2, ""))->off, 0);
}

/* Eight threads register the same 5,000 regions, each of which is made once. */
enum { MANY = 5000, THREADS = 8 };
static void *handles[MANY];

static void register_many(void)
{
	int i;

	barrier_wait();
	for (i = 0; i < MANY; i++) {
		char ctc[128];

		snprintf(ctc, sizeof(ctc), "0*regionType=single*sscl=m.c:%d:%d*escl=m.c:%d:%d**", i + 1, i + 1, i + 1,
		         i + 1);
		POMP2_Assign_handle(&handles[i], ctc);
	}
}

static void threads_register_at_once(void **state)
{
	int i;

	(void)state;
	barrier_init(THREADS);
	for (i = 0; i < THREADS; i++)
		start_thread(i, register_many);
	join_threads();
	assert_int_equal(ompp_region_count(), MANY);
	for (i = 0; i < MANY; i++) {
		const struct ompp_region_def *def = ompp_region_by_id((uint32_t)i + 1);

		assert_in_range(def->begin_line, 1, MANY);
		assert_ptr_equal(handles[def->begin_line - 1], def);
	}
}

/* A loop's schedule says in which order threads get its iterations, where the source tells. */
static void schedules_have_orders(void **state)
{
	static const struct {
		const char *clauses;
		struct ompp_loop_order order;
		int is_on_demand;
	} cases[] = {
		{ "", { OMPP_ORDER_RANKS, 0 }, 0 },
		{ "clauses=nowait*", { OMPP_ORDER_RANKS, 0 }, 0 },
		{ "clauses=schedule(static) nowait*", { OMPP_ORDER_RANKS, 0 }, 0 },
		{ "clauses=collapse(2) schedule(static, 12)*", { OMPP_ORDER_CHUNKS, 12 }, 0 },
		{ "clauses=schedule(monotonic:static,1 )*", { OMPP_ORDER_CHUNKS, 1 }, 0 },
		{ "clauses=schedule(static, n)*", { OMPP_ORDER_UNKNOWN, 0 }, 0 },
		{ "clauses=schedule(static, 0)*", { OMPP_ORDER_UNKNOWN, 0 }, 0 },
		{ "clauses=schedule(static, 010)*", { OMPP_ORDER_UNKNOWN, 0 }, 0 },
		{ "clauses=schedule(static, 1 + 1)*", { OMPP_ORDER_UNKNOWN, 0 }, 0 },
		{ "clauses=schedule(static, 12345678901)*", { OMPP_ORDER_UNKNOWN, 0 }, 0 },
		{ "clauses=schedule(static,...)*", { OMPP_ORDER_UNKNOWN, 0 }, 0 },
		{ "clauses=schedule(...)*", { OMPP_ORDER_UNKNOWN, 0 }, 0 },
		{ "clauses=schedule(dynamic)*", { OMPP_ORDER_TIMES, 0 }, 1 },
		{ "clauses=schedule(nonmonotonic:dynamic,...)*", { OMPP_ORDER_TIMES, 0 }, 1 },
		{ "clauses=schedule(guided, 4)*", { OMPP_ORDER_TIMES, 0 }, 1 },
		{ "clauses=schedule(runtime)*", { OMPP_ORDER_UNKNOWN, 0 }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(cases); i++) {
		const struct ompp_region_def *def;
		char ctc[256];

		snprintf(ctc, sizeof(ctc), "0*regionType=for*sscl=m.c:%zu:%zu*escl=m.c:%zu:%zu*%s*", i + 1, i + 1,
		         i + 1, i + 1, cases[i].clauses);
		def = assign(ctc);
		assert_int_equal(def->order.known, cases[i].order.known);
		assert_int_equal(def->order.chunk, cases[i].order.chunk);
		assert_int_equal(def->is_on_demand, cases[i].is_on_demand);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_text_is_the_same_region),
		cmocka_unit_test(handles_have_regions),
		cmocka_unit_test(text_ends_at_its_length),
		cmocka_unit_test(broken_text_is_counted),
		cmocka_unit_test(named_regions),
		cmocka_unit_test(filters),
		cmocka_unit_test(master_can_be_disabled),
		cmocka_unit_test(all_can_be_disabled),
		cmocka_unit_test(a_list_disables),
		cmocka_unit_test(a_word_disables_its_construct_alone),
		cmocka_unit_test(threads_register_at_once),
		cmocka_unit_test(schedules_have_orders),
	};

	return RUN_APART(tests);
}
