/*
 * Flow instances: which of the blocks that one call path allocated have most sampled accesses.
 *
 * Allocations, frees and accesses are gone through in the order of their times; a tree for each process holds the
 * blocks that live, as processes have others at the same address.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/ompp/flow.h"
#include "runtime/base/treap.h"

enum { FEW = 40 }; /* lines, where --top says nothing */

struct block {
	struct ompp_treap tree; /* by the address; first, so that the tree's address is the block's */
	uint64_t bytes, order, begun_ns, ended_ns;
	uint32_t site, thread, process, index;
};

struct blocks {
	size_t n_processes;
	struct ompp_treap **live; /* by process */
	struct block **list;      /* by index */
	size_t n, have;
	uint32_t *same;             /* by site: the first one of the same name, as compilers copy calls */
	uint64_t *n_of;             /* by the first site of its name, and process */
	struct ompp_flow_sums sums; /* by index */
	size_t at;                  /* how far allocations and frees were gone through */
};

static struct block *holding(struct ompp_treap *live, uint64_t address)
{
	struct block *block = (struct block *)ompp_treap_upto(live, address);

	return block && address - block->tree.key < block->bytes ? block : NULL;
}

/* Ends the blocks of a process that meet the memory of an event. */
static void end(struct ompp_treap **live, const struct ompp_flow_event *e)
{
	uint64_t hi = e->address + (e->bytes ? e->bytes : 1);
	struct block *block;

	while ((block = holding(*live, e->address)) ||
	       ((block = (struct block *)ompp_treap_from(*live, e->address)) && block->tree.key < hi)) {
		ompp_treap_take(live, &block->tree);
		block->ended_ns = e->time_ns;
	}
}

static int begin(struct blocks *b, const struct ompp_flow_event *e, uint32_t process)
{
	size_t i = b->n;
	struct block **entry = ompp_flow_grow(&b->list, &b->n, &b->have, sizeof(*entry)), *block;

	block = entry ? calloc(1, sizeof(*block)) : NULL;
	if (!block)
		return -1;
	*entry = block;
	*block = (struct block){ .tree = { .key = e->address },
		                 .bytes = e->bytes,
		                 .order = ++b->n_of[b->same[e->site] * b->n_processes + process],
		                 .begun_ns = e->time_ns,
		                 .site = e->site,
		                 .thread = e->thread,
		                 .process = process,
		                 .index = (uint32_t)i };
	end(&b->live[process], e);
	ompp_treap_put(&b->live[process], &block->tree);
	return 0;
}

/* Goes through the allocations and frees up to a time.  (Events are in the order of their times, not of their numbers.)
 */
static int go_on(const struct ompp_flow_look *look, struct blocks *b, uint64_t until_ns)
{
	struct ompp_flow_filter filter = ompp_flow_all();
	struct ompp_flow_event e;
	size_t next = b->at;

	filter.kinds = 1u << OMPP_FLOW_ALLOCATION | 1u << OMPP_FLOW_FREE;
	while (ompp_flow_next(look->flow, &filter, &next, &e) && e.time_ns <= until_ns) {
		uint32_t process = ompp_flow_process_of(look->flow, &e);

		b->at = next;
		if (e.kind == OMPP_FLOW_FREE)
			end(&b->live[process], &e);
		else if (e.site < ompp_flow_n_sites(look->flow) && begin(b, &e, process))
			return -1;
	}
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
static int find_same(const struct ompp_flow_look *look, struct blocks *b)
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

static int add_up(const struct ompp_flow_look *look, struct blocks *b)
{
	struct ompp_flow_event e;

	b->n_processes = ompp_flow_n_processes(look->flow);
	b->live = calloc(b->n_processes, sizeof(*b->live));
	b->n_of = calloc((ompp_flow_n_sites(look->flow) + 1) * b->n_processes, sizeof(*b->n_of));
	if (!b->live || !b->n_of || find_same(look, b))
		return -1;
	for (size_t at = 0; ompp_flow_look_next(look, &at, &e);) {
		struct ompp_flow_sum *sum;
		struct block *block;

		if (e.kind != OMPP_FLOW_ACCESS)
			continue;
		if (go_on(look, b, e.time_ns))
			return -1;
		block = holding(b->live[ompp_flow_process_of(look->flow, &e)], e.address);
		if (!block || (look->sites && !look->sites[block->site]))
			continue;
		sum = ompp_flow_sum_of(&b->sums, block->index);
		if (!sum)
			return -1;
		ompp_flow_sum_add(sum, &e);
	}
	if (go_on(look, b, UINT64_MAX))
		return -1;
	ompp_flow_sums_sort(&b->sums);
	return 0;
}

static void drop(struct blocks *b)
{
	for (size_t i = 0; i < b->n; i++)
		free(b->list[i]);
	free(b->list);
	free(b->live);
	free(b->n_of);
	free(b->same);
	ompp_flow_sums_free(&b->sums);
}

static void time_value(struct ompp_flow_look *look, uint64_t time_ns)
{
	if (time_ns)
		ompp_flow_time(look, time_ns);
	else
		ompp_table_number(&look->table, OMPP_KIND_TIME, OMPP_MISSING);
}

/* Where events were left out, nobody knows how many blocks came before. */
static void line(struct ompp_flow_look *look, const struct block *b, const struct ompp_flow_sum *s)
{
	const struct ompp_flow_info *info = ompp_flow_info(look->flow);
	const struct ompp_flow_site *site = ompp_flow_site(look->flow, b->site);
	int is_known = !info->n_left_out && !info->n_lost && !info->n_damaged;

	ompp_flow_text(look, site->name);
	ompp_table_number(&look->table, OMPP_KIND_METRIC, is_known ? ompp_count(b->order) : OMPP_MISSING);
	ompp_table_number(&look->table, OMPP_KIND_METRIC, ompp_count(b->bytes));
	ompp_flow_process_value(look, b->process);
	ompp_flow_thread_value(look, b->thread);
	time_value(look, b->begun_ns);
	time_value(look, b->ended_ns);
	ompp_sampled_cost_values(&look->look, &s->sum, s->variance, &look->table);
	ompp_flow_count_value(look, s->n_loads);
	ompp_flow_count_value(look, s->n_stores);
	ompp_flow_share(look, s->n_far, s->n_homed);
	ompp_flow_hex(look, b->tree.key);
	ompp_flow_text(look, site->path);
}

static int print(struct ompp_flow_look *look, const struct blocks *b)
{
	size_t most = look->top ? look->top : look->look.is_text ? FEW : b->sums.n;

	ompp_flow_table(look, "instances",
	                "Blocks of memory by their sampled accesses (number: of the allocation at its call path; "
	                "thread: that allocated it):");
	ompp_flow_left(look, "instance of", OMPP_IN_BOTH);
	ompp_flow_column(look, "number", OMPP_IN_BOTH);
	ompp_flow_column(look, "size", OMPP_IN_BOTH);
	ompp_flow_process_column(look);
	ompp_flow_column(look, "thread", OMPP_IN_BOTH);
	ompp_flow_column(look, "begin", OMPP_IN_BOTH);
	ompp_flow_column(look, "end", OMPP_IN_BOTH);
	ompp_sampled_cost_columns(&look->look, &look->table);
	ompp_flow_column(look, "loads", OMPP_IN_BOTH);
	ompp_flow_column(look, "stores", OMPP_IN_BOTH);
	ompp_flow_share_columns(look, "remote %", "remote % +-");
	ompp_flow_column(look, "address", OMPP_IN_RECORDS);
	ompp_flow_left(look, "call path", OMPP_IN_RECORDS);
	for (size_t i = 0; i < b->sums.n && i < most; i++)
		line(look, b->list[b->sums.all[i].key], &b->sums.all[i]);
	return ompp_flow_print(look);
}

int ompp_flow_instances_view(struct ompp_flow_look *look)
{
	struct blocks b = { 0 };
	int status;

	if (add_up(look, &b)) {
		ompp_complain("flow", "not enough memory");
		status = OMPP_EXIT_FAILED;
	} else {
		status = print(look, &b);
	}
	drop(&b);
	return status;
}
