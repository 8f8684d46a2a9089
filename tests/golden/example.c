/*
 * Example: see example.h.  Times are in milliseconds here.
 */
#include "tests/golden/example.h"

#include <string.h>

#include "runtime/base/array.h"

#define MS INT64_C(1000000)

enum { MAX = 100, METRICS = 2 };

static struct ompp_node nodes[MAX];
static struct ompp_cell cells[MAX];
static int64_t values[MAX * METRICS];
static uint32_t n_nodes, n_cells;

/* clang-format off */
static const struct ompp_row rows[EXAMPLE_ROWS] = {
	[ROW_0]   = { "0",    1, 1, 0, OMPP_NONE },
	[ROW_0_0] = { "0.0",  1, 2, 0, ROW_0 },
	[ROW_0_1] = { "0.1",  1, 2, 1, ROW_0 },
	[ROW_1]   = { "1",    1, 1, 1, OMPP_NONE },
	[ROW_1_0] = { "1.0",  1, 2, 0, ROW_1 },
	[ROW_1_1] = { "1.1",  1, 2, 1, ROW_1 },
	[ROW_H2]  = { "h2:0", 2, 1, 0, OMPP_NONE },
};

static const struct ompp_region regions[] = {
	{ 1,  OMPP_PARALLEL,           "/src/a.c",   10, 40, "", 0, 0, "", "", "", 0 },
	{ 2,  OMPP_LOOP,               "/src/a.c",   12, 16, "", 0, 0, "", "", "", 0 },
	{ 3,  OMPP_CRITICAL,           "/src/a.c",   13, 14, "", 0, 0, "", "", "", 0 },
	{ 4,  OMPP_CRITICAL,           "/src/a.c",   15, 15, "update", 0, 0, "", "", "", 0 },
	{ 5,  OMPP_PARALLEL,           "/src/a.c",   20, 30, "", 0, 0, "", "", "", 0 },
	{ 6,  OMPP_BARRIER,            "/src/a.c",   22, 22, "", 0, 0, "", "", "", 0 },
	{ 7,  OMPP_SECTIONS,           "/src/a.c",   31, 35, "", 0, 0, "", "", "", 0 },
	{ 8,  OMPP_SINGLE,             "/src/a.c",   36, 38, "", 0, 0, "", "", "", 0 },
	{ 9,  OMPP_TASK,               "/src/a.c",   37, 37, "", 0, 0, "", "", "", 0 },
	{ 10, OMPP_TASKWAIT,           "/src/a.c",   38, 38, "", 0, 0, "", "", "", 0 },
	{ 11, OMPP_ATOMIC,             "/src/a.c",   39, 39, "", 1, 0, "", "", "", 0 },
	{ 12, OMPP_FLUSH,              "/src/a.c",   40, 40, "", 0, 0, "", "", "", 0 },
	{ 13, OMPP_ORDERED,            "/src/a.c",   16, 16, "", 0, 0, "", "", "", 0 },
	{ 14, OMPP_MASTER,             "/src/a.c",   17, 18, "", 0, 0, "", "", "", 0 },
	{ 15, OMPP_LOCK,               "",           0,  0,  "0x5000", 0, 0, "", "", "", 0 },
	{ 16, OMPP_NEST_LOCK,          "",           0,  0,  "0x5040", 0, 0, "", "", "", 0 },
	{ 17, OMPP_USER_REGION,        "/src/a.c",   50, 60, "read \"in\", then sort", 0, 0, "", "", "", 0 },
	{ 18, OMPP_FUNCTION,           "",           0,  0,  "solve", 0, 0, "", "", "", 0 },
	{ 19, OMPP_PARALLEL_LOOP,      "/src/b.f90", 5,  9,  "", 0, 0, "", "", "", 0 },
	{ 20, OMPP_PARALLEL_SECTIONS,  "/src/b.f90", 10, 19, "", 0, 0, "", "", "", 0 },
	{ 21, OMPP_PARALLEL_WORKSHARE, "/src/b.f90", 20, 29, "", 0, 0, "", "", "", 0 },
	{ 22, OMPP_WORKSHARE,          "/src/b.f90", 31, 33, "", 0, 0, "", "", "", 0 },
};
/* clang-format on */

static const struct ompp_metric metrics[METRICS] = {
	{ "PAPI_TOT_INS", "", OMPP_EXACT, "" },
	{ "L3_MISSES", "", OMPP_SCALED, "counted half of the time" },
};

static const struct ompp_condition conditions[] = {
	{ "Command Line", "./example -n 3 'a,b'" },
	{ "Host", "somewhere" },
	{ "OMP_SCHEDULE", "dynamic,4" },
};

static const struct ompp_profile_note notes[] = {
	{ "events found no memory for a new call-tree node and are counted at (lost); set OMPP_MEM to more than 64M",
	  3 },
	{ "the counters were shared with another program", 0 },
};

/* A node below another, by region id; the cells that follow are its.  Cells that do not say otherwise stand for one
 * execution that is inclusive of itself. */
static uint32_t node(uint32_t parent, uint32_t id, enum ompp_construct construct)
{
	nodes[n_nodes] = (struct ompp_node){ parent, id ? id - 1 : OMPP_NONE, construct, n_cells, 0 };
	return n_nodes++;
}

static void cell(struct ompp_cell c)
{
	int64_t *const times[] = { &c.exec_ns,       &c.body_ns,       &c.enter_ns,     &c.exit_ns,  &c.exit_bar_ns,
		                   &c.startup_ns,    &c.shutdown_ns,   &c.mgmt_ns,      &c.task_ns,  &c.incl_ns,
		                   &c.cost_ns,       &c.cost_least_ns, &c.cost_most_ns, &c.error_ns, &c.enter_error_ns,
		                   &c.body_error_ns, &c.exit_error_ns };

	if (!c.n_exec)
		c.n_exec = 1;
	if (!c.incl_ns)
		c.incl_ns = c.exec_ns;
	for (size_t i = 0; i < OMPP_COUNT_OF(times); i++)
		*times[i] *= MS;
	values[n_cells * METRICS] = c.exec_ns / 1000 * 3;
	values[n_cells * METRICS + 1] = c.row == ROW_1 ? OMPP_MISSING : 1234567 + n_cells;
	cells[n_cells++] = c;
	nodes[n_nodes - 1].n_cells++;
}

#define CELL(row_, ...) cell((struct ompp_cell){ .row = (row_), __VA_ARGS__ })

static void first_team(uint32_t root)
{
	uint32_t team = node(root, 1, OMPP_PARALLEL), loop, inner, single;

	CELL(ROW_0, .exec_ns = 6000, .startup_ns = 1, .body_ns = 5900, .exit_bar_ns = 98, .shutdown_ns = 1);
	CELL(ROW_1, .exec_ns = 6000, .startup_ns = 3, .body_ns = 5990, .exit_bar_ns = 4, .shutdown_ns = 3);
	loop = node(team, 2, OMPP_LOOP);
	CELL(ROW_0, .exec_ns = 1000, .body_ns = 400, .exit_bar_ns = 600);
	CELL(ROW_1, .exec_ns = 1000, .body_ns = 1000);
	node(loop, 3, OMPP_CRITICAL);
	CELL(ROW_0, .n_exec = 10, .exec_ns = 110, .enter_ns = 60, .body_ns = 40, .exit_ns = 10);
	CELL(ROW_1, .n_exec = 30, .exec_ns = 130, .enter_ns = 20, .body_ns = 100, .exit_ns = 10);
	node(loop, 4, OMPP_CRITICAL);
	CELL(ROW_1, .exec_ns = 3, .enter_ns = 1, .body_ns = 1, .exit_ns = 1);
	node(loop, 13, OMPP_ORDERED);
	CELL(ROW_0, .exec_ns = 30, .enter_ns = 10, .body_ns = 20, .n_untimed = 1, .error_ns = 3, .enter_error_ns = 2,
	     .body_error_ns = 1);
	inner = node(team, 5, OMPP_PARALLEL);
	CELL(ROW_0_0, .exec_ns = 2000, .body_ns = 1990, .shutdown_ns = 10);
	CELL(ROW_0_1, .exec_ns = 2000, .startup_ns = 20, .body_ns = 1970, .shutdown_ns = 10);
	CELL(ROW_1_0, .exec_ns = 1600, .body_ns = 1600);
	CELL(ROW_1_1, .exec_ns = 1600, .startup_ns = 10, .body_ns = 1590);
	node(inner, 6, OMPP_BARRIER);
	CELL(ROW_0_0, .exec_ns = 400);
	CELL(ROW_0_1, .exec_ns = 0);
	CELL(ROW_1_0, .exec_ns = 0);
	CELL(ROW_1_1, .exec_ns = 200);
	node(team, 7, OMPP_SECTIONS);
	CELL(ROW_0, .n_body = 1, .exec_ns = 500, .body_ns = 490, .mgmt_ns = 10);
	CELL(ROW_1, .n_body = 0, .exec_ns = 500, .exit_bar_ns = 495, .mgmt_ns = 5);
	single = node(team, 8, OMPP_SINGLE);
	CELL(ROW_0, .exec_ns = 700, .n_body = 1, .body_ns = 100, .task_ns = 600, .incl_ns = 100);
	CELL(ROW_1, .exec_ns = 700, .exit_bar_ns = 300, .task_ns = 400, .incl_ns = 300);
	node(single, 9, OMPP_TASK);
	CELL(ROW_0, .n_exec = 100, .exec_ns = 50);
	node(team, 9, OMPP_TASKEXEC);
	CELL(ROW_0, .n_exec = 60, .exec_ns = 600);
	CELL(ROW_1, .n_exec = 40, .exec_ns = 400);
	node(team, 10, OMPP_TASKWAIT);
	CELL(ROW_0, .exec_ns = 5);
	node(team, 11, OMPP_ATOMIC);
	CELL(ROW_0, .n_exec = 50000, .exec_ns = 20, .cost_ns = 10, .cost_least_ns = 4, .cost_most_ns = 25);
	CELL(ROW_1, .n_exec = 50000, .exec_ns = 20, .cost_ns = 10, .cost_least_ns = 4, .cost_most_ns = 25,
	     .n_untimed = 45000, .error_ns = 1);
	node(team, 12, OMPP_FLUSH);
	CELL(ROW_1, .exec_ns = 1);
	node(team, 14, OMPP_MASTER);
	CELL(ROW_0, .exec_ns = 100);
	node(team, 15, OMPP_LOCK);
	CELL(ROW_0, .n_exec = 2, .exec_ns = 24, .enter_ns = 3, .body_ns = 20, .exit_ns = 1, .incl_ns = 4);
	node(team, 16, OMPP_NEST_LOCK);
	CELL(ROW_1, .n_exec = 2, .exec_ns = 14, .enter_ns = 3, .body_ns = 10, .exit_ns = 1, .incl_ns = 4);
}

static void second_part(uint32_t root)
{
	uint32_t user = node(root, 17, OMPP_USER_REGION), team;

	CELL(ROW_0, .exec_ns = 3000);
	node(user, 18, OMPP_FUNCTION);
	CELL(ROW_0, .exec_ns = 500);
	node(user, 19, OMPP_PARALLEL_LOOP);
	CELL(ROW_0, .exec_ns = 1000, .body_ns = 900, .exit_bar_ns = 100);
	CELL(ROW_1, .exec_ns = 1000, .startup_ns = 2, .body_ns = 998);
	node(user, 20, OMPP_PARALLEL_SECTIONS);
	CELL(ROW_0, .n_body = 2, .exec_ns = 400, .body_ns = 400);
	CELL(ROW_1, .n_body = 1, .exec_ns = 400, .startup_ns = 2, .body_ns = 198, .exit_bar_ns = 200);
	team = node(user, 21, OMPP_PARALLEL_WORKSHARE);
	CELL(ROW_0, .exec_ns = 200, .body_ns = 200);
	CELL(ROW_1, .exec_ns = 200, .startup_ns = 2, .body_ns = 148, .exit_bar_ns = 50);
	node(team, 22, OMPP_WORKSHARE);
	CELL(ROW_0, .exec_ns = 0, .body_ns = 0);
	/* below 10 ms: not to be shown as 0.00 */
	cells[n_cells - 1].exec_ns = cells[n_cells - 1].incl_ns = 1234;
	cells[n_cells - 1].body_ns = 1000;
	cells[n_cells - 1].exit_bar_ns = 234;
	node(root, 18, OMPP_FUNCTION);
	CELL(ROW_H2, .n_exec = 7, .exec_ns = 900);
}

void example_profile(struct ompp_profile *p)
{
	uint32_t root;

	n_nodes = n_cells = 0;
	root = node(OMPP_NONE, 0, OMPP_PARALLEL);
	first_team(root);
	second_part(root);
	memset(p, 0, sizeof(*p));
	p->app = "example";
	p->data_method = "";
	p->sample_source = p->sample_latencies = p->pages_method = p->clock_domain = p->build_stamp = p->build_commit =
		"";
	p->version = "1.0.0";
	p->start_unix_ns = INT64_C(951782399500000000); /* 28 February 2000, 23:59:59.5 UTC */
	p->end_unix_ns = p->start_unix_ns + 10000 * MS;
	p->utc_offset_s = 3600;
	p->duration_ns = 10000 * MS;
	p->user_ns = 19000 * MS;
	p->others_ns = p->others_error_ns = OMPP_MISSING;
	p->system_ns = 4 * MS;
	p->final = 1;
	p->max_threads = 2;
	p->pid = 4711;
	p->mpi_rank = -1;
	p->clock = "fake";
	p->cost_ps = 23456;
	p->cost_ns = 20 * MS;
	p->cost_least_ns = 8 * MS;
	p->cost_most_ns = 50 * MS;
	p->n_events = 123456;
	p->filter = "a.c:39";
	p->conditions = conditions;
	p->n_conditions = OMPP_COUNT_OF(conditions);
	p->regions = regions;
	p->n_regions = OMPP_COUNT_OF(regions);
	p->rows = rows;
	p->n_rows = EXAMPLE_ROWS;
	p->nodes = nodes;
	p->n_nodes = n_nodes;
	p->cells = cells;
	p->n_cells = n_cells;
	p->metrics = metrics;
	p->n_metrics = METRICS;
	p->values = values;
	p->notes = notes;
	p->n_notes = OMPP_COUNT_OF(notes);
}

/* Objects. */
enum { OTHER, STACK, A, X, Y, COUNT, BUF, MOVED, HIDDEN, N_OBJECTS };

/* clang-format off */
static const struct ompp_object objects[N_OBJECTS] = {
	[OTHER]  = { "(other)", OMPP_ORIGIN_NONE, OMPP_MISSING, OMPP_MISSING, 0, 0, 1, 1, 0 },
	[STACK]  = { "(stack)", OMPP_ORIGIN_NONE, OMPP_MISSING, OMPP_MISSING, 0, 0, 1, 1, 0 },
	[A]      = { "a", OMPP_ORIGIN_PRAGMA, 0x7f0000001000, 1152000000, 1, 0, 1, 1, 0 },
	[X]      = { "x", OMPP_ORIGIN_CALL, 0x602000, 96000, 1, 0, 1, 1, 0 },
	[Y]      = { "y[n], \"sums\"", OMPP_ORIGIN_PRAGMA, 0x620000, 96000, 1, 0, 1, 1, OMPP_PARTS_OWN },
	[COUNT]  = { "mod::count", OMPP_ORIGIN_SYMBOL, 0x404040, 64, 1, 0, 1, 1, 0 },
	[BUF]    = { "buf", OMPP_ORIGIN_PRAGMA, 0x7f1100000000, 4096, 2, 1, 0, 1, 0 },
	[MOVED]  = { "moved", OMPP_ORIGIN_ADDRESS, 0x700000, 800, 3, 0, 1, 1, 0 },
	[HIDDEN] = { "hidden", OMPP_ORIGIN_SYMBOL, 0x405000, 1024, 1, 0, 1, 0, 0 },
};
/* clang-format on */

static const struct ompp_cache_level levels[] = {
	{ "L1", 32768, 8, 64, 0 },
	{ "L3", 1048576, 16, 64, 1 },
};

static const struct ompp_shared_line lines[] = {
	{ COUNT, 1, 0, 3000000, 2954312, "0: 0-7, 1: 8-15" },
	{ Y, 4, -8, 12, 3, "0.1: 56-63, 1.0: 0-7, 1.1: 8-15" },
};

static const struct ompp_pattern patterns[] = {
	{ COUNT, 1, OMPP_PATTERN_FALSE_SHARING, 2954312, 1, 0, "0, 1", 2, 3000000, 0 },
	{ Y, 4, OMPP_PATTERN_FALSE_SHARING, 3, 1, 0, "0.1, 1.0, 1.1", 3, 12, 0 },
};

static const struct ompp_allocation allocations[] = {
	{ "a.c:7 a = malloc(…)", "a.c:7 main", A, ROW_0, OMPP_NONE, 0, 1, 1, 1152000000, 1152000000, 1152000000,
	  2000000000, 0, "", "exe+0x1171", 1, 1 },
	{ "list.c:3 n = malloc(…)", "list.c:3 insert, a.c:24 main", OMPP_NONE, ROW_0_1, 1, 1, 300000, 12, 7200000, 288,
	  64000, 900000000, 3000, "", "", 0, 0 },
	{ "prog+0x1149", "prog+0x1149", BUF, OMPP_NONE, OMPP_NONE, 0, 2, 0, 8192, 0, 4096, 5000, 0,
	  "omp_high_bw_mem_alloc", "", 0, 0 },
};

/* With the cache model: a is walked by columns, and thread 1 reads an x that thread 0 wrote. */
static const struct ompp_pattern modelled_patterns[] = {
	{ A, 1, OMPP_PATTERN_STRIDE, 143988000, 0, 96000, "0, 1", 2, 144000000, 0 },
	{ X, 1, OMPP_PATTERN_FOREIGN, 9000000, 0, 0, "1", 1, 9000000, 0 },
};

static struct ompp_access accesses[MAX];
static uint32_t n_accesses;

/* Accesses of 8 bytes by a row at the current node. */
static void touch(uint32_t at, uint32_t row, uint32_t object, int64_t loads, int64_t stores, int64_t atomics,
                  int is_modelled)
{
	struct ompp_access *access = &accesses[n_accesses++];

	*access = (struct ompp_access){ at,
		                        row,
		                        object,
		                        { loads, stores, atomics, 8 * loads, 8 * stores, 8 * atomics,
		                          loads + stores + atomics, OMPP_MISSING, OMPP_MISSING, OMPP_MISSING } };
	if (is_modelled) {
		access->values[OMPP_ACCESS_L1_MISSES] = object == A ? loads : (loads + stores + 7) / 8;
		access->values[OMPP_ACCESS_L3_MISSES] = object == A ? loads / 10 : 0;
	}
}

static uint32_t find_node(uint32_t id, enum ompp_construct construct)
{
	uint32_t i = 1;

	while (nodes[i].region != id - 1 || nodes[i].construct != construct)
		i++;
	return i;
}

void example_data_profile(struct ompp_profile *p, int is_modelled)
{
	uint32_t team, loop, critical, inner, exec, atomic, function, shared;

	example_profile(p);
	n_accesses = 0;
	team = find_node(1, OMPP_PARALLEL);
	loop = find_node(2, OMPP_LOOP);
	critical = find_node(3, OMPP_CRITICAL);
	inner = find_node(5, OMPP_PARALLEL);
	exec = find_node(9, OMPP_TASKEXEC);
	atomic = find_node(11, OMPP_ATOMIC);
	function = find_node(18, OMPP_FUNCTION);
	shared = find_node(19, OMPP_PARALLEL_LOOP);
	touch(0, ROW_0, OTHER, 100, 50, 0, is_modelled); /* outside all regions */
	touch(0, ROW_0, X, 0, 12000, 0, is_modelled);
	touch(team, ROW_0, STACK, 20, 10, 0, is_modelled);
	touch(team, ROW_1, STACK, 21, 11, 0, is_modelled);
	touch(loop, ROW_0, OTHER, 7, 0, 0, is_modelled);
	touch(loop, ROW_0, A, 72000000, 0, 0, is_modelled);
	touch(loop, ROW_0, X, 72000000, 0, 0, is_modelled);
	touch(loop, ROW_0, COUNT, 1000000, 1000000, 0, is_modelled);
	touch(loop, ROW_1, A, 72000000, 0, 0, is_modelled);
	touch(loop, ROW_1, X, 72000000, 0, 0, is_modelled);
	touch(loop, ROW_1, COUNT, 2000000, 2000000, 0, is_modelled);
	touch(critical, ROW_0, Y, 10, 10, 0, is_modelled);
	touch(critical, ROW_1, Y, 30, 30, 0, is_modelled);
	touch(inner, ROW_0_0, BUF, 512, 512, 0, is_modelled); /* rank 0: row 0 of the outer team */
	touch(inner, ROW_0_1, BUF, 512, 512, 0, is_modelled); /* a row of its own there */
	touch(inner, ROW_0_1, MOVED, 100, 0, 0, is_modelled);
	touch(inner, ROW_1_0, BUF, 512, 1024, 0, is_modelled);
	touch(exec, ROW_0, X, 60, 0, 0, is_modelled);
	touch(exec, ROW_1, X, 40, 0, 0, is_modelled);
	touch(atomic, ROW_0, COUNT, 0, 0, 50000, is_modelled);
	touch(atomic, ROW_1, COUNT, 0, 0, 50000, is_modelled);
	touch(function, ROW_0, MOVED, 1, 100, 0, is_modelled);
	touch(shared, ROW_0, Y, 6000, 6000, 0, is_modelled);
	touch(shared, ROW_1, Y, 6000, 6000, 0, is_modelled);
	p->data_method = "hooks";
	p->hooked = 1;
	p->sharing = !is_modelled;
	p->objects = objects;
	p->n_objects = N_OBJECTS;
	p->all_objects = 1;
	p->allocations = allocations;
	p->n_allocations = OMPP_COUNT_OF(allocations);
	p->accesses = accesses;
	p->n_accesses = n_accesses;
	p->shared_lines = lines;
	p->n_shared_lines = is_modelled ? 0 : OMPP_COUNT_OF(lines);
	p->cache_levels = levels;
	p->n_cache_levels = is_modelled ? OMPP_COUNT_OF(levels) : 0;
	p->patterns = is_modelled ? modelled_patterns : patterns;
	p->n_patterns = 2;
	p->n_numa_nodes = 2;
}

/* Counters. */
enum { INS, MISSES, OPS, CYCLES, FAULTS, N_COUNTERS };

static const struct ompp_metric counters[N_COUNTERS] = {
	[INS] = { "PAPI_TOT_INS", "", OMPP_EXACT, "" },
	[MISSES] = { "PAPI_L3_TCM", "", OMPP_SCALED, "counted 48 % of the time" },
	[OPS] = { "PAPI_FP_OPS", "", OMPP_NOT_COUNTED, "this PMU has no such event; use @flops" },
	[CYCLES] = { "cpu/event=0x3c,umask=0x00,name=cycles_of_one_core/", "ns", OMPP_EXACT, "" },
	[FAULTS] = { "page-faults", "", OMPP_EXACT, "" },
};

static const struct ompp_eval evals[] = {
	{ "miss ratio", "PAPI_L3_TCM/PAPI_TOT_INS", "" },
	{ "PAPI_TOT_INS/page-faults", "PAPI_TOT_INS/page-faults", "" },
	{ "IPC", "PAPI_TOT_INS / cpu/event=0x3c,umask=0x00,name=cycles_of_one_core/", "" },
	{ "time a call", "1000 * EXECT / EXECC", "ms" },
	{ "Mflop/s", "PAPI_FP_OPS * 1e-6 / EXECT", "Mflop/s" },
	{ "PAPI_TOT_INS / THREADS * 1e9 + 0 * (1 + 2)", "PAPI_TOT_INS / THREADS * 1e9 + 0 * (1 + 2)", "" },
};

static struct ompp_numa_value numa_values[12];

static int64_t counted[MAX * N_COUNTERS];

void example_counter_profile(struct ompp_profile *p)
{
	static const struct ompp_metric reads = { "cas_count_read", "MiB", OMPP_EXACT, "" };
	static const struct ompp_metric writes = { "cas_count_write", "MiB", OMPP_SCALED, "counted 90 % of the time" };
	uint32_t team, inner;
	size_t n = 0;

	example_profile(p);
	team = find_node(1, OMPP_PARALLEL);
	inner = find_node(5, OMPP_PARALLEL);
	for (uint32_t c = 0; c < n_cells; c++) {
		int64_t *v = &counted[c * N_COUNTERS];

		v[INS] = values[c * METRICS];
		v[MISSES] = values[c * METRICS + 1];
		v[OPS] = OMPP_MISSING;
		v[CYCLES] = cells[c].exec_ns / 1000;
		v[FAULTS] = cells[c].row == ROW_1 ? 0 : 3 + c % 3;
	}
	numa_values[n++] = (struct ompp_numa_value){ .node = team, .place = 0, .metric = reads, .value = 123456 };
	numa_values[n++] = (struct ompp_numa_value){ .node = team, .place = 3, .metric = reads, .value = 44 };
	numa_values[n++] = (struct ompp_numa_value){ .node = team, .place = 0, .metric = writes, .value = 0 };
	numa_values[n++] = (struct ompp_numa_value){
		.node = team, .place = 1, .metric = writes, .value = OMPP_MISSING
	};
	numa_values[n++] = (struct ompp_numa_value){ .node = inner, .place = 0, .metric = reads, .value = 7 };
	p->metrics = counters;
	p->n_metrics = N_COUNTERS;
	p->values = counted;
	p->evals = evals;
	p->n_evals = OMPP_COUNT_OF(evals);
	p->numa_values = numa_values;
	p->n_numa_values = n;
}
