/*
 * Flow events: the events of a trace one by one, the pages of objects, and where threads moved.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/profile/number.h"
#include "reports/traces/flow_command.h"

enum { EVENTS_IN_PIECE = 10000 };

static const char *kind_of(const struct ompp_flow_event *e)
{
	static const char *const kinds[] = { "",          "touch", "allocation", "free", "change",
		                             "migration", "use",   "written",    "send", "receive" };

	if (e->kind == OMPP_FLOW_ACCESS)
		return e->access == OMPP_MEM_STORES ? "store" : "load";
	return kinds[e->kind];
}

static void flow_events_known(struct ompp_flow_look *look, uint64_t number)
{
	ompp_table_number(&look->table, OMPP_KIND_COUNT, number ? ompp_count(number) : OMPP_MISSING);
}

static void flow_events_address(struct ompp_flow_look *look, uint64_t number)
{
	if (number)
		ompp_flow_hex(look, number);
	else
		ompp_flow_text(look, "");
}

static void event_columns(struct ompp_flow_look *look)
{
	static const struct {
		const char *title;
		enum ompp_where where;
	} columns[] = {
		{ "time", OMPP_IN_BOTH },          { "time_ns", OMPP_IN_RECORDS },  { "thread", OMPP_IN_BOTH },
		{ "tid", OMPP_IN_RECORDS },        { "cpu", OMPP_IN_BOTH },         { "node", OMPP_IN_BOTH },
		{ "kind", OMPP_IN_BOTH },          { "ip", OMPP_IN_RECORDS },       { "line", OMPP_IN_BOTH },
		{ "function", OMPP_IN_RECORDS },   { "address", OMPP_IN_BOTH },     { "bytes", OMPP_IN_BOTH },
		{ "object", OMPP_IN_BOTH },        { "region", OMPP_IN_BOTH },      { "level", OMPP_IN_BOTH },
		{ "latency", OMPP_IN_BOTH },       { "period", OMPP_IN_RECORDS },   { "home", OMPP_IN_BOTH },
		{ "page_bytes", OMPP_IN_RECORDS }, { "physical", OMPP_IN_RECORDS }, { "data_source", OMPP_IN_RECORDS },
		{ "allocator", OMPP_IN_RECORDS },  { "from_cpu", OMPP_IN_RECORDS }, { "from_node", OMPP_IN_RECORDS },
		{ "partner", OMPP_IN_RECORDS },    { "tag", OMPP_IN_RECORDS },      { "comm", OMPP_IN_RECORDS },
		{ "posted_ns", OMPP_IN_RECORDS }
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (!strcmp(columns[i].title, "thread"))
			ompp_flow_process_column(look);
		ompp_flow_left(look, columns[i].title, columns[i].where);
	}
}

static void event_line(struct ompp_flow_look *look, const struct ompp_flow_event *e)
{
	struct ompp_flow_line line = { "", "", 0 };
	const struct ompp_flow_site *site = ompp_flow_site(look->flow, e->site);

	ompp_flow_event_line(look->flow, e, &line);
	ompp_flow_time(look, e->time_ns);
	flow_events_known(look, e->time_ns);
	ompp_flow_process_value(look, ompp_flow_process_of(look->flow, e));
	ompp_flow_thread_value(look, e->thread);
	flow_events_known(look, e->tid);
	ompp_flow_number(look, e->cpu);
	ompp_flow_number(look, e->node);
	ompp_table_text(&look->table, kind_of(e));
	flow_events_address(look, e->ip);
	ompp_table_text(&look->table, ompp_flow_line_name(look, e));
	ompp_flow_text(look, line.function);
	flow_events_address(look, e->address);
	flow_events_known(look, e->bytes == UINT64_MAX ? 0 : e->bytes);
	ompp_flow_text(look, site ? site->name : ompp_flow_objects_name(look, e));
	ompp_flow_text(look, ompp_flow_region_name(look, e->region));
	ompp_flow_text(look, e->level ? ompp_sample_stats_level_name(e->level) : "");
	flow_events_known(look, e->latency);
	flow_events_known(look, e->period);
	ompp_flow_number(look, e->home);
	flow_events_known(look, e->page_bytes);
	flow_events_address(look, e->physical);
	flow_events_address(look, e->data_source);
	ompp_flow_thread_value(look, e->allocator);
	ompp_flow_number(look, e->from_cpu);
	ompp_flow_number(look, e->from_node);
	ompp_flow_number(look, e->partner);
	ompp_table_number(&look->table, OMPP_KIND_COUNT, e->posted_ns ? ompp_count(e->tag) : OMPP_MISSING);
	flow_events_known(look, e->comm);
	flow_events_known(look, e->posted_ns);
}

/* Prints the next events, up to a limit, as a table.  Returns the exit status.
 * at: where to go on; SIZE_MAX after the last event */
static int print_events(struct ompp_flow_look *look, size_t *at, size_t most, int is_first)
{
	struct ompp_flow_event e;
	size_t n = 0;

	if (is_first)
		ompp_flow_table(look, "", "Events in the order of their times (seconds of the run):");
	else
		ompp_table_start(&look->table, look->look.is_text ? OMPP_STYLE_GRID : OMPP_STYLE_LINES, "", "");
	event_columns(look);
	while (n < most && ompp_flow_look_next(look, at, &e)) {
		event_line(look, &e);
		n++;
	}
	if (n < most)
		*at = SIZE_MAX;
	return is_first || n ? ompp_flow_print(look) : 0;
}

/* The events are printed in pieces, as one table of all may exceed the memory; for programs the pieces are one table.
 * A document gets all events as one table. */
int ompp_flow_events_view(struct ompp_flow_look *look)
{
	size_t left = look->top ? look->top : SIZE_MAX, piece = look->embed ? SIZE_MAX : EVENTS_IN_PIECE, at = 0;
	struct ompp_arena *arena = look->arena, own;
	int status = 0, is_first = 1;

	while (left && !status && at != SIZE_MAX) {
		size_t most = left < piece ? left : piece;

		if (!look->embed) {
			ompp_arena_init(&own, 0);
			look->arena = &own;
			ompp_table_init(&look->table, &own);
		}
		status = print_events(look, &at, most, is_first);
		look->arena = arena;
		if (!look->embed)
			ompp_arena_fini(&own);
		is_first = 0;
		left -= most;
	}
	if (!look->embed)
		ompp_table_init(&look->table, arena);
	return status;
}

/* ---- where threads moved ---- */

struct moves {
	uint64_t n, n_between_nodes, n_unknown, cpus_seen;
};

int ompp_flow_migrations_view(struct ompp_flow_look *look)
{
	size_t n_threads = ompp_flow_n_threads(look->flow);
	struct moves *moves = calloc(n_threads + 1, sizeof(*moves));
	struct ompp_flow_sum *on = calloc(n_threads + 1, sizeof(*on));
	struct ompp_flow_event e;
	int status;

	if (!moves || !on) {
		free(moves);
		free(on);
		ompp_complain("flow", "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	for (size_t at = 0; ompp_flow_look_next(look, &at, &e);) {
		if (e.thread >= n_threads)
			continue;
		if (e.kind == OMPP_FLOW_MIGRATION) {
			moves[e.thread].n++;
			moves[e.thread].n_unknown += e.node == OMPP_FLOW_NONE || e.from_node == OMPP_FLOW_NONE;
			moves[e.thread].n_between_nodes += e.node != OMPP_FLOW_NONE && e.from_node != OMPP_FLOW_NONE &&
			                                   e.node != e.from_node;
		} else if (e.kind == OMPP_FLOW_ACCESS && e.node != OMPP_FLOW_NONE) {
			on[e.thread].n_homed++;
			on[e.thread].n_self += e.node == ompp_flow_thread(look->flow, e.thread)->node;
			on[e.thread].sum.n++;
		}
	}
	ompp_flow_table(look, "",
	                "Threads that were found on another processor than before (seen by their samples alone, so at "
	                "least as many moves):");
	ompp_flow_process_column(look);
	ompp_flow_columns(look, OMPP_IN_BOTH, "thread", "rank", "samples", "moves", "between nodes", "most on node");
	ompp_flow_share_columns(look, "there %", "there % +-");
	for (uint32_t t = 0; t < n_threads; t++) {
		const struct ompp_flow_thread *thread = ompp_flow_thread(look->flow, t);

		if (!thread->n_accesses && !thread->n_touches)
			continue;
		ompp_flow_process_value(look, ompp_flow_process_of_thread(look->flow, t));
		ompp_flow_thread_value(look, t);
		ompp_flow_number(look, thread->rank);
		ompp_flow_count_value(look, thread->n_accesses);
		ompp_flow_count_value(look, moves[t].n);
		ompp_table_number(&look->table, OMPP_KIND_METRIC,
		                  moves[t].n_unknown ? OMPP_MISSING : ompp_count(moves[t].n_between_nodes));
		ompp_flow_number(look, thread->node);
		ompp_flow_share(look, on[t].n_self, on[t].n_homed);
	}
	status = ompp_flow_print(look);
	free(moves);
	free(on);
	return status;
}
