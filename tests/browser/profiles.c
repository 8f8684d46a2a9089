/*
 * Profiles: writes a saved profile to standard output, for tests of pages.
 *
 *   profiles hostile            names that strangers could write to have a page run them, in all texts of a profile
 *
 *   profiles names              objects and regions with long names of many words
 *
 *   profiles big PATHS THREADS  so many call paths in a fifth as many regions, each with all threads
 *
 *   profiles ranks N THREADS REGIONS FOLDER   a file r<rank>.ompp for each of so many ranks.  In region g (from 1) thread
 *                               t of rank r works 1,000,000 (g + t) + 1,000 r ns, and waits 2,000 r ns
 *
 *   profiles ranks N THREADS REGIONS FOLDER RANK   the same, but all threads of this rank work 500 ms more in the first
 *                               region, and the last region is MPI_Barrier, in which the ranks wait for each other
 *
 *   profiles ranks N THREADS REGIONS FOLDER RANK MEETINGS   the same with what ranks keep of so many barriers and as many
 *                               messages that each sends and receives (make_meetings)
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/profile/profile_file.h"
#include "runtime/base/array.h"
#include "runtime/terms/meeting.h"
#include "tests/golden/example.h"

/* ---- names that would run ---- */

static const char *const hostile[] = {
	"</script><script>window.hacked=1</script>",
	"<img src=x onerror=window.hacked=2>",
	"\"><svg onload=window.hacked=3>",
	"<!--<script>",
	"']]>&lt;b&gt;&quot;${window.hacked=4}",
	"javascript:window.hacked=5",
	"\u2028window.hacked=6\u2029",
	"\xff\xfe\x01\x1b[31mred\u202edevil",
	"__proto__",
	"constructor\\",
};

static const char *next_name(void)
{
	static unsigned int n;

	return hostile[n++ % OMPP_COUNT_OF(hostile)];
}

static void *copy(const void *array, size_t n, size_t element_bytes)
{
	void *p = calloc(n ? n : 1, element_bytes);

	if (!p)
		exit(1);
	return n ? memcpy(p, array, n * element_bytes) : p;
}

static void make_hostile(struct ompp_profile *p)
{
	struct ompp_region *regions = copy(p->regions, p->n_regions, sizeof(*regions));
	struct ompp_object *objects = copy(p->objects, p->n_objects, sizeof(*objects));
	struct ompp_metric *metrics = copy(p->metrics, p->n_metrics, sizeof(*metrics));
	struct ompp_condition *conditions = copy(p->conditions, p->n_conditions, sizeof(*conditions));
	struct ompp_profile_note *notes = copy(p->notes, p->n_notes, sizeof(*notes));
	struct ompp_sampled_line *lines = copy(p->sample_lines, p->n_sample_lines, sizeof(*lines));

	p->app = hostile[0];
	for (size_t i = 0; i < p->n_regions; i++) {
		regions[i].name = next_name();
		regions[i].file = next_name();
		regions[i].clauses = next_name();
	}
	for (size_t i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		objects[i].name = next_name();
	for (size_t i = 0; i < p->n_metrics; i++)
		metrics[i].name = metrics[i].unit = metrics[i].detail = next_name();
	for (size_t i = 0; i < p->n_conditions; i++)
		conditions[i].label = conditions[i].value = next_name();
	for (size_t i = 0; i < p->n_notes; i++)
		notes[i].text = next_name();
	for (size_t i = 0; i < p->n_sample_lines; i++)
		lines[i].file = lines[i].function = next_name();
	p->regions = regions;
	p->objects = objects;
	p->metrics = metrics;
	p->conditions = conditions;
	p->notes = notes;
	p->sample_lines = lines;
}

/* Returns a number that looks like chance and is the same each time, from 0 to most - 1. */
static uint64_t some(uint64_t most)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % most;
}

/* ---- long names ---- */

enum { WORD_LETTERS = 20, NAME_LETTERS = 120 };

/* Returns words with blanks between them. */
static const char *some_words(const char *end)
{
	char *name = malloc(NAME_LETTERS + 30);
	size_t n = 0, most = 10 + some(NAME_LETTERS - 10);

	if (!name)
		exit(1);
	while (n < most) {
		size_t n_word = 1 + some(WORD_LETTERS);

		for (size_t i = 0; i < n_word && n < most; i++)
			name[n++] = (char)('a' + some(26));
		if (n < most)
			name[n++] = ' ';
	}
	snprintf(name + n - (name[n - 1] == ' '), 30, "%s", end);
	return name;
}

static void make_names(struct ompp_profile *p)
{
	struct ompp_region *regions = copy(p->regions, p->n_regions, sizeof(*regions));
	struct ompp_object *objects = copy(p->objects, p->n_objects, sizeof(*objects));

	for (size_t i = 0; i < p->n_regions; i++)
		regions[i].name = i % 3 ? regions[i].name : some_words("");
	for (size_t i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		objects[i].name = some_words(i % 2 ? "[n]" : "");
	p->regions = regions;
	p->objects = objects;
}

/* ---- many call paths ---- */

enum { LEAST_NS = 1000 };

/* Makes a tree in which each PARALLEL has a chain of loops below it, with other times for each thread. */
static void make_big(struct ompp_profile *p, uint32_t n_paths, uint32_t n_threads, int has_bytes)
{
	uint32_t n_regions = n_paths / 5 + 1, n_nodes = n_paths + 1;
	struct ompp_region *regions = calloc(n_regions, sizeof(*regions));
	struct ompp_row *rows = calloc(n_threads, sizeof(*rows));
	struct ompp_node *nodes = calloc(n_nodes, sizeof(*nodes));
	struct ompp_cell *cells = calloc((size_t)n_paths * n_threads, sizeof(*cells));

	if (!regions || !rows || !nodes || !cells)
		exit(1);
	for (uint32_t i = 0; i < n_regions; i++) {
		char *file = malloc(40);

		if (!file)
			exit(1);
		snprintf(file, 40, "/src/module%u.c", i / 50);
		regions[i] = (struct ompp_region){ i + 1, i % 3 ? OMPP_LOOP : OMPP_PARALLEL, file, i % 50 * 20 + 1,
			                           i % 50 * 20 + 15, "", 0, 0, "", "schedule(static)", "", 0 };
	}
	for (uint32_t i = 0; i < n_threads; i++) {
		char *label = malloc(12);

		if (!label)
			exit(1);
		snprintf(label, 12, "%u", i);
		rows[i] = (struct ompp_row){ label, 1, 1, i, OMPP_NONE };
	}
	nodes[0] = (struct ompp_node){ OMPP_NONE, OMPP_NONE, OMPP_PARALLEL, 0, 0 };
	for (uint32_t i = 1; i < n_nodes; i++) {
		uint32_t region = i % n_regions;

		nodes[i] = (struct ompp_node){ regions[region].construct == OMPP_PARALLEL ? 0 : i - 1, region,
			                       regions[region].construct, (i - 1) * n_threads, n_threads };
	}
	for (uint32_t i = n_nodes; i-- > 1;)
		for (uint32_t t = 0; t < n_threads; t++) {
			struct ompp_cell *c = &cells[(size_t)(i - 1) * n_threads + t];

			c->row = t;
			c->n_exec = 1 + some(1000);
			c->body_ns = c->body_ns + LEAST_NS + (int64_t)some(i % 97 ? 100000 : 5000000);
			c->exit_bar_ns = (int64_t)some(50000);
			c->exec_ns = c->incl_ns = c->body_ns + c->exit_bar_ns;
			if (!has_bytes)
				c->to_bytes = c->from_bytes = c->sent_bytes = c->received_bytes = OMPP_MISSING;
			if (nodes[i].parent)
				cells[(size_t)(nodes[i].parent - 1) * n_threads + t].body_ns += c->exec_ns;
		}
	p->app = "big";
	p->regions = regions;
	p->n_regions = n_regions;
	p->rows = rows;
	p->n_rows = n_threads;
	p->nodes = nodes;
	p->n_nodes = n_nodes;
	p->cells = cells;
	p->n_cells = (size_t)n_paths * n_threads;
	p->max_threads = n_threads;
	p->n_waits = p->n_metrics = p->n_evals = p->n_numa_values = 0;
	p->duration_ns = 0;
	for (uint32_t i = 1; i < n_nodes; i++)
		if (!nodes[i].parent)
			p->duration_ns += cells[(size_t)(i - 1) * n_threads].exec_ns * 2;
}

enum { MORE_NS = 500000000 };

/* Lets ranks wait for each other in their last region.  busy: the rank that has more to do
 * Returns how long that takes. */
static int64_t wait_for(struct ompp_profile *p, int busy)
{
	struct ompp_cell *cells = (struct ompp_cell *)(uintptr_t)p->cells;
	uint32_t n_threads = (uint32_t)p->n_rows;
	size_t first = p->n_cells - 1;
	int64_t last = 3000 * (int64_t)(p->n_regions - 1), ns;

	/* of all ranks the busy one has most, as the others differ by less than that */
	ns = MORE_NS + last * busy - last * p->mpi_rank;
	for (uint32_t t = 0; t < n_threads && p->mpi_rank == busy; t++) {
		cells[t].body_ns += MORE_NS;
		cells[t].exec_ns = cells[t].incl_ns += MORE_NS;
	}
	ns = p->mpi_rank == busy ? 0 : ns;
	cells[first] = (struct ompp_cell){ .n_exec = 1, .exec_ns = ns, .incl_ns = ns, .body_ns = ns };
	return ns + (p->mpi_rank == busy ? MORE_NS : 0);
}

/* What a rank keeps of the waits of MPI: so many barriers and, with the rank before it and that behind it, as many
 * messages.  They are 20 ms apart.  At each barrier the ranks begin together, but for one that comes 10 ms later: the
 * busy rank, rank 0 and the last rank take turns.  A message is received 3 ms before it is sent.  The second half of
 * the ranks reads another clock, 1000 s later. */
enum { APART_NS = 20000000, LATE_NS = 10000000, EARLY_NS = 3000000 };
#define CLOCKS_NS INT64_C(1000000000000)

static int last_of(uint32_t barrier, int n, int busy)
{
	return barrier % 3 == 0 ? busy : barrier % 3 == 1 ? 0 : n - 1;
}

static void make_meetings(struct ompp_profile *p, struct ompp_mpi_meeting *list, uint32_t n, int busy)
{
	int n_ranks = p->mpi_size, rank = p->mpi_rank, is_other = rank >= n_ranks / 2;
	int64_t clock_ns = 1000000000 + (is_other ? CLOCKS_NS : 0);

	p->clock_domain = is_other ? "two" : "one";
	p->meetings = list;
	p->n_meetings = 3 * (size_t)n;
	for (uint32_t i = 0; i < n; i++) {
		int64_t at_ns = clock_ns + APART_NS * (int64_t)i, message_ns = at_ns + LATE_NS + 1000;
		struct ompp_mpi_meeting m = { .region = (uint32_t)p->n_regions - 1, .index = i, .n_all = n };

		m.kind = OMPP_MEETING_ALL;
		m.key = 77;
		m.peer = (uint32_t)n_ranks;
		m.begin_ns = m.post_ns = at_ns + (last_of(i, n_ranks, busy) == rank ? LATE_NS : 0);
		m.end_ns = at_ns + LATE_NS + 1000;
		*list++ = m;
		m.kind = OMPP_MEETING_RECEIVE;
		m.key = 1000 + (uint64_t)((rank + n_ranks - 1) % n_ranks);
		m.peer = (uint32_t)((rank + n_ranks - 1) % n_ranks);
		m.begin_ns = m.post_ns = message_ns;
		m.end_ns = message_ns + EARLY_NS + 1000;
		*list++ = m;
		m.kind = OMPP_MEETING_SEND;
		m.key = 1000 + (uint64_t)rank;
		m.peer = (uint32_t)((rank + 1) % n_ranks);
		m.begin_ns = m.post_ns = message_ns + EARLY_NS; /* a call of its own, by another thread */
		m.end_ns = m.begin_ns + 100;
		*list++ = m;
	}
}

/* Gives each region one call path, with the times of a rank. */
static void make_rank(struct ompp_profile *p, uint32_t rank, uint32_t n_threads, int busy)
{
	struct ompp_cell *cells = (struct ompp_cell *)(uintptr_t)p->cells;

	p->duration_ns = 0;
	for (size_t i = 0; i < p->n_cells; i++) {
		int64_t region = 1 + (int64_t)(i / n_threads), thread = (int64_t)(i % n_threads);
		struct ompp_cell *c = &cells[i];

		c->n_exec = 1;
		c->body_ns = 1000000 * (region + thread) + 1000 * (int64_t)rank;
		c->exit_bar_ns = 2000 * (int64_t)rank;
		c->exec_ns = c->incl_ns = c->body_ns + c->exit_bar_ns;
		if (thread == (int64_t)n_threads - 1 && (busy < 0 || region < (int64_t)p->n_regions))
			p->duration_ns += c->exec_ns;
	}
	p->mpi_rank = (int)rank;
	if (busy >= 0)
		p->duration_ns += wait_for(p, busy);
	p->end_unix_ns = p->start_unix_ns + p->duration_ns;
}

/* Returns the exit status. */
static int write_ranks(int n, int n_threads, int n_regions, const char *folder, int busy, int n_meetings)
{
	struct ompp_mpi_meeting *meetings = calloc(3 * (size_t)n_meetings + 1, sizeof(*meetings));
	struct ompp_profile profile;
	struct ompp_region *regions;
	struct ompp_node *nodes;
	int rc = 0;

	example_profile(&profile);
	make_big(&profile, (uint32_t)n_regions, (uint32_t)n_threads, 1);
	regions = calloc((size_t)n_regions, sizeof(*regions));
	nodes = copy(profile.nodes, profile.n_nodes, sizeof(*nodes));
	if (!regions || !meetings)
		return 1;
	for (uint32_t i = 0; i < (uint32_t)n_regions; i++) {
		regions[i] = (struct ompp_region){ i + 1, OMPP_PARALLEL, "/src/ranks.c", 20 * i + 1, 20 * i + 15, "", 0, 0,
			                           "", "", "", 0 };
		nodes[i + 1].parent = 0;
		nodes[i + 1].region = i;
		nodes[i + 1].construct = OMPP_PARALLEL;
	}
	if (busy >= 0) {
		regions[n_regions - 1].construct = nodes[n_regions].construct = OMPP_MPI_COLLECTIVE;
		regions[n_regions - 1].name = "MPI_Barrier";
		nodes[n_regions].n_cells = 1; /* outside of teams */
	}
	profile.app = "ranks";
	profile.regions = regions;
	profile.n_regions = (size_t)n_regions;
	profile.n_cells -= busy >= 0 ? (size_t)n_threads - 1 : 0;
	profile.nodes = nodes;
	profile.mpi_size = n;
	for (int rank = 0; rank < n && !rc; rank++) {
		struct ompp_arena arena;
		char path[4096];
		int fd;

		make_rank(&profile, (uint32_t)rank, (uint32_t)n_threads, busy);
		if (n_meetings)
			make_meetings(&profile, meetings, (uint32_t)n_meetings, busy);
		snprintf(path, sizeof(path), "%s/r%d.ompp", folder, rank);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		ompp_arena_init(&arena, 0);
		rc = fd < 0 ? -1 : ompp_profile_write(&profile, fd, &arena);
		ompp_arena_fini(&arena);
		close(fd);
	}
	return rc != 0;
}

int main(int argc, char **argv)
{
	struct ompp_profile profile;
	struct ompp_arena arena;
	int rc;

	if (argc >= 6 && argc <= 8 && !strcmp(argv[1], "ranks"))
		return write_ranks(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), argv[5], argc > 6 ? atoi(argv[6]) : -1,
		                   argc > 7 ? atoi(argv[7]) : 0);

	if (argc == 2 && !strcmp(argv[1], "hostile")) {
		example_sample_profile(&profile);
		make_hostile(&profile);
	} else if (argc == 2 && !strcmp(argv[1], "names")) {
		example_sample_profile(&profile);
		make_names(&profile);
	} else if (argc == 4 && !strcmp(argv[1], "big")) {
		example_profile(&profile);
		make_big(&profile, (uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]), 0);
	} else {
		fprintf(stderr, "usage: profiles hostile | names | big PATHS THREADS | ranks N THREADS REGIONS FOLDER [RANK [MEETINGS]]\n");
		return 2;
	}
	ompp_arena_init(&arena, 0);
	rc = ompp_profile_write(&profile, STDOUT_FILENO, &arena);
	ompp_arena_fini(&arena);
	return rc != 0;
}
