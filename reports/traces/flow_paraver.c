/*
 * Flow paraver: a trace as files of Paraver (its "Tracefile Description"): .prv has the records in the order of their
 * times, .pcf the words for their numbers, .row the names of ranks and threads.
 *
 * A process is a task, in the order of the ranks.  The trace does not say which processors threads ran on all the
 * time, so each thread has a processor of its own.  Times are ns of the run, which starts at 0.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "reports/flow/room.h"
#include "reports/traces/flow_command.h"
#include "reports/traces/flow_messages.h"

/* Types of events.  Those of MPI are Paraver's usual ones. */
enum type { IN_POINT, IN_COLLECTIVE, IN_OTHER, IN_REGION, N_TYPES };
static const struct {
	uint32_t number;
	const char *label;
} types[N_TYPES] = { [IN_POINT] = { 50000001, "MPI Point-to-point" },
	             [IN_COLLECTIVE] = { 50000002, "MPI Collective Comm" },
	             [IN_OTHER] = { 50000003, "MPI Other" },
	             [IN_REGION] = { 90000001, "Parallel or user region" } };

enum state { OUTSIDE, IN_A_REGION, IN_MPI, N_STATES };
static const struct {
	const char *label, *color;
} states[N_STATES] = { [OUTSIDE] = { "Outside of regions", "{117,195,255}" },
	               [IN_A_REGION] = { "In a parallel or user region", "{0,0,255}" },
	               [IN_MPI] = { "In MPI", "{255,146,24}" } };

/* What a region of the trace is in Paraver: a value of each type. */
struct value {
	uint32_t of[N_TYPES];
	enum state state;
};

struct paraver {
	const struct ompp_flow_look *look;
	const struct ompp_flow *flow;
	uint64_t start_ns, end_ns;
	uint32_t *tasks;      /* by process, from 1 on; 0 for those that are not meant */
	uint32_t *processes;  /* by task - 1 */
	uint32_t *cpus;       /* by thread, from 1 on; 0 for those that are not meant */
	uint32_t *inside;     /* by thread: the region in which it is */
	struct value *values; /* by region */
	const char **labels[N_TYPES];
	uint32_t n_labels[N_TYPES], n_tasks, n_cpus;
	struct ompp_flow_room ends; /* by change, in the order of their times: when the thread changed again */
	struct ompp_flow_messages messages;
	FILE *out;
};

/* ---- values ---- */

static enum type type_of(const struct ompp_flow_region *r)
{
	if (!strcmp(r->construct, "MPI POINT TO POINT") || !strcmp(r->construct, "MPI WAIT"))
		return IN_POINT;
	if (!strcmp(r->construct, "MPI COLLECTIVE"))
		return IN_COLLECTIVE;
	return strncmp(r->construct, "MPI ", 4) ? IN_REGION : IN_OTHER;
}

/* Returns the name that the viewer shows. */
static const char *label_of(const struct paraver *p, const struct ompp_flow_region *r)
{
	const char *base = strrchr(r->file, '/');
	size_t n = strlen(r->construct) + strlen(r->name) + strlen(r->file) + 16;
	char *label = ompp_arena_alloc(p->look->arena, n);

	if (!label)
		return NULL;
	if (type_of(r) == IN_REGION)
		snprintf(label, n, "%s %s%s%s:%" PRIu32, r->construct, r->name, r->name[0] ? " " : "",
		         base ? base + 1 : r->file, r->begin_line);
	else
		snprintf(label, n, "%s", r->name);
	for (char *at = label; *at; at++) /* a label is a line */
		*at = (unsigned char)*at < ' ' ? '?' : *at;
	return label;
}

/* Returns the number of a label; 0 without memory. */
static uint32_t number_of(struct paraver *p, enum type type, const char *label)
{
	uint32_t i = 0;

	while (i < p->n_labels[type] && strcmp(p->labels[type][i], label))
		i++;
	if (i == p->n_labels[type])
		p->labels[type][p->n_labels[type]++] = label;
	return i + 1;
}

/* Parents come before what is in them, so a region begins with the values of the one around it. */
static int make_values(struct paraver *p)
{
	size_t n = ompp_flow_n_regions(p->flow);

	p->values = ompp_arena_alloc(p->look->arena, (n + 1) * sizeof(*p->values));
	for (int t = 0; t < N_TYPES; t++)
		p->labels[t] = ompp_arena_alloc(p->look->arena, (n + 1) * sizeof(*p->labels[t]));
	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_flow_region *r = ompp_flow_region(p->flow, i);
		const char *label = label_of(p, r);
		enum type type = type_of(r);

		if (!p->values || !p->labels[type] || !label)
			return -1;
		p->values[i] = r->parent < i ? p->values[r->parent] : (struct value){ { 0 }, OUTSIDE };
		p->values[i].of[type] = number_of(p, type, label);
		p->values[i].state = type == IN_REGION ? IN_A_REGION : IN_MPI;
	}
	return p->values ? 0 : -1;
}

static const struct value *value_in(const struct paraver *p, uint32_t region)
{
	static const struct value outside;

	return region < ompp_flow_n_regions(p->flow) ? &p->values[region] : &outside;
}

/* ---- tasks ---- */

static int is_before(const struct paraver *p, uint32_t a, uint32_t b)
{
	uint32_t x = ompp_flow_process(p->flow, a)->mpi_rank, y = ompp_flow_process(p->flow, b)->mpi_rank;

	return x != y ? x < y : a < b;
}

static int make_tasks(struct paraver *p)
{
	size_t n = ompp_flow_n_processes(p->flow), n_threads = ompp_flow_n_threads(p->flow);

	p->tasks = ompp_arena_alloc(p->look->arena, n * sizeof(*p->tasks));
	p->processes = ompp_arena_alloc(p->look->arena, n * sizeof(*p->processes));
	p->cpus = ompp_arena_alloc(p->look->arena, (n_threads + 1) * sizeof(*p->cpus));
	p->inside = ompp_arena_alloc(p->look->arena, (n_threads + 1) * sizeof(*p->inside));
	if (!p->tasks || !p->processes || !p->cpus || !p->inside)
		return -1;
	memset(p->inside, 0xff, n_threads * sizeof(*p->inside));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = p->n_tasks;

		if (p->look->processes && !p->look->processes[i])
			continue;
		for (; at && is_before(p, i, p->processes[at - 1]); at--)
			p->processes[at] = p->processes[at - 1];
		p->processes[at] = i;
		p->n_tasks++;
	}
	for (uint32_t task = 0; task < p->n_tasks; task++) {
		const struct ompp_flow_process *process = ompp_flow_process(p->flow, p->processes[task]);

		p->tasks[p->processes[task]] = task + 1;
		for (uint32_t k = 0; k < process->n_threads; k++)
			if (ompp_flow_is_thread_meant(p->look, process->first_thread + k))
				p->cpus[process->first_thread + k] = ++p->n_cpus;
	}
	return 0;
}

static uint32_t n_threads_of(const struct paraver *p, uint32_t task)
{
	uint32_t n = ompp_flow_process(p->flow, p->processes[task])->n_threads;

	return n ? n : 1; /* a task has one at least */
}

/* ---- records ---- */

static uint64_t time_in(const struct paraver *p, uint64_t time_ns)
{
	return time_ns > p->start_ns ? time_ns - p->start_ns : 0;
}

/* Writes the processor, application, task and thread of a record. */
static void put_place(const struct paraver *p, uint32_t thread)
{
	uint32_t process = ompp_flow_process_of_thread(p->flow, thread);

	fprintf(p->out, "%" PRIu32 ":1:%" PRIu32 ":%" PRIu32, p->cpus[thread], p->tasks[process],
	        thread - ompp_flow_process(p->flow, process)->first_thread + 1);
}

static void put_state(const struct paraver *p, uint32_t thread, uint64_t begin_ns, uint64_t end_ns, enum state state)
{
	if (end_ns <= begin_ns)
		return;
	fputs("1:", p->out);
	put_place(p, thread);
	fprintf(p->out, ":%" PRIu64 ":%" PRIu64 ":%d\n", time_in(p, begin_ns), time_in(p, end_ns), (int)state);
}

/* Writes the values that differ from those of the region before. */
static void put_change(const struct paraver *p, uint32_t thread, uint64_t time_ns, uint32_t region)
{
	const struct value *before = value_in(p, p->inside[thread]), *now = value_in(p, region);
	int is_first = 1;

	for (int t = 0; t < N_TYPES; t++) {
		if (before->of[t] == now->of[t])
			continue;
		if (is_first) {
			fputs("2:", p->out);
			put_place(p, thread);
			fprintf(p->out, ":%" PRIu64, time_in(p, time_ns));
		}
		fprintf(p->out, ":%" PRIu32 ":%" PRIu32, types[t].number, now->of[t]);
		is_first = 0;
	}
	if (!is_first)
		fputc('\n', p->out);
	p->inside[thread] = region;
}

static int is_shown(const struct paraver *p, uint32_t thread)
{
	return thread != OMPP_FLOW_NONE && p->cpus[thread];
}

/* Writes the messages that were sent until a time. */
static void put_messages(struct paraver *p, size_t *at, uint64_t until_ns)
{
	for (; *at < p->messages.n && p->messages.ends[*at].time_ns <= until_ns; ++*at) {
		const struct ompp_flow_end *send = &p->messages.ends[*at], *receive;

		if (!send->is_send || send->other == OMPP_FLOW_NONE || send->bytes == UINT64_MAX)
			continue;
		receive = &p->messages.ends[send->other];
		if (!is_shown(p, send->thread) || !is_shown(p, receive->thread))
			continue;
		fputs("3:", p->out);
		put_place(p, send->thread);
		fprintf(p->out, ":%" PRIu64 ":%" PRIu64 ":", time_in(p, send->time_ns), time_in(p, send->time_ns));
		put_place(p, receive->thread);
		fprintf(p->out, ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu32 "\n", time_in(p, receive->posted_ns),
		        time_in(p, receive->time_ns), send->bytes, send->tag);
	}
}

static struct ompp_flow_filter changes_of(const struct paraver *p)
{
	struct ompp_flow_filter f = ompp_flow_all();

	f.kinds = 1u << OMPP_FLOW_CHANGE;
	f.thread = p->look->filter.thread;
	return f;
}

static int is_change(const struct paraver *p, const struct ompp_flow_event *e)
{
	return is_shown(p, e->thread) && e->time_ns;
}

/* Finds when each change ends, and the end of the trace. */
static int find_ends(struct paraver *p)
{
	struct ompp_flow_filter changes = changes_of(p);
	size_t n_threads = ompp_flow_n_threads(p->flow), n = 0;
	size_t *last = ompp_arena_alloc(p->look->arena, (n_threads + 1) * sizeof(*last));
	struct ompp_flow_event e;

	for (uint32_t t = 0; t < n_threads; t++) {
		uint64_t last_ns = ompp_flow_last_ns(p->flow, t);

		p->end_ns = last_ns > p->end_ns ? last_ns : p->end_ns;
	}
	if (!last || ompp_flow_room_grow(&p->ends, (ompp_flow_info(p->flow)->n_events + 1) * sizeof(uint64_t)))
		return -1;
	for (size_t at = 0; ompp_flow_next(p->flow, &changes, &at, &e);) {
		if (!is_change(p, &e))
			continue;
		if (last[e.thread])
			((uint64_t *)p->ends.at)[last[e.thread] - 1] = e.time_ns;
		((uint64_t *)p->ends.at)[n] = ompp_flow_last_ns(p->flow, e.thread);
		last[e.thread] = ++n;
	}
	return 0;
}

/* Where the first thread of a process is from its start on, before its first change. */
struct begin {
	uint64_t begin_ns, end_ns;
	uint32_t thread;
};

static int begin_compare(const void *x, const void *y)
{
	const struct begin *a = x, *b = y;

	return a->begin_ns != b->begin_ns ? (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns)
	                                  : (a->thread > b->thread) - (a->thread < b->thread);
}

/* Finds them, in the order of their times.  Returns NULL without memory. */
static struct begin *find_begins(const struct paraver *p)
{
	struct begin *begins = ompp_arena_alloc(p->look->arena, (p->n_tasks + 1) * sizeof(*begins));
	struct ompp_flow_filter changes = changes_of(p);
	struct ompp_flow_event e;

	for (uint32_t task = 0; begins && task < p->n_tasks; task++) {
		const struct ompp_flow_process *process = ompp_flow_process(p->flow, p->processes[task]);
		uint64_t begin_ns = process->info.start_ns + (uint64_t)process->moved_ns;

		begins[task] = (struct begin){ begin_ns, begin_ns, process->first_thread };
		if (process->n_threads)
			begins[task].end_ns = ompp_flow_last_ns(p->flow, process->first_thread);
	}
	for (size_t at = 0, n = 0; begins && n < p->n_tasks && ompp_flow_next(p->flow, &changes, &at, &e);) {
		struct begin *begin;
		uint32_t process;

		if (!is_change(p, &e))
			continue;
		process = ompp_flow_process_of_thread(p->flow, e.thread);
		begin = &begins[p->tasks[process] - 1];
		if (begin->thread != e.thread || begin->end_ns < e.time_ns)
			continue;
		if (begin->end_ns > e.time_ns)
			n++;
		begin->end_ns = e.time_ns;
	}
	if (begins)
		qsort(begins, p->n_tasks, sizeof(*begins), begin_compare);
	return begins;
}

static void put_begins(const struct paraver *p, const struct begin *begins, size_t *at, uint64_t until_ns)
{
	for (; *at < p->n_tasks && begins[*at].begin_ns <= until_ns; ++*at)
		if (is_shown(p, begins[*at].thread))
			put_state(p, begins[*at].thread, begins[*at].begin_ns, begins[*at].end_ns, OUTSIDE);
}

static int put_records(struct paraver *p)
{
	struct ompp_flow_filter changes = changes_of(p);
	const struct begin *begins = find_begins(p);
	size_t i = 0, n_begun = 0, n_sent = 0;
	struct ompp_flow_event e;

	if (!begins)
		return -1;
	for (size_t at = 0; ompp_flow_next(p->flow, &changes, &at, &e);) {
		if (!is_change(p, &e))
			continue;
		put_begins(p, begins, &n_begun, e.time_ns);
		put_messages(p, &n_sent, e.time_ns);
		put_state(p, e.thread, e.time_ns, ((const uint64_t *)p->ends.at)[i++], value_in(p, e.region)->state);
		put_change(p, e.thread, e.time_ns, e.region);
	}
	put_begins(p, begins, &n_begun, UINT64_MAX);
	put_messages(p, &n_sent, UINT64_MAX);
	for (uint32_t thread = 0; thread < ompp_flow_n_threads(p->flow); thread++)
		if (p->cpus[thread])
			put_change(p, thread, p->end_ns, OMPP_FLOW_NONE);
	return 0;
}

/* ---- the files ---- */

static int write_prv(struct paraver *p)
{
	time_t when = (time_t)(ompp_flow_info(p->flow)->start_unix_ns / 1000000000);
	struct tm t;
	char date[32];

	strftime(date, sizeof(date), "%d/%m/%y at %H:%M", localtime_r(&when, &t));
	fprintf(p->out, "#Paraver (%s):%" PRIu64 "_ns:1(%" PRIu32 "):1:%" PRIu32 "(", date, time_in(p, p->end_ns),
	        p->n_cpus ? p->n_cpus : 1, p->n_tasks);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		fprintf(p->out, "%s%" PRIu32 ":1", i ? "," : "", n_threads_of(p, i));
	fputs(")\n", p->out);
	return put_records(p);
}

static int write_pcf(struct paraver *p)
{
	fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\n\n"
	      "DEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\n\nSTATES\n",
	      p->out);
	for (int i = 0; i < N_STATES; i++)
		fprintf(p->out, "%d    %s\n", i, states[i].label);
	fputs("\n\nSTATES_COLOR\n", p->out);
	for (int i = 0; i < N_STATES; i++)
		fprintf(p->out, "%d    %s\n", i, states[i].color);
	for (int t = 0; t < N_TYPES; t++) {
		fprintf(p->out, "\n\nEVENT_TYPE\n0    %" PRIu32 "    %s\nVALUES\n0      End\n", types[t].number,
		        types[t].label);
		for (uint32_t i = 0; i < p->n_labels[t]; i++)
			fprintf(p->out, "%" PRIu32 "      %s\n", i + 1, p->labels[t][i]);
	}
	return 0;
}

static int write_row(struct paraver *p)
{
	uint32_t n_threads = 0;

	for (uint32_t i = 0; i < p->n_tasks; i++)
		n_threads += n_threads_of(p, i);
	fprintf(p->out, "LEVEL TASK SIZE %" PRIu32 "\n", p->n_tasks);
	for (uint32_t i = 0; i < p->n_tasks; i++) {
		const struct ompp_flow_process *process = ompp_flow_process(p->flow, p->processes[i]);

		if (process->mpi_rank == OMPP_FLOW_NONE)
			fprintf(p->out, "PROCESS %" PRIu32 "\n", process->info.pid);
		else
			fprintf(p->out, "RANK %" PRIu32 "\n", process->mpi_rank);
	}
	fprintf(p->out, "\nLEVEL THREAD SIZE %" PRIu32 "\n", n_threads);
	for (uint32_t i = 0; i < p->n_tasks; i++)
		for (uint32_t k = 0; k < n_threads_of(p, i); k++)
			fprintf(p->out, "THREAD 1.%" PRIu32 ".%" PRIu32 "\n", i + 1, k + 1);
	return 0;
}

/* Writes one of the files, which must not be there.  Returns the exit status. */
static int write_file(struct paraver *p, const char *path, int (*write_it)(struct paraver *p))
{
	int error = 0;

	p->out = fopen(path, "wxe");
	if (!p->out) {
		ompp_complain(path, "cannot be made: %s; give the name of a file that does not exist", strerror(errno));
		return OMPP_EXIT_FAILED;
	}
	if (write_it(p))
		error = ENOMEM;
	errno = 0;
	if ((fflush(p->out) || ferror(p->out)) && !error)
		error = errno ? errno : EIO;
	if (fclose(p->out) && !error)
		error = errno;
	if (!error)
		return 0;
	ompp_complain(path, "cannot be written: %s", strerror(error));
	unlink(path);
	return OMPP_EXIT_FAILED;
}

int ompp_flow_paraver(const struct ompp_flow_look *look, const char *path)
{
	static const struct {
		const char *suffix;
		int (*write_it)(struct paraver *p);
	} files[] = { { ".prv", write_prv }, { ".pcf", write_pcf }, { ".row", write_row } };
	struct paraver p = { .look = look, .flow = look->flow, .start_ns = ompp_flow_info(look->flow)->start_ns };
	size_t n_stem = strlen(path);
	char *name = ompp_arena_alloc(look->arena, n_stem + 8);
	int status = 0;

	if (n_stem > 4 && !strcmp(path + n_stem - 4, ".prv"))
		n_stem -= 4;
	if (!name || make_tasks(&p) || make_values(&p) || find_ends(&p)) {
		ompp_flow_room_free(&p.ends);
		return ompp_flow_no_memory();
	}
	if (ompp_flow_messages_find(&p.messages, look))
		status = OMPP_EXIT_FAILED;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !status; i++) {
		snprintf(name, n_stem + 8, "%.*s%s", (int)n_stem, path, files[i].suffix);
		status = write_file(&p, name, files[i].write_it);
	}
	if (!status)
		ompp_flow_messages_tell(&p.messages, path);
	ompp_flow_messages_free(&p.messages);
	ompp_flow_room_free(&p.ends);
	return status;
}
