/*
 * Flow messages: see flow_messages.h.
 */
#define _GNU_SOURCE
#include "reports/traces/flow_messages.h"
#include "reports/command/arguments.h"

#include <stdlib.h>

/* ---- the ends ---- */

/* Adds an end, whose message is to or from the rank of its process. */
static int messages_add(struct ompp_flow_messages *m, const struct ompp_flow *flow, const struct ompp_flow_event *e)
{
	uint32_t process = ompp_flow_process_of(flow, e), rank = ompp_flow_process(flow, process)->mpi_rank;
	struct ompp_flow_end *end = ompp_flow_grow(&m->ends, &m->n, &m->have, sizeof(*end));

	if (!end)
		return -1;
	*end = (struct ompp_flow_end){ .time_ns = e->time_ns,
		                       .posted_ns = e->posted_ns,
		                       .bytes = e->bytes,
		                       .number = e->number,
		                       .thread = e->thread,
		                       .from = e->kind == OMPP_FLOW_SEND ? rank : e->partner,
		                       .to = e->kind == OMPP_FLOW_SEND ? e->partner : rank,
		                       .tag = e->tag,
		                       .comm = e->comm,
		                       .process = process,
		                       .other = OMPP_FLOW_NONE,
		                       .is_send = e->kind == OMPP_FLOW_SEND };
	return 0;
}

static int find_ends(struct ompp_flow_messages *m, const struct ompp_flow_look *look)
{
	const uint32_t kinds = 1u << OMPP_FLOW_SEND | 1u << OMPP_FLOW_RECEIVE;
	struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_event e;

	all.kinds = kinds;
	for (size_t at = 0; ompp_flow_next(look->flow, &all, &at, &e);)
		if (messages_add(m, look->flow, &e))
			return -1;
	for (size_t at = 0, i = 0; m->n && ompp_flow_look_next(look, &at, &e);) {
		if (!(kinds >> e.kind & 1))
			continue;
		while (m->ends[i].number != e.number) /* both are in the order of their times */
			i++;
		m->ends[i].is_meant = 1;
	}
	return 0;
}

/* ---- pairs ---- */

static int stream_compare(const struct ompp_flow_end *a, const struct ompp_flow_end *b)
{
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	return a->tag == b->tag ? 0 : a->tag < b->tag ? -1 : 1;
}

/* Orders ends by their streams, and in a stream as they were begun. */
static int end_compare(const void *x, const void *y, void *list)
{
	const struct ompp_flow_end *ends = list, *a = &ends[*(const uint32_t *)x], *b = &ends[*(const uint32_t *)y];
	int by_stream = stream_compare(a, b);

	if (by_stream)
		return by_stream;
	if (a->posted_ns != b->posted_ns)
		return a->posted_ns < b->posted_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static int is_known(const struct ompp_flow_end *e)
{
	return e->from != OMPP_FLOW_NONE && e->to != OMPP_FLOW_NONE && e->comm;
}

/* Can they be the ends of one message? */
static int may_be(const struct ompp_flow *flow, const struct ompp_flow_end *send, const struct ompp_flow_end *receive)
{
	const struct ompp_flow_process *from = ompp_flow_process(flow, send->process),
				       *to = ompp_flow_process(flow, receive->process);

	if (send->bytes != UINT64_MAX && receive->bytes != UINT64_MAX && send->bytes != receive->bytes)
		return 0;
	return from->moved_ns != to->moved_ns || send->time_ns <= receive->time_ns;
}

/* Pairs the sends and receives, which are sorted by end_compare(). */
static void pair_ends(struct ompp_flow_messages *m, const struct ompp_flow *flow, const uint32_t *sends, size_t n_sends,
                      const uint32_t *receives, size_t n_receives)
{
	const struct ompp_flow_end *wrong = NULL; /* of the stream in which no more can be paired */

	for (size_t i = 0, k = 0; i < n_sends && k < n_receives;) {
		struct ompp_flow_end *send = &m->ends[sends[i]], *receive = &m->ends[receives[k]];
		int order = stream_compare(send, receive);

		i += order <= 0;
		k += order >= 0;
		if (order || (wrong && !stream_compare(wrong, send)))
			continue;
		if (!may_be(flow, send, receive)) {
			wrong = send;
			continue;
		}
		send->other = receives[k - 1];
		receive->other = sends[i - 1];
	}
}

/* Is each rank that of one process alone?  Several programs, as MPI_Comm_spawn makes them, have ranks of one number. */
static int are_ranks_of_one(const struct ompp_flow *flow, uint8_t *is_there, size_t n)
{
	for (uint32_t i = 0; i < ompp_flow_n_processes(flow); i++) {
		uint32_t rank = ompp_flow_process(flow, i)->mpi_rank;

		if (rank < n && is_there[rank])
			return 0;
		if (rank < n)
			is_there[rank] = 1;
	}
	return 1;
}

static int find_pairs(struct ompp_flow_messages *m, const struct ompp_flow *flow)
{
	uint32_t *list = malloc((m->n + 1) * sizeof(*list)), n_ranks = 0;
	size_t n_sends = 0, n_receives = 0;
	uint8_t *is_there;

	for (uint32_t i = 0; i < ompp_flow_n_processes(flow); i++) {
		uint32_t n = ompp_flow_process(flow, i)->mpi_size;

		n_ranks = n > n_ranks ? n : n_ranks;
	}
	is_there = calloc((size_t)n_ranks + 1, 1);
	if (!list || !is_there) {
		free(list);
		free(is_there);
		return -1;
	}
	for (uint32_t i = 0; i < m->n; i++) /* sends from the front, receives from the back */
		if (is_known(&m->ends[i]))
			list[m->ends[i].is_send ? n_sends++ : m->n - ++n_receives] = i;
	if (are_ranks_of_one(flow, is_there, n_ranks)) {
		uint32_t *receives = list + m->n - n_receives;

		qsort_r(list, n_sends, sizeof(*list), end_compare, m->ends);
		qsort_r(receives, n_receives, sizeof(*list), end_compare, m->ends);
		pair_ends(m, flow, list, n_sends, receives, n_receives);
	}
	free(list);
	free(is_there);
	return 0;
}

int ompp_flow_messages_find(struct ompp_flow_messages *m, const struct ompp_flow_look *look)
{
	*m = (struct ompp_flow_messages){ 0 };
	if (find_ends(m, look) || find_pairs(m, look->flow)) {
		ompp_flow_messages_free(m);
		ompp_flow_no_memory();
		return -1;
	}
	for (size_t i = 0; i < m->n; i++)
		m->n_alone += m->ends[i].is_meant && m->ends[i].other == OMPP_FLOW_NONE;
	return 0;
}

void ompp_flow_messages_free(struct ompp_flow_messages *m)
{
	free(m->ends);
	*m = (struct ompp_flow_messages){ 0 };
}

void ompp_flow_messages_tell(const struct ompp_flow_messages *m, const char *subject)
{
	if (m->n_alone)
		ompp_complain(subject,
		              "%zu sends and receives have no other end in these traces, or one that is not known; "
		              "give "
		              "the traces of all ranks of one run",
		              m->n_alone);
}
