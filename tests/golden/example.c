/*
 * Example: see example.h.  Times are in milliseconds here.
 */
#include "tests/golden/example.h"

#include <string.h>

#define MS INT64_C(1000000)

enum { MAX = 100, METRICS = 2 };

static struct ompp_node nodes[MAX];
static struct ompp_cell cells[MAX];
static int64_t values[MAX * METRICS];
static uint32_t n_nodes, n_cells;

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
	{ 1,  OMPP_PARALLEL,           "/src/a.c",   10, 40, "", 0 },
	{ 2,  OMPP_LOOP,               "/src/a.c",   12, 16, "", 0 },
	{ 3,  OMPP_CRITICAL,           "/src/a.c",   13, 14, "", 0 },
	{ 4,  OMPP_CRITICAL,           "/src/a.c",   15, 15, "update", 0 },
	{ 5,  OMPP_PARALLEL,           "/src/a.c",   20, 30, "", 0 },
	{ 6,  OMPP_BARRIER,            "/src/a.c",   22, 22, "", 0 },
	{ 7,  OMPP_SECTIONS,           "/src/a.c",   31, 35, "", 0 },
	{ 8,  OMPP_SINGLE,             "/src/a.c",   36, 38, "", 0 },
	{ 9,  OMPP_TASK,               "/src/a.c",   37, 37, "", 0 },
	{ 10, OMPP_TASKWAIT,           "/src/a.c",   38, 38, "", 0 },
	{ 11, OMPP_ATOMIC,             "/src/a.c",   39, 39, "", 1 },
	{ 12, OMPP_FLUSH,              "/src/a.c",   40, 40, "", 0 },
	{ 13, OMPP_ORDERED,            "/src/a.c",   16, 16, "", 0 },
	{ 14, OMPP_MASTER,             "/src/a.c",   17, 18, "", 0 },
	{ 15, OMPP_LOCK,               "",           0,  0,  "0x5000", 0 },
	{ 16, OMPP_NEST_LOCK,          "",           0,  0,  "0x5040", 0 },
	{ 17, OMPP_USER_REGION,        "/src/a.c",   50, 60, "read \"in\", then sort", 0 },
	{ 18, OMPP_FUNCTION,           "",           0,  0,  "solve", 0 },
	{ 19, OMPP_PARALLEL_LOOP,      "/src/b.f90", 5,  9,  "", 0 },
	{ 20, OMPP_PARALLEL_SECTIONS,  "/src/b.f90", 10, 19, "", 0 },
	{ 21, OMPP_PARALLEL_WORKSHARE, "/src/b.f90", 20, 29, "", 0 },
	{ 22, OMPP_WORKSHARE,          "/src/b.f90", 31, 33, "", 0 },
};

static const struct ompp_metric metrics[METRICS] = {
	{ "PAPI_TOT_INS", "", OMPP_EXACT, "" },
	{ "L3_MISSES", "", OMPP_SCALED, "counted half of the time" },
};

static const struct ompp_condition conditions[] = {
	{ "Command Line", "./example -n 3 'a,b'" }, { "Host", "somewhere" }, { "OMP_SCHEDULE", "dynamic,4" },
};

static const struct ompp_profile_note notes[] = {
	{ "events found no memory for a new call-tree node and are counted at (lost); set OMPP_MEM to more than 64M", 3 },
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
	int64_t *const times[] = { &c.exec_ns, &c.body_ns, &c.enter_ns, &c.exit_ns, &c.exit_bar_ns, &c.startup_ns,
	                           &c.shutdown_ns, &c.mgmt_ns, &c.task_ns, &c.incl_ns, &c.cost_ns };

	if (!c.n_exec)
		c.n_exec = 1;
	if (!c.incl_ns)
		c.incl_ns = c.exec_ns;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
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
	CELL(ROW_0, .exec_ns = 30, .enter_ns = 10, .body_ns = 20);
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
	CELL(ROW_0, .n_exec = 50000, .exec_ns = 20, .cost_ns = 10);
	CELL(ROW_1, .n_exec = 50000, .exec_ns = 20, .cost_ns = 10);
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
	p->version = "1.0.0";
	p->start_unix_ns = INT64_C(951782399500000000);         /* 28 February 2000, 23:59:59.5 UTC */
	p->end_unix_ns = p->start_unix_ns + 10000 * MS;
	p->utc_offset_s = 3600;
	p->duration_ns = 10000 * MS;
	p->user_ns = 19000 * MS;
	p->system_ns = 4 * MS;
	p->final = 1;
	p->max_threads = 2;
	p->pid = 4711;
	p->mpi_rank = -1;
	p->clock = "fake";
	p->cost_ps = 23456;
	p->cost_ns = 20 * MS;
	p->n_events = 123456;
	p->filter = "a.c:39";
	p->conditions = conditions;     p->n_conditions = sizeof(conditions) / sizeof(conditions[0]);
	p->regions = regions;           p->n_regions = sizeof(regions) / sizeof(regions[0]);
	p->rows = rows;                 p->n_rows = EXAMPLE_ROWS;
	p->nodes = nodes;               p->n_nodes = n_nodes;
	p->cells = cells;               p->n_cells = n_cells;
	p->metrics = metrics;           p->n_metrics = METRICS;
	p->values = values;
	p->notes = notes;               p->n_notes = sizeof(notes) / sizeof(notes[0]);
}
