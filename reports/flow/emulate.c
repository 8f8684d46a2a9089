/*
 * Emulate: emulated NUMA nodes, as a report has them: the threads are assigned to them in their order, and a page is on
 * the node of the thread that touched it first.
 */
#include <stdlib.h>

#include "reports/flow/flow.h"

enum {
	MOST_NODES = UINT16_MAX - 1,
	SMALL_PAGE = 4096,
	MOST_SMALL_PAGES = 512, /* of a huge page */
	LATE = 4                /* hooks note accesses before they happen: up to two accesses, each to two objects */
};

/* A thread, in the order of processes and, within one, of ranks; threads without a rank come last. */
struct place {
	uint32_t process, rank, thread;
};

static int emulate_compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Assigns the threads to nodes.  Returns an array of node + 1, indexed by thread + 1; NULL without memory. */
static uint16_t *emulate_deal(const struct ompp_flow *flow, uint32_t n_nodes)
{
	struct place *places = malloc((flow->n_threads + 1) * sizeof(*places));
	uint16_t *node_of = calloc(flow->n_threads + 1, sizeof(*node_of));
	size_t n = 0;

	if (!places || !node_of) {
		free(places);
		free(node_of);
		return NULL;
	}
	for (uint32_t p = 0; p < flow->n_parts; p++)
		for (uint32_t i = 0; i < flow->parts[p].process.n_threads; i++, n++)
			places[n] = (struct place){ p, flow->threads[n].rank, (uint32_t)n };
	qsort(places, n, sizeof(*places), emulate_compare);
	for (size_t i = 0; i < n; i++)
		node_of[places[i].thread + 1] = (uint16_t)((uint64_t)i * n_nodes / n + 1);
	free(places);
	return node_of;
}

/* Notes the node of a touched page, which may be a huge page.  Returns 0 or -1. */
static int note_touch(const struct ompp_flow *flow, struct ompp_flow_map *homes, const struct ompp_flow_record *r,
                      uint32_t process)
{
	uint64_t n = r->extra ? flow->extras[r->extra - 1].page_bytes / SMALL_PAGE : 1;
	uint64_t address = r->address;

	if (n > 1 && n <= MOST_SMALL_PAGES)
		address -= address % (n * SMALL_PAGE);
	else
		n = 1;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t *at = ompp_flow_map_at(homes, ompp_flow_page_key(process, address + i * SMALL_PAGE));

		if (!at)
			return -1;
		*at = r->node ? r->node : OMPP_FLOW_NONE; /* not 0, which marks free slots */
	}
	return 0;
}

/* Returns the node + 1 of the page of an access; 0 when it has not been touched yet. */
static uint16_t home_of(const struct ompp_flow *flow, const struct ompp_flow_map *homes,
                        const struct ompp_flow_record *r)
{
	uint32_t process = ompp_flow_part_of(flow, (size_t)(r - flow->records));
	uint32_t home = r->address ? ompp_flow_map_find(homes, ompp_flow_page_key(process, r->address)) + 1 : 0;

	return home == OMPP_FLOW_NONE ? 0 : (uint16_t)home;
}

/* The latest accesses of a thread: their numbers + 1. */
struct late {
	uint32_t number[LATE], at;
};

/* Sets the home of the latest accesses of the thread that touched a page: an access is noted before it happens, so its
 * time is before that of its page fault. */
static void place_late(struct ompp_flow *flow, const struct ompp_flow_map *homes, const struct late *late)
{
	for (int i = 0; i < LATE; i++) {
		struct ompp_flow_record *r = late->number[i] ? &flow->records[late->number[i] - 1] : NULL;

		if (r && !r->home)
			r->home = home_of(flow, homes, r);
	}
}

/* Gives a record its nodes.
 * late: by thread + 1 */
static int place_record(struct ompp_flow *flow, struct ompp_flow_map *homes, struct late *late, uint32_t number,
                        const uint16_t *node_of)
{
	struct ompp_flow_record *r = &flow->records[number];
	struct late *own = &late[r->thread];

	if (r->kind != OMPP_FLOW_ACCESS && r->kind != OMPP_FLOW_TOUCH && r->kind != OMPP_FLOW_MIGRATION)
		return 0;
	r->node = node_of[r->thread];
	r->home = 0;
	if (r->kind == OMPP_FLOW_MIGRATION) {
		r->of.from.node = r->node;
	} else if (r->kind == OMPP_FLOW_ACCESS) {
		r->home = home_of(flow, homes, r);
		own->number[own->at++ % LATE] = number + 1;
	} else {
		r->home = r->node;
		if (note_touch(flow, homes, r, ompp_flow_part_of(flow, number)))
			return -1;
		if (r->thread)
			place_late(flow, homes, own);
	}
	return 0;
}

int ompp_flow_emulate(struct ompp_flow *flow, uint32_t n_nodes)
{
	struct ompp_flow_map homes = { 0 };
	struct late *late;
	uint16_t *node_of;
	int rc = 0;

	if (!n_nodes || n_nodes > MOST_NODES)
		return ompp_flow_fail(OMPP_FLOW_ERROR_FORM, "that is no number of NUMA nodes; give one from 2 to 64");
	late = calloc(flow->n_threads + 1, sizeof(*late));
	node_of = late ? emulate_deal(flow, n_nodes) : NULL;
	for (size_t i = 0; node_of && i < flow->n_records && !rc; i++) {
		rc = place_record(flow, &homes, late, flow->order[i], node_of);
		ompp_flow_walked(flow, i);
	}
	if (!node_of || rc || ompp_flow_find_nodes(flow))
		rc = ompp_flow_fail(OMPP_FLOW_ERROR_MEMORY, "not enough memory for emulated NUMA nodes");
	ompp_flow_map_free(&homes);
	free(node_of);
	free(late);
	return rc;
}
