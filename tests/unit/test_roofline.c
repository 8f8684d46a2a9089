/*
 * Roofline: what bounds a kernel, by the counts that its formulas give and the time that it takes on a machine whose
 * roofs are known; and the lines written back, tasks and teams in the sums.
 *
 * The machine has one hundred times round numbers: 4 Gflop/s scalar and 64 as vectors in double precision (twice that
 * in single), 0.5 G divisions/s, and 200, 100, 50 and 20 GB/s of L1, L2, L3 and memory, of one thread; twice that of
 * both, but 30 GB/s of memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reports/analysis/init.h"
#include "reports/bounds/relayout_gain.h"
#include "reports/bounds/roofline.h"
#include "reports/findings/findings.h"
#include "runtime/base/array.h"
#include "tests/unit/bare_profile.h"

#define MS   INT64_C(1000000)
#define GIGA INT64_C(1000000000)
#define N    INT64_C(8000000) /* elements of a kernel's arrays */

static struct ompp_arena arena;
static struct ompp_analysis analysis;

static struct ompp_roof machine[] = {
	{ OMPP_ROOF_FLOPS, "scalar double", 1, 4 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "scalar double", 2, 8 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "scalar single", 1, 4 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "scalar single", 2, 8 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "vector double", 1, 32 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "vector double", 2, 64 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "vector FMA double", 1, 64 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "vector FMA double", 2, 128 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "vector FMA single", 1, 128 * GIGA, 0 },
	{ OMPP_ROOF_FLOPS, "vector FMA single", 2, 256 * GIGA, 0 },
	{ OMPP_ROOF_DIVISIONS, "scalar double", 1, GIGA / 2, 0 },
	{ OMPP_ROOF_DIVISIONS, "scalar double", 2, GIGA, 0 },
	{ OMPP_ROOF_DIVISIONS, "scalar single", 1, GIGA, 0 },
	{ OMPP_ROOF_DIVISIONS, "scalar single", 2, 2 * GIGA, 0 },
	{ OMPP_ROOF_BYTES, "L1", 1, 200 * GIGA, 0 },
	{ OMPP_ROOF_BYTES, "L1", 2, 400 * GIGA, 0 },
	{ OMPP_ROOF_BYTES, "L2", 1, 100 * GIGA, 0 },
	{ OMPP_ROOF_BYTES, "L2", 2, 200 * GIGA, 0 },
	{ OMPP_ROOF_BYTES, "L3", 1, 50 * GIGA, 0 },
	{ OMPP_ROOF_BYTES, "L3", 2, 100 * GIGA, 0 },
	{ OMPP_ROOF_BYTES, "memory", 1, 20 * GIGA, 0 },
	{ OMPP_ROOF_BYTES, "memory", 2, 30 * GIGA, 0 },
};
static const struct ompp_roofs roofs = { "h", "c", "d", "v", 2, 0, machine, OMPP_COUNT_OF(machine) };

enum { FLOPS, SINGLE, DIV, SQRT, INTOPS, CALLS, N_METRICS };
static const struct ompp_metric metrics[N_METRICS] = {
	{ "flops", "", OMPP_EXACT, "" },     { "flops_single", "", OMPP_EXACT, "" },
	{ "flops_div", "", OMPP_EXACT, "" }, { "flops_sqrt", "", OMPP_EXACT, "" },
	{ "intops", "", OMPP_EXACT, "" },    { "math_calls", "", OMPP_EXACT, "" }
};

static const struct ompp_row rows[] = { { "0", 1, 1, 0, OMPP_NONE }, { "1", 1, 1, 1, OMPP_NONE } };
static const struct ompp_cache_level levels[] = { { "L1", 32768, 8, 64, 0 },
	                                          { "L2", 1 << 20, 16, 64, 0 },
	                                          { "L3", 1 << 25, 16, 64, 1 } };
static const struct ompp_region regions[] = { { 1, OMPP_PARALLEL_LOOP, "a.c", 1, 9, "", 0, 0, "", "", "", 0 } };
static struct ompp_object objects[3];
static struct ompp_node nodes[3];
static struct ompp_cell cells[4];
static int64_t values[4 * N_METRICS];
static struct ompp_access accesses[4];
static struct ompp_profile profile;

/* What a kernel does in all, for each of N elements; misses of each level for each 8 elements, and its time. */
struct kernel {
	const char *name;
	int64_t of[N_METRICS];
	int64_t loads, stores, bytes_each;
	int64_t misses[3]; /* of eight elements */
	int64_t ms;
	int64_t waiting_ms;
	uint32_t n_threads;
	enum ompp_ceiling want;
	const char *roof;
};

static int64_t *numbers(struct ompp_access *access)
{
	return access->values;
}

/* Makes the profile of a kernel, whose accesses are to one named object. */
static void make(const struct kernel *k)
{
	uint32_t n = k->n_threads;
	int64_t ns = k->ms * MS, wait_ns = k->waiting_ms * MS;

	memset(accesses, 0, sizeof(accesses));
	memset(objects, 0, sizeof(objects));
	for (size_t i = 0; i < 3; i++)
		objects[i] = (struct ompp_object){ .name = i ? i > 1 ? "a" : "(stack)" : "(other)", .measured = 1 };
	nodes[0] = (struct ompp_node){ OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 };
	nodes[1] = (struct ompp_node){ 0, 0, OMPP_PARALLEL_LOOP, 0, n };
	for (uint32_t t = 0; t < n; t++) {
		cells[t] = (struct ompp_cell){ .row = t,
			                       .n_exec = 10,
			                       .exec_ns = ns,
			                       .body_ns = ns - wait_ns,
			                       .exit_bar_ns = wait_ns,
			                       .incl_ns = ns };
		for (int m = 0; m < N_METRICS; m++)
			values[t * N_METRICS + (uint32_t)m] = k->of[m] * N / n;
		accesses[t].node = 1;
		accesses[t].row = t;
		accesses[t].object = 2;
		numbers(&accesses[t])[OMPP_ACCESS_LOADS] = k->loads * N / n;
		numbers(&accesses[t])[OMPP_ACCESS_STORES] = k->stores * N / n;
		numbers(&accesses[t])[OMPP_ACCESS_LOAD_BYTES] = k->loads * k->bytes_each * N / n;
		numbers(&accesses[t])[OMPP_ACCESS_STORE_BYTES] = k->stores * k->bytes_each * N / n;
		numbers(&accesses[t])[OMPP_ACCESS_ALL] = (k->loads + k->stores) * N / n;
		for (int i = 0; i < 3; i++)
			numbers(&accesses[t])[OMPP_ACCESS_L1_MISSES + i] = k->misses[i] * (N / 8) / n;
	}
	profile = (struct ompp_profile){ BARE_PROFILE,
		                         .duration_ns = ns + 10 * MS,
		                         .user_ns = n * ns,
		                         .max_threads = n,
		                         .queued_all_ns = OMPP_MISSING,
		                         .processors_milli = 2000,
		                         .regions = regions,
		                         .n_regions = 1,
		                         .rows = rows,
		                         .n_rows = n,
		                         .nodes = nodes,
		                         .n_nodes = 2,
		                         .cells = cells,
		                         .n_cells = n,
		                         .metrics = metrics,
		                         .n_metrics = N_METRICS,
		                         .values = values,
		                         .objects = objects,
		                         .n_objects = 3,
		                         .cache_levels = levels,
		                         .n_cache_levels = 3,
		                         .accesses = accesses,
		                         .n_accesses = n };
	profile.data_method = "hooks";
}

static const struct ompp_roofline *look(void)
{
	const struct ompp_report_options options = { .roofs = &roofs };
	const struct ompp_roofline *r;

	assert_int_equal(ompp_analysis_init(&analysis, &profile, &options, &arena), 0);
	r = ompp_roofline(&analysis);
	assert_non_null(r);
	return r;
}

/* N = 8 M elements: a GB/s is 8 ms for each byte of an element, a Gflop/s 8 ms for each operation. */
static const struct kernel kernels[] = {
	/* clang-format off */
	/* name            flops,single,div,sqrt,int,calls  loads stores bytes  misses      ms  wait threads */
	{ "copy",          { 0, 0, 0, 0, 1, 0 },   1, 1, 8,   { 2, 2, 2 },      10, 0, 1, OMPP_CEILING_BYTES, "memory" },
	{ "scale",         { 1, 0, 0, 0, 1, 0 },   1, 1, 8,   { 2, 2, 2 },      10, 0, 1, OMPP_CEILING_BYTES, "memory" },
	{ "add",           { 1, 0, 0, 0, 1, 0 },   2, 1, 8,   { 3, 3, 3 },      14, 0, 1, OMPP_CEILING_BYTES, "memory" },
	{ "triad",         { 2, 0, 0, 0, 1, 0 },   2, 1, 8,   { 3, 3, 3 },      14, 0, 1, OMPP_CEILING_BYTES, "memory" },
	{ "triad of both", { 2, 0, 0, 0, 1, 0 },   2, 1, 8,   { 3, 3, 3 },      10, 0, 2, OMPP_CEILING_BYTES, "memory" },
	{ "triad in L3",   { 2, 0, 0, 0, 1, 0 },   2, 1, 8,   { 3, 3, 0 },       8, 0, 1, OMPP_CEILING_BYTES, "L3" },
	{ "triad in L2",   { 2, 0, 0, 0, 1, 0 },   2, 1, 8,   { 3, 0, 0 },       4, 0, 1, OMPP_CEILING_BYTES, "L2" },
	{ "triad in L1",   { 2, 0, 0, 0, 1, 0 },  20, 10, 8,  { 0, 0, 0 },      12, 0, 1, OMPP_CEILING_BYTES, "L1" },
	{ "sum, chained",  { 1, 0, 0, 0, 1, 0 },   1, 0, 8,   { 1, 1, 1 },      32, 0, 1, OMPP_CEILING_LATENCY, "memory" },
	{ "sum, vectors",  { 1, 0, 0, 0, 0, 0 },   1, 0, 8,   { 1, 1, 1 },       4, 0, 1, OMPP_CEILING_BYTES, "memory" },
	{ "chase",         { 0, 0, 0, 0, 1, 0 },   1, 0, 8,   { 8, 8, 8 },     800, 0, 1, OMPP_CEILING_LATENCY, "memory" },
	{ "chase in L2",   { 0, 0, 0, 0, 1, 0 },   1, 0, 8,   { 8, 0, 0 },      40, 0, 1, OMPP_CEILING_LATENCY, "L2" },
	{ "Horner",        { 16, 0, 0, 0, 1, 0 },  1, 1, 8,   { 2, 0, 0 },     256, 0, 1, OMPP_CEILING_LATENCY, "L2" },
	{ "reciprocals",   { 1, 0, 1, 0, 1, 0 },   1, 1, 8,   { 2, 0, 0 },      17, 0, 1, OMPP_CEILING_DIVISION, "L2" },
	{ "roots",         { 1, 0, 0, 1, 1, 0 },   1, 1, 8,   { 2, 0, 0 },      24, 0, 1, OMPP_CEILING_DIVISION, "L2" },
	{ "single roots",  { 1, 1, 0, 1, 1, 0 },   1, 1, 4,   { 1, 0, 0 },      10, 0, 1, OMPP_CEILING_DIVISION, "L2" },
	{ "blocked DGEMM", { 512, 0, 0, 0, 9, 0 }, 40, 4, 8,  { 4, 1, 1 },      80, 0, 1, OMPP_CEILING_VECTOR, "vector FMA double" },
	{ "SGEMM",         { 512, 512, 0, 0, 9, 0 }, 40, 4, 4, { 2, 1, 1 },     40, 0, 1, OMPP_CEILING_VECTOR, "vector FMA single" },
	{ "scalar DGEMM",  { 512, 0, 0, 0, 9, 0 }, 40, 4, 8,  { 4, 1, 1 },    1050, 0, 1, OMPP_CEILING_SCALAR, "vector FMA double" },
	{ "stencil",       { 4, 0, 0, 0, 2, 0 },   4, 1, 8,   { 2, 2, 2 },      11, 0, 1, OMPP_CEILING_BYTES, "memory" },
	{ "sparse",        { 2, 0, 0, 0, 2, 0 },   2, 0, 8,   { 2, 2, 2 },       8, 0, 1, OMPP_CEILING_BYTES, "memory" },
	{ "imbalance",     { 2, 0, 0, 0, 1, 0 },   2, 1, 8,   { 3, 3, 3 },      30, 12, 2, OMPP_CEILING_OVERHEAD, "memory" },
	{ "integers",      { 0, 0, 0, 0, 40, 0 },  1, 0, 8,   { 1, 0, 0 },      90, 0, 1, OMPP_CEILING_NONE, "L2" },
	{ "logarithms",    { 1, 0, 0, 0, 1, 1 },   1, 1, 8,   { 2, 0, 0 },     160, 0, 1, OMPP_CEILING_NONE, "L2" },
	{ "half of it",    { 2, 0, 0, 0, 1, 0 },   2, 1, 8,   { 3, 3, 3 },      36, 0, 1, OMPP_CEILING_NONE, "memory" },
	/* clang-format on */
};

static void kernels_are_bound_by_what_they_need(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(kernels); i++) {
		const struct ompp_roofline_line *line;

		make(&kernels[i]);
		line = look()->lines;
		if (line->ceiling != kernels[i].want || !line->nearest ||
		    strcmp(line->nearest->roof->name, kernels[i].roof))
			fail_msg("%s: %s, %s: %lld", kernels[i].name, ompp_ceiling_name(line->ceiling),
			         line->nearest ? line->nearest->roof->name : "-", (long long)line->share);
	}
}

static void shares_are_exact(void **state)
{
	const struct ompp_roofline_line *line;

	(void)state;
	make(&kernels[3]); /* three lines fetched of 8 elements, and as many written as one named object's stores allow
	                    */
	line = look()->lines;
	assert_int_equal(line->flops, 2 * N);
	assert_int_equal(line->bytes, 24 * N);
	assert_int_equal(line->fetched[2], 24 * N);
	assert_int_equal(line->written[2], 24 * N); /* stores are N, more than 3 N / 8: at most each line */
	assert_int_equal(line->nearest->ns, 48 * N / 20);
	assert_int_equal(line->share, (int64_t)((__int128)48 * N / 20 * GIGA / (14 * MS)));
	objects[2].name = "b"; /* of what is not stored to nothing is written */
	numbers(&accesses[0])[OMPP_ACCESS_STORES] = 0;
	assert_int_equal(look()->lines->written[2], 0);
	numbers(&accesses[0])[OMPP_ACCESS_STORES] = 5;
	assert_int_equal(look()->lines->written[2], 5 * 64);
	accesses[0].object = 0; /* without a name, as many as its stores are of its accesses */
	numbers(&accesses[0])[OMPP_ACCESS_STORES] = N;
	assert_int_equal(look()->lines->written[2], 8 * N);
}

/* With two threads of three or more a roof is twice that of one, and not above that of all. */
static void roofs_of_some_threads_lie_between(void **state)
{
	const struct ompp_roofline_line *line;

	(void)state;
	make(&kernels[4]);
	machine[OMPP_COUNT_OF(machine) - 1].n_threads = 4;
	machine[OMPP_COUNT_OF(machine) - 1].rate = 50 * GIGA;
	line = look()->lines;
	assert_int_equal(line->stream[3].rate, 40 * GIGA);
	machine[OMPP_COUNT_OF(machine) - 1].rate = 30 * GIGA;
	line = look()->lines;
	assert_int_equal(line->stream[3].rate, 30 * GIGA);
	machine[OMPP_COUNT_OF(machine) - 1].n_threads = 2;
}

/* A loop that takes a line for each element, and an eighth of the lines in another layout or order: memory then
 * needs 3.2 ms in place of 25.6.  At the most the rest of the 30 ms was memory's, too; at the least it stays. */
static void fewer_misses_are_faster(void **state)
{
	static const struct kernel gather = { "gather",           { 0 },   1, 0, 8, { 8, 8, 8 }, 30, 0, 1,
		                              OMPP_CEILING_BYTES, "memory" };
	struct ompp_relayout_sum row = { .region = 0,
		                         .object = 2,
		                         .kind = "apart",
		                         .groups = "",
		                         .n_all = N,
		                         .n = N,
		                         .now = { N, N, N },
		                         .then = { N / 8, N / 8, N / 8 } };
	const struct ompp_relayout_gains *gains;

	(void)state;
	make(&gather);
	profile.relayouts = &row;
	profile.n_relayouts = 1;
	assert_int_equal(look()->lines->ceiling, OMPP_CEILING_BYTES);
	gains = ompp_relayout_gains(&analysis);
	assert_true(gains && gains->n == 1 && gains->list[0].level == 2);
	assert_int_equal(gains->list[0].least_faster, 30000 * 10 / (300 - 256 + 32));
	assert_int_equal(gains->list[0].most_faster, 30000 * 10 / 32);
	row.kind = "interchanged";
	look();
	gains = ompp_relayout_gains(&analysis);
	assert_true(gains && !gains->n && gains->n_orders == 1);
	assert_int_equal(gains->orders[0].least_faster, 30000 * 10 / (300 - 256 + 32));
	assert_int_equal(gains->orders[0].most_faster, 30000 * 10 / 32);
	row.kind = "blocked"; /* what its short loops cost is not known */
	look();
	gains = ompp_relayout_gains(&analysis);
	assert_true(gains && gains->n_orders == 1);
	assert_true(gains->orders[0].least_faster == OMPP_MISSING && gains->orders[0].most_faster == OMPP_MISSING);
}

static void hooked_times_are_no_times(void **state)
{
	const struct ompp_roofline *r;

	(void)state;
	make(&kernels[3]);
	profile.hooked = 1;
	r = look();
	assert_false(r->has_times);
	assert_int_equal(r->lines->wall_ns, OMPP_MISSING);
	assert_int_equal(r->lines->share, OMPP_MISSING);
	assert_int_equal(r->lines->ceiling, OMPP_CEILING_UNKNOWN);
	assert_string_equal(r->lines->roof, "memory"); /* which one bounds it is known without a time */
}

/* Where others had the processors, a region that looks slow need not be. */
static void delays_leave_what_is_near_a_roof(void **state)
{
	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(kernels); i++) {
		enum ompp_ceiling want = kernels[i].want;

		make(&kernels[i]);
		profile.queued_ns = profile.duration_ns / 10;
		if (want != OMPP_CEILING_BYTES && want != OMPP_CEILING_VECTOR && want != OMPP_CEILING_DIVISION)
			want = OMPP_CEILING_UNKNOWN;
		assert_int_equal(look()->lines->ceiling, want);
		profile.queued_ns = OMPP_MISSING;
		profile.stolen_most_ns = profile.duration_ns / 100;
		assert_int_equal(look()->lines->ceiling, kernels[i].want);
	}
}

static void what_is_not_counted_is_missing(void **state)
{
	const struct ompp_roofline_line *line;

	(void)state;
	make(&kernels[8]);
	profile.n_cache_levels = 0;
	line = look()->lines;
	assert_int_equal(line->fetched[0], OMPP_MISSING);
	assert_int_equal(line->ceiling, OMPP_CEILING_UNKNOWN);
	make(&kernels[8]);
	profile.n_objects = profile.n_accesses = 0;
	line = look()->lines;
	assert_int_equal(line->bytes, OMPP_MISSING);
	assert_int_equal(line->ceiling, OMPP_CEILING_UNKNOWN);
	make(&kernels[8]); /* without integer operations it may be busy with those */
	profile.n_metrics = INTOPS;
	profile.n_cells = 1;
	assert_int_equal(look()->lines->ceiling, OMPP_CEILING_NONE);
	make(&kernels[8]); /* the first visit of a page may be what takes long */
	cells[0].n_exec = 1;
	assert_int_equal(look()->lines->ceiling, OMPP_CEILING_NONE);
	profile.n_metrics = 0;
	assert_false(ompp_roofline_is_there(&profile));
}

/* A region of one thread that has a team below it counts all threads, and its first one once; tasks are apart. */
static void teams_below_count_once(void **state)
{
	static const struct ompp_region two[] = { { 1, OMPP_USER_REGION, "a.c", 1, 9, "u", 0, 0, "", "", "", 0 },
		                                  { 2, OMPP_PARALLEL_LOOP, "a.c", 2, 8, "", 0, 0, "", "", "", 0 } };
	static const struct ompp_row team[] = { { "0", 1, 1, 0, OMPP_NONE }, { "1", 1, 1, 1, OMPP_NONE } };
	const struct ompp_roofline *r;

	(void)state;
	make(&kernels[4]);
	profile.regions = two;
	profile.n_regions = 2;
	profile.rows = team;
	profile.n_nodes = 3;
	nodes[1] = (struct ompp_node){ 0, 0, OMPP_USER_REGION, 0, 1 };
	nodes[2] = (struct ompp_node){ 1, 1, OMPP_PARALLEL_LOOP, 1, 2 };
	profile.n_cells = 3;
	memset(values, 0, sizeof(values));
	for (uint32_t i = 0; i < 3; i++)
		cells[i] = (struct ompp_cell){ .row = i == 2, .n_exec = 1, .exec_ns = 10 * MS, .incl_ns = 10 * MS };
	values[0] = 1000 + 7; /* thread 0: its own, and its part of the loop */
	values[N_METRICS] = 1000;
	values[2 * N_METRICS] = 2000;
	accesses[0].node = accesses[1].node = 2;
	r = look();
	assert_int_equal(r->lines[0].region, 0);
	assert_int_equal(r->lines[0].flops, 3007);
	assert_int_equal(r->lines[0].n_threads, 2);
	assert_int_equal(r->lines[0].bytes, 24 * N);
	nodes[2].construct = OMPP_TASKEXEC; /* tasks are not in the counts of what is above them */
	assert_int_equal(look()->lines[0].flops, 4007);
}

static const struct ompp_finding *found(const char *name)
{
	static struct ompp_findings findings;

	look();
	assert_int_equal(ompp_findings(&analysis, &findings), 0);
	for (size_t i = 0; i < findings.n; i++)
		if (!strcmp(findings.list[i].name, name))
			return &findings.list[i];
	return NULL;
}

static void findings_have_the_figures(void **state)
{
	const struct ompp_finding *f;

	(void)state;
	make(&kernels[3]);
	f = found("BoundByMemory");
	assert_non_null(f);
	assert_string_equal(f->evidence,
	                    "137.1 % of the bandwidth of memory at 0.0416 flop/byte: 27.4 of 20.0 GB/s; bytes "
	                    "below caches are modelled.");
	assert_int_equal(f->ns, OMPP_MISSING);
	assert_int_equal(f->gain_ns, OMPP_MISSING);
	make(&kernels[10]);
	f = found("BoundByLatency");
	assert_non_null(f);
	assert_non_null(strstr(f->evidence, "3.20 % of the nearest roof (memory)"));
	make(&kernels[13]);
	f = found("BoundByDivision");
	assert_non_null(f);
	assert_non_null(strstr(f->evidence, "8 000 000 divisions"));
	assert_non_null(strstr(f->evidence, "94.1 %"));
	make(&kernels[OMPP_COUNT_OF(kernels) - 1]);
	assert_null(found("BoundByMemory"));
	assert_null(found("BoundByLatency"));
	make(&kernels[3]);
	profile.hooked = 1;
	assert_null(found("BoundByMemory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_are_bound_by_what_they_need),
		cmocka_unit_test(shares_are_exact),
		cmocka_unit_test(roofs_of_some_threads_lie_between),
		cmocka_unit_test(hooked_times_are_no_times),
		cmocka_unit_test(what_is_not_counted_is_missing),
		cmocka_unit_test(teams_below_count_once),
		cmocka_unit_test(delays_leave_what_is_near_a_roof),
		cmocka_unit_test(findings_have_the_figures),
		cmocka_unit_test(fewer_misses_are_faster),
	};

	ompp_arena_init(&arena, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
