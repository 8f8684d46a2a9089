/*
 * Flow instances: which of the blocks that one call path allocated have most sampled accesses.
 */
#include "reports/command/arguments.h"
#include "reports/traces/flow_blocks.h"
#include "reports/traces/flow_command.h"

enum { FEW = 40 }; /* lines, where --top says nothing */

static int add_up(const struct ompp_flow_look *look, struct ompp_flow_blocks *b, struct ompp_flow_sums *sums)
{
	struct ompp_flow_event e;

	if (ompp_flow_blocks_start(look, b))
		return -1;
	for (size_t at = 0; ompp_flow_look_next(look, &at, &e);) {
		struct ompp_flow_block *block;
		struct ompp_flow_sum *sum;

		if (e.kind != OMPP_FLOW_ACCESS)
			continue;
		if (ompp_flow_blocks_go_on(look, b, e.time_ns))
			return -1;
		block = ompp_flow_block_at(b, ompp_flow_process_of(look->flow, &e), e.address);
		if (!block || (look->sites && !look->sites[block->site]))
			continue;
		sum = ompp_flow_sum_of(sums, block->index);
		if (!sum)
			return -1;
		ompp_flow_sum_add(sum, &e);
	}
	if (ompp_flow_blocks_go_on(look, b, UINT64_MAX))
		return -1;
	ompp_flow_sums_sort(sums);
	return 0;
}

static void time_value(struct ompp_flow_look *look, uint64_t time_ns)
{
	if (time_ns)
		ompp_flow_time(look, time_ns);
	else
		ompp_table_number(&look->table, OMPP_KIND_TIME, OMPP_MISSING);
}

/* If events were left out, the number of earlier blocks is not known. */
static void flow_instances_line(struct ompp_flow_look *look, const struct ompp_flow_block *b,
                                const struct ompp_flow_sum *s)
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

static int flow_instances_print(struct ompp_flow_look *look, const struct ompp_flow_blocks *b,
                                const struct ompp_flow_sums *sums)
{
	size_t most = look->top ? look->top : look->look.is_text ? FEW : sums->n;

	ompp_flow_table(look, "instances",
	                "Blocks of memory by their sampled accesses (number: of the allocation at its call path; "
	                "thread: that allocated it):");
	ompp_flow_left(look, "instance of", OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "number", "size");
	ompp_flow_process_column(look);
	ompp_flow_columns(look, OMPP_IN_BOTH, "thread", "begin", "end");
	ompp_sampled_cost_columns(&look->look, &look->table);
	ompp_flow_columns(look, OMPP_IN_BOTH, "loads", "stores");
	ompp_flow_share_columns(look, "remote %", "remote % +-");
	ompp_flow_column(look, "address", OMPP_IN_RECORDS);
	ompp_flow_left(look, "call path", OMPP_IN_RECORDS);
	for (size_t i = 0; i < sums->n && i < most; i++)
		flow_instances_line(look, b->list[sums->all[i].key], &sums->all[i]);
	return ompp_flow_print(look);
}

int ompp_flow_instances_view(struct ompp_flow_look *look)
{
	struct ompp_flow_sums sums = { 0 };
	struct ompp_flow_blocks b;
	int status;

	if (add_up(look, &b, &sums)) {
		ompp_complain("flow", "not enough memory");
		status = OMPP_EXIT_FAILED;
	} else {
		status = flow_instances_print(look, &b, &sums);
	}
	ompp_flow_blocks_drop(&b);
	ompp_flow_sums_free(&sums);
	return status;
}
