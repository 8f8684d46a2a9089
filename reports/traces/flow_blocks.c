/*
 * Flow blocks: see flow_blocks.h.
 */
#include "reports/traces/flow_blocks.h"

#include <stdlib.h>
#include <string.h>

static struct ompp_flow_block *flow_blocks_holding(struct ompp_treap *live, uint64_t address)
{
	struct ompp_flow_block *block = (struct ompp_flow_block *)ompp_treap_upto(live, address);

	return block && address - block->tree.key < block->bytes ? block : NULL;
}

/* Ends the live blocks of a process that overlap the memory of an event. */
static void flow_blocks_end(struct ompp_treap **live, const struct ompp_flow_event *e)
{
	uint64_t hi = e->address + (e->bytes ? e->bytes : 1);
	struct ompp_flow_block *block;

	while ((block = flow_blocks_holding(*live, e->address)) ||
	       ((block = (struct ompp_flow_block *)ompp_treap_from(*live, e->address)) && block->tree.key < hi)) {
		ompp_treap_take(live, &block->tree);
		block->ended_ns = e->time_ns;
	}
}

static int flow_blocks_begin(struct ompp_flow_blocks *b, const struct ompp_flow_event *e, uint32_t process)
{
	size_t i = b->n;
	struct ompp_flow_block **entry = ompp_flow_grow(&b->list, &b->n, &b->have, sizeof(*entry)), *block;

	block = entry ? calloc(1, sizeof(*block)) : NULL;
	if (!block)
		return -1;
	*entry = block;
	*block = (struct ompp_flow_block){ .tree = { .key = e->address },
		                           .bytes = e->bytes,
		                           .order = ++b->n_of[b->same[e->site] * b->n_processes + process],
		                           .begun_ns = e->time_ns,
		                           .site = e->site,
		                           .thread = e->thread,
		                           .process = process,
		                           .index = (uint32_t)i };
	flow_blocks_end(&b->live[process], e);
	ompp_treap_put(&b->live[process], &block->tree);
	return 0;
}

/* Events are in the order of their times, not of their numbers. */
int ompp_flow_blocks_go_on(const struct ompp_flow_look *look, struct ompp_flow_blocks *b, uint64_t until_ns)
{
	struct ompp_flow_filter filter = ompp_flow_all();
	struct ompp_flow_event e;
	size_t next = b->at;

	if (until_ns < b->next_ns)
		return 0;
	filter.kinds = 1u << OMPP_FLOW_ALLOCATION | 1u << OMPP_FLOW_FREE;
	while (ompp_flow_next(look->flow, &filter, &next, &e)) {
		uint32_t process = ompp_flow_process_of(look->flow, &e);

		b->next_ns = e.time_ns;
		if (e.time_ns > until_ns)
			return 0;
		b->at = next;
		if (e.kind == OMPP_FLOW_FREE)
			flow_blocks_end(&b->live[process], &e);
		else if (e.site < ompp_flow_n_sites(look->flow) && flow_blocks_begin(b, &e, process))
			return -1;
	}
	b->next_ns = UINT64_MAX;
	return 0;
}

struct named {
	const char *name;
	uint32_t site;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->site > y->site) - (x->site < y->site);
}

/* Finds the sites of one name.  Returns 0, or -1 without memory. */
static int find_same(const struct ompp_flow_look *look, struct ompp_flow_blocks *b)
{
	size_t n = ompp_flow_n_sites(look->flow);
	struct named *all = calloc(n + 1, sizeof(*all));

	b->same = calloc(n + 1, sizeof(*b->same));
	if (!all || !b->same) {
		free(all);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		all[i] = (struct named){ ompp_flow_site(look->flow, (uint32_t)i)->name, (uint32_t)i };
	qsort(all, n, sizeof(*all), by_name);
	for (size_t i = 0; i < n; i++) {
		int is_same = i && !strcmp(all[i].name, all[i - 1].name);

		b->same[all[i].site] = is_same ? b->same[all[i - 1].site] : all[i].site;
	}
	free(all);
	return 0;
}

int ompp_flow_blocks_start(const struct ompp_flow_look *look, struct ompp_flow_blocks *b)
{
	*b = (struct ompp_flow_blocks){ .n_processes = ompp_flow_n_processes(look->flow) };
	b->live = calloc(b->n_processes, sizeof(*b->live));
	b->n_of = calloc((ompp_flow_n_sites(look->flow) + 1) * b->n_processes, sizeof(*b->n_of));
	return !b->live || !b->n_of || find_same(look, b) ? -1 : 0;
}

struct ompp_flow_block *ompp_flow_block_at(const struct ompp_flow_blocks *b, uint32_t process, uint64_t address)
{
	return flow_blocks_holding(b->live[process], address);
}

void ompp_flow_blocks_drop(struct ompp_flow_blocks *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->list[i]);
	free(b->list);
	free(b->live);
	free(b->n_of);
	free(b->same);
}
