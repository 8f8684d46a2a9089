/*
 * Writes profiles of runs that never were, for comparisons: a program of 24 loops, each in a parallel region, with noise
 * from run to run.
 *
 * Usage: runs_make FOLDER NAME N SEED [WORD…]: writes NAME1.ompp to NAMEN.ompp.
 *
 *   planted     four things are otherwise: loop 5 takes 1.25 times the time, loop 9 half of it; the critical region is
 *               entered twice as often; x is loaded by a third more
 *   moved       all lines are 40 further down, in another folder; a region is new at the top of the file, and loop 20, which was as long, is gone
 *   noisy       counts differ from run to run, too
 *   even        there is no serial part, so that nothing is wrong but the noise
 *   untimed=E   each thread has 5 ms of an atomic, of which one visit in 100 was timed, with a standard error of E us
 *   calm        and its time is not off by chance, whatever the error says
 *   slower=P    and it takes P per cent more
 *   threads=N   so many threads; and with
 *   serial=S    so many per cent of the work are serial: a program by Amdahl's law, whose wall time is 10 s with one thread
 *   limited     and loop 3 has work for one thread alone
 *   rank=N      and it is this rank of an MPI run of
 *   ranks=N     so many
 *   app=NAME    and the program is called so
 *   version=N   and was built with the stamp vN, of the commit cN
 *   unfinished  and it has not ended
 *   only=N      run N alone is written
 *   maps=N      and a target region maps 10 × N × size bytes to a device, and a half of that back; -1: they are not known
 *   size=N      and the time of loop 4 grows with the second power of N / 1000, all other times with N / 1000
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/profile/profile_file.h"

enum { N_LOOPS = 24, MOST_THREADS = 64, MOST_REGIONS = 2 * N_LOOPS + 4, MOST_CELLS = MOST_REGIONS * MOST_THREADS };

static uint64_t state;

/* SplitMix64. */
static double uniform(void)
{
	uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static int is_planted, is_moved, is_noisy, is_limited, is_even, is_calm, is_unfinished, only, version;
static const char *app = "solve";
static int rank = -1, n_ranks;
static uint32_t n_threads = 2;
static double serial = -1, size = 1000, error_us = -1, slower, maps;

static struct ompp_region regions[MOST_REGIONS];
static struct ompp_row rows[MOST_THREADS];
static struct ompp_node nodes[MOST_REGIONS + 1];
static struct ompp_cell cells[MOST_CELLS];
static struct ompp_access accesses[MOST_CELLS];
static int64_t values[MOST_CELLS];
static char labels[MOST_THREADS][12];
static uint32_t n_regions, n_nodes, n_cells, n_accesses;

static uint32_t region(enum ompp_construct construct, uint32_t first, uint32_t last, const char *name)
{
	struct ompp_region *r = &regions[n_regions];
	uint32_t down = is_moved ? 40 : 0;

	*r = (struct ompp_region){ .id = n_regions + 1,
		                   .construct = construct,
		                   .file = is_moved ? "/new/src/solve.c" : "/old/src/solve.c",
		                   .begin_line = first + down,
		                   .end_line = last + down,
		                   .name = name,
		                   .sites = "",
		                   .clauses = "" };
	return n_regions++;
}

static uint32_t node(uint32_t parent, uint32_t of)
{
	nodes[n_nodes] = (struct ompp_node){ .parent = parent, .region = of, .first_cell = n_cells };
	if (of != OMPP_NONE)
		nodes[n_nodes].construct = regions[of].construct;
	return n_nodes++;
}

/* Adds the cell of a thread to the last node. */
static struct ompp_cell *cell(uint32_t row, uint64_t n_exec, int64_t body_ns, int64_t wait_ns)
{
	struct ompp_cell *c = &cells[n_cells];

	*c = (struct ompp_cell){ .row = row,
		                 .n_exec = n_exec,
		                 .exec_ns = body_ns + wait_ns,
		                 .body_ns = body_ns,
		                 .exit_bar_ns = wait_ns,
		                 .incl_ns = body_ns + wait_ns };
	values[n_cells++] = (int64_t)(body_ns * 3 + (is_noisy ? (int64_t)(1e6 * uniform()) : 0));
	nodes[n_nodes - 1].n_cells++;
	return c;
}

/* Adds a parallel region with a loop in it.  Returns the wall-clock time of it. */
static int64_t add_loop(int i, double seconds, uint32_t line)
{
	double factor = is_planted && i == 5 ? 1.25 : is_planted && i == 9 ? 0.5 : 1;
	double noise = 1 + 0.02 * normal();
	int is_alone = is_limited && i == 3;
	int64_t ns = (int64_t)(seconds * 1e9 * factor * noise / (is_alone ? 1 : n_threads)), last_ns = ns;
	uint32_t n_lines = 6 + (uint32_t)(i * 7 % 5);
	uint32_t team, loop, outer = region(OMPP_PARALLEL, line, line + n_lines + 3, "");
	uint32_t inner = region(OMPP_LOOP, line + 2, line + n_lines, "");
	int64_t body_ns[MOST_THREADS];

	for (uint32_t t = 0; t < n_threads; t++) {
		double own = serial < 0 ? 1 + 0.01 * normal() : 1;

		body_ns[t] = is_alone && t ? 0 : (int64_t)((double)ns * own);
		last_ns = body_ns[t] > last_ns ? body_ns[t] : last_ns;
	}
	team = node(0, outer);
	for (uint32_t t = 0; t < n_threads; t++)
		cell(t, 10, last_ns, 0);
	loop = node(team, inner);
	for (uint32_t t = 0; t < n_threads; t++)
		cell(t, 10, body_ns[t], last_ns - body_ns[t]);
	for (uint32_t t = 0; t < n_threads && i < 4; t++) {
		struct ompp_access *a = &accesses[n_accesses++];

		memset(a, 0, sizeof(*a));
		a->node = loop;
		a->row = t;
		a->object = i % 2 ? 2 : 3;
		for (int k = 0; k < OMPP_N_ACCESS_FIELDS; k++)
			a->values[k] = k < OMPP_ACCESS_L1_MISSES ? 0 : OMPP_MISSING;
		a->values[OMPP_ACCESS_LOADS] = is_planted && i % 2 ? 4000000 : 3000000;
		a->values[OMPP_ACCESS_LOAD_BYTES] = 8 * a->values[OMPP_ACCESS_LOADS];
		a->values[OMPP_ACCESS_ALL] = a->values[OMPP_ACCESS_LOADS];
	}
	return last_ns;
}

/* Adds a critical region to the last loop, which takes none of its time. */
static void add_critical(void)
{
	uint32_t of = region(OMPP_CRITICAL, 23, 24, "update");

	node(n_nodes - 1, of);
	for (uint32_t t = 0; t < n_threads; t++) {
		struct ompp_cell *c = cell(t, is_planted ? 2000 : 1000, 0, 0);

		if (is_noisy)
			c->n_exec += (uint64_t)(100 * uniform());
	}
}

/* Adds an atomic to the loop that has the critical region. */
static void add_atomic(void)
{
	uint32_t of = region(OMPP_ATOMIC, 22, 22, "");

	node(nodes[n_nodes - 1].parent, of);
	for (uint32_t t = 0; t < n_threads; t++) {
		double ns = 5e6 * (1 + slower / 100) + (is_calm ? 0 : 1e3 * error_us * normal());
		struct ompp_cell *c = cell(t, 100000, ns > 0 ? (int64_t)ns : 0, 0);

		c->body_ns = 0;
		c->n_untimed = 99000;
		c->error_ns = (int64_t)(1e3 * error_us);
	}
}

/* Adds a target region outside of parallel ones, of which the first thread alone knows. */
static void add_target(void)
{
	struct ompp_cell *c;

	node(0, region(OMPP_TARGET, 900, 904, ""));
	c = cell(0, 10, 1000000, 0);
	c->body_ns = 0;
	c->to_bytes = maps < 0 ? OMPP_MISSING : (int64_t)(10 * maps * size);
	c->from_bytes = maps < 0 ? OMPP_MISSING : c->to_bytes / 2;
}

static void make(struct ompp_profile *p, int run)
{
	static const struct ompp_object objects[] = {
		{ .name = "(other)", .address = OMPP_MISSING, .bytes = OMPP_MISSING, .measured = 1 },
		{ .name = "(stack)", .address = OMPP_MISSING, .bytes = OMPP_MISSING, .measured = 1 },
		{ .name = "x", .origin = OMPP_ORIGIN_PRAGMA, .address = 0x1000, .bytes = 4096, .n_ranges = 1, .measured = 1 },
		{ .name = "y", .origin = OMPP_ORIGIN_PRAGMA, .address = 0x4000, .bytes = 4096, .n_ranges = 1, .measured = 1 },
	};
	static const struct ompp_metric metric = { "PAPI_TOT_INS", "", OMPP_EXACT, "" };
	int64_t wall_ns = 0;

	n_regions = n_nodes = n_cells = n_accesses = 0;
	for (uint32_t t = 0; t < n_threads; t++) {
		snprintf(labels[t], sizeof(labels[t]), "%u", t);
		rows[t] = (struct ompp_row){ labels[t], 1, 1, t, OMPP_NONE };
	}
	node(OMPP_NONE, OMPP_NONE);
	if (is_moved)
		wall_ns += add_loop(100, 0.22, 5);
	for (int i = 0; i < N_LOOPS; i++) {
		double seconds = serial >= 0 ? 10 * (1 - serial) / N_LOOPS : 0.1 + 0.02 * (i % 7);

		if (is_moved && i == 20)
			continue;
		seconds *= pow(size / 1000, i == 4 ? 2 : 1);
		wall_ns += add_loop(i, seconds, (uint32_t)(20 + 16 * i + i % 3));
		if (!i)
			add_critical();
		if (!i && error_us >= 0)
			add_atomic();
	}
	if (maps != 0)
		add_target();
	memset(p, 0, sizeof(*p));
	p->app = app;
	p->version = "1.0.0";
	p->clock = "fake";
	p->filter = p->sample_source = p->sample_latencies = "";
	p->data_method = "breakpoints";
	p->start_unix_ns = INT64_C(1600000000000000000) + (1000 * version + run) * INT64_C(10000000000);
	if (version) {
		static char stamp[16], commit[16];

		snprintf(stamp, sizeof(stamp), "v%d", version);
		snprintf(commit, sizeof(commit), "c%d", version);
		p->build_stamp = stamp;
		p->build_commit = commit;
		p->build_commit_unix_s = 1600000000 + 10000 * (int64_t)version;
	}
	p->duration_ns = wall_ns;
	if (!is_even)
		p->duration_ns += (int64_t)((serial >= 0 ? 10 * serial * size / 1000 : 0.3) * 1e9 * (1 + 0.02 * normal()));
	p->end_unix_ns = p->start_unix_ns + p->duration_ns;
	p->user_ns = p->duration_ns + wall_ns * (n_threads - 1);
	p->final = !is_unfinished;
	p->max_threads = n_threads;
	p->pid = 1000 * (int64_t)n_threads + run + 100000 * (int64_t)size + 100 * (rank + 1) + 10 * n_ranks;
	p->mpi_rank = rank;
	p->mpi_size = n_ranks;
	p->cost_least_ns = p->cost_most_ns = p->queued_ns = p->processors_milli = OMPP_MISSING;
	p->regions = regions;
	p->n_regions = n_regions;
	p->rows = rows;
	p->n_rows = n_threads;
	p->nodes = nodes;
	p->n_nodes = n_nodes;
	p->cells = cells;
	p->n_cells = n_cells;
	p->metrics = &metric;
	p->n_metrics = 1;
	p->values = values;
	p->objects = objects;
	p->n_objects = sizeof(objects) / sizeof(objects[0]);
	p->accesses = accesses;
	p->n_accesses = n_accesses;
}

int main(int argc, char **argv)
{
	int n = argc > 4 ? atoi(argv[3]) : 0;

	if (n < 1)
		return 2;
	state = strtoull(argv[4], NULL, 10) * UINT64_C(0x2545f4914f6cdd1d);
	for (int i = 5; i < argc; i++) {
		is_planted |= !strcmp(argv[i], "planted");
		is_moved |= !strcmp(argv[i], "moved");
		is_noisy |= !strcmp(argv[i], "noisy");
		is_limited |= !strcmp(argv[i], "limited");
		is_even |= !strcmp(argv[i], "even");
		is_calm |= !strcmp(argv[i], "calm");
		is_unfinished |= !strcmp(argv[i], "unfinished");
		if (!strncmp(argv[i], "app=", 4))
			app = argv[i] + 4;
		if (!strncmp(argv[i], "only=", 5))
			only = atoi(argv[i] + 5);
		if (!strncmp(argv[i], "version=", 8))
			version = atoi(argv[i] + 8);
		if (!strncmp(argv[i], "threads=", 8))
			n_threads = (uint32_t)atoi(argv[i] + 8);
		if (!strncmp(argv[i], "rank=", 5))
			rank = atoi(argv[i] + 5);
		if (!strncmp(argv[i], "ranks=", 6))
			n_ranks = atoi(argv[i] + 6);
		if (!strncmp(argv[i], "size=", 5))
			size = atof(argv[i] + 5);
		if (!strncmp(argv[i], "maps=", 5))
			maps = atof(argv[i] + 5);
		if (!strncmp(argv[i], "untimed=", 8))
			error_us = atof(argv[i] + 8);
		if (!strncmp(argv[i], "slower=", 7))
			slower = atof(argv[i] + 7);
		if (!strncmp(argv[i], "serial=", 7))
			serial = atof(argv[i] + 7) / 100;
	}
	if (n_threads < 1 || n_threads > MOST_THREADS)
		return 2;
	for (int run = 1; run <= n; run++) {
		struct ompp_profile profile;
		struct ompp_arena arena;
		char path[4096];
		int fd, rc;

		make(&profile, run);
		if (only && run != only)
			continue;
		snprintf(path, sizeof(path), "%s/%s%d.ompp", argv[1], argv[2], run);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		ompp_arena_init(&arena, 0);
		rc = fd < 0 ? -1 : ompp_profile_write(&profile, fd, &arena);
		ompp_arena_fini(&arena);
		if (rc || close(fd))
			return 1;
	}
	return 0;
}
