/*
 * Flow chrome: a trace as the Trace Event Format, which Chrome's chrome://tracing and Perfetto show: the regions of
 * each thread as bars, what it did in them as marks, and messages of MPI as arrows.
 *
 * Times are microseconds of the run with three decimals.  Viewers sort by time, so all regions are written first, then
 * all marks, and then all arrows.  An arrow goes from the bar of the call that sends to that which finds the message
 * complete.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/analysis/sample_stats.h"
#include "reports/exchange/quote.h"
#include "reports/traces/flow_command.h"
#include "reports/traces/flow_messages.h"

struct chrome {
	const struct ompp_flow_look *look;
	const struct ompp_flow_info *info;
	FILE *out;
	int n;            /* events written */
	uint32_t *inside; /* by thread: the region in which it is */
	uint64_t n_timeless;
};

static void put_bytes(void *out, const char *bytes, size_t n_bytes)
{
	fwrite(bytes, 1, n_bytes, out);
}

static void put_text(struct chrome *c, const char *key, const char *text)
{
	fprintf(c->out, "\"%s\":", key);
	ompp_json_quote(text, put_bytes, c->out);
}

/* Returns the number of a process: its pid or, if another process of the trace has the same, a number that is no valid
 * pid. */
static uint32_t pid_of(const struct chrome *c, uint32_t process)
{
	const struct ompp_flow_process *p = ompp_flow_process(c->look->flow, process);

	if (c->look->process_names && strchr(c->look->process_names[process], '#'))
		return (UINT32_C(1) << 30) + process;
	return p ? p->info.pid : 0;
}

static uint32_t pid_of_thread(const struct chrome *c, uint32_t thread)
{
	return pid_of(c, ompp_flow_process_of_thread(c->look->flow, thread));
}

/* Begins an event of a thread, which the caller ends by "}". */
static void flow_chrome_begin(struct chrome *c, const char *phase, uint32_t thread, uint64_t time_ns)
{
	uint64_t ns = time_ns > c->info->start_ns ? time_ns - c->info->start_ns : 0;

	fprintf(c->out, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03u,",
	        c->n++ ? "," : "", phase, pid_of_thread(c, thread), thread, ns / 1000, (unsigned int)(ns % 1000));
}

static void put_threads(struct chrome *c, const struct ompp_flow_process *process, uint32_t pid)
{
	for (uint32_t k = 0; k < process->n_threads; k++) {
		uint32_t i = process->first_thread + k;
		const struct ompp_flow_thread *t = ompp_flow_thread(c->look->flow, i);

		fprintf(c->out,
		        "%s\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
		        ",\"name\":\"thread_name\",\"args\":{\"name\":\"thread %" PRIu32,
		        c->n++ ? "," : "", pid, i, k);
		if (t->tid)
			fprintf(c->out, " (tid %" PRIu32 ")", t->tid);
		fputs("\"}}", c->out);
	}
}

/* Ranks stand in their order, and are named as such. */
static void put_process(struct chrome *c, const struct ompp_flow_process *process, uint32_t pid)
{
	char *name = NULL;

	if (process->mpi_rank == OMPP_FLOW_NONE ||
	    asprintf(&name, "rank %" PRIu32 " (%s)", process->mpi_rank, process->info.app) < 0)
		name = NULL;
	put_threads(c, process, pid);
	fprintf(c->out, "%s\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"name\":\"process_name\",\"args\":{", c->n++ ? "," : "",
	        pid);
	put_text(c, "name", name ? name : process->info.app);
	fputs("}}", c->out);
	if (process->mpi_rank != OMPP_FLOW_NONE)
		fprintf(c->out,
		        ",\n{\"ph\":\"M\",\"pid\":%" PRIu32
		        ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
		        pid, process->mpi_rank);
	free(name);
}

static void put_processes(struct chrome *c)
{
	for (uint32_t p = 0; p < ompp_flow_n_processes(c->look->flow); p++)
		put_process(c, ompp_flow_process(c->look->flow, p), pid_of(c, p));
}

static void put_region(struct chrome *c, const char *phase, uint32_t thread, uint64_t time_ns, uint32_t region)
{
	const struct ompp_flow_region *r = ompp_flow_region(c->look->flow, region);
	const char *base = strrchr(r->file, '/');
	char *name = NULL;

	flow_chrome_begin(c, phase, thread, time_ns);
	if (asprintf(&name, "%s %s%s%s:%" PRIu32, r->construct, r->name, r->name[0] ? " " : "",
	             base ? base + 1 : r->file, r->begin_line) < 0)
		name = NULL;
	put_text(c, "name", name ? name : r->construct);
	free(name);
	fputs(",\"cat\":\"region\"}", c->out);
}

/* Begins the regions from the one within `outer` to `region`. */
static void flow_chrome_enter(struct chrome *c, uint32_t thread, uint64_t time_ns, uint32_t region, uint32_t outer)
{
	if (region == outer || !ompp_flow_region(c->look->flow, region))
		return;
	flow_chrome_enter(c, thread, time_ns, ompp_flow_region(c->look->flow, region)->parent, outer);
	put_region(c, "B", thread, time_ns, region);
}

/* Moves a thread from the region in which it is to another one. */
static void flow_chrome_change(struct chrome *c, uint32_t thread, uint64_t time_ns, uint32_t region)
{
	uint32_t at = c->inside[thread];

	while (ompp_flow_region(c->look->flow, at) &&
	       (region == OMPP_FLOW_NONE || !ompp_flow_is_within(c->look->flow, region, at))) {
		put_region(c, "E", thread, time_ns, at);
		at = ompp_flow_region(c->look->flow, at)->parent;
	}
	flow_chrome_enter(c, thread, time_ns, region, at);
	c->inside[thread] = region;
}

static void put_regions(struct chrome *c)
{
	struct ompp_flow_filter changes = ompp_flow_all();
	struct ompp_flow_event e;

	changes.kinds = 1u << OMPP_FLOW_CHANGE;
	changes.thread = c->look->filter.thread;
	for (size_t at = 0; ompp_flow_next(c->look->flow, &changes, &at, &e);)
		if (e.thread < ompp_flow_n_threads(c->look->flow) && e.time_ns &&
		    ompp_flow_is_thread_meant(c->look, e.thread))
			flow_chrome_change(c, e.thread, e.time_ns, e.region);
	for (uint32_t i = 0; i < ompp_flow_n_threads(c->look->flow); i++)
		if (c->inside[i] != OMPP_FLOW_NONE) /* still open at the end of the trace */
			flow_chrome_change(c, i, ompp_flow_last_ns(c->look->flow, i), OMPP_FLOW_NONE);
}

static const char *kind_of(const struct ompp_flow_event *e)
{
	static const char *const kinds[OMPP_FLOW_N_KINDS] = { "",          "touch", "allocation", "free", "change",
		                                              "migration", "use",   "written",    "send", "receive" };

	if (e->kind == OMPP_FLOW_ACCESS)
		return e->access == OMPP_MEM_STORES ? "store" : "load";
	return kinds[e->kind];
}

/* Writes a mark, with what is known of it. */
static void put_mark(struct chrome *c, const struct ompp_flow_event *e)
{
	struct ompp_flow_line line = { "", "", 0 };

	flow_chrome_begin(c, "i", e->thread, e->time_ns);
	fprintf(c->out, "\"s\":\"t\",\"name\":\"%s\",\"cat\":\"%s\",\"args\":{\"number\":%" PRIu32, kind_of(e),
	        kind_of(e), e->number);
	if (e->n_objects) {
		fputc(',', c->out);
		put_text(c, "object", ompp_flow_objects_name(c->look, e));
	}
	if (e->address)
		fprintf(c->out, ",\"address\":\"0x%" PRIx64 "\"", e->address);
	if (e->bytes && e->bytes != UINT64_MAX)
		fprintf(c->out, ",\"bytes\":\"%" PRIu64 "\"", e->bytes);
	if (e->partner != OMPP_FLOW_NONE)
		fprintf(c->out, ",\"partner\":%" PRIu32 ",\"tag\":%" PRIu32, e->partner, e->tag);
	if (e->latency)
		fprintf(c->out, ",\"latency\":%" PRIu32, e->latency);
	if (e->kind == OMPP_FLOW_ACCESS && e->level) {
		fputc(',', c->out);
		put_text(c, "level", ompp_sample_stats_level_name(e->level));
	}
	if (e->cpu != OMPP_FLOW_NONE)
		fprintf(c->out, ",\"cpu\":%" PRIu32, e->cpu);
	if (e->ip && !ompp_flow_event_line(c->look->flow, e, &line)) {
		fputc(',', c->out);
		put_text(c, "function", line.function);
		fputc(',', c->out);
		put_text(c, "file", line.file);
		fprintf(c->out, ",\"line\":%" PRIu32, line.line);
	}
	fputs("}}", c->out);
}

static void put_marks(struct chrome *c)
{
	struct ompp_flow_event e;

	for (size_t at = 0; ompp_flow_look_next(c->look, &at, &e);) {
		if (e.kind == OMPP_FLOW_CHANGE)
			continue;
		if (e.thread == OMPP_FLOW_NONE || !e.time_ns)
			c->n_timeless++;
		else
			put_mark(c, &e);
	}
}

static void put_end(struct chrome *c, const char *phase, const struct ompp_flow_end *end, size_t id)
{
	flow_chrome_begin(c, phase, end->thread, end->time_ns);
	fprintf(c->out, "\"name\":\"message\",\"cat\":\"message\",\"id\":%zu%s,\"args\":{\"tag\":%" PRIu32, id,
	        end->is_send ? "" : ",\"bp\":\"e\"", end->tag);
	if (end->bytes != UINT64_MAX)
		fprintf(c->out, ",\"bytes\":\"%" PRIu64 "\"", end->bytes);
	fputs("}}", c->out);
}

/* Writes an arrow for each message of which both ends are meant. */
static void put_arrows(struct chrome *c, const struct ompp_flow_messages *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct ompp_flow_end *send = &m->ends[i], *receive;

		if (!send->is_send || !send->is_meant || send->other == OMPP_FLOW_NONE)
			continue;
		receive = &m->ends[send->other];
		if (!receive->is_meant || send->thread == OMPP_FLOW_NONE || receive->thread == OMPP_FLOW_NONE)
			continue;
		put_end(c, "s", send, i);
		put_end(c, "f", receive, i);
	}
}

int ompp_flow_chrome(const struct ompp_flow_look *look, const char *path)
{
	size_t n_threads = ompp_flow_n_threads(look->flow);
	struct chrome c = { .look = look, .info = ompp_flow_info(look->flow) };
	struct ompp_flow_messages messages;
	int error = 0;

	c.inside = ompp_arena_alloc(look->arena, (n_threads + 1) * sizeof(*c.inside));
	if (!c.inside) {
		ompp_complain(path, "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	memset(c.inside, 0xff, n_threads * sizeof(*c.inside));
	if (ompp_flow_messages_find(&messages, look))
		return OMPP_EXIT_FAILED;
	c.out = fopen(path, "wxe"); /* never overwrite a file, least of all the trace */
	if (!c.out) {
		ompp_complain(path, "cannot be made: %s; give the name of a file that does not exist", strerror(errno));
		ompp_flow_messages_free(&messages);
		return OMPP_EXIT_FAILED;
	}
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", c.out);
	put_processes(&c);
	put_regions(&c);
	put_marks(&c);
	put_arrows(&c, &messages);
	ompp_flow_messages_tell(&messages, path);
	ompp_flow_messages_free(&messages);
	fputs("\n]}\n", c.out);
	errno = 0;
	error = fflush(c.out) || ferror(c.out) ? errno ? errno : EIO : 0;
	if (fclose(c.out) && !error)
		error = errno;
	if (error) {
		ompp_complain(path, "cannot be written: %s", strerror(error));
		unlink(path);
		return OMPP_EXIT_FAILED;
	}
	if (c.n_timeless)
		ompp_complain(path, "%" PRIu64 " events without a time or a thread are left out", c.n_timeless);
	return 0;
}
