/*
 * Flow time: the latency of accesses over time, by object and NUMA node, and by call path.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/traces/flow_command.h"

enum { NODE_BITS = 16, SLICE_BITS = 14, TEXT_OBJECTS = 5, HEADING_BYTES = 500, CUT_BYTES = 100 };

/* ---- slices of the time ---- */

/* From the first access that is meant to the last one. */
static struct {
	uint64_t first_ns, length_ns;
	uint32_t n;
	uint64_t n_timeless; /* accesses without a known time, which are in no slice */
} axis;

static void find_axis(const struct ompp_flow_look *look)
{
	struct ompp_flow_event e;
	uint64_t last_ns = 0;

	axis.first_ns = axis.n_timeless = 0;
	axis.n = look->n_slices;
	for (size_t at = 0; ompp_flow_look_next(look, &at, &e);) {
		if (e.kind != OMPP_FLOW_ACCESS)
			continue;
		if (!e.time_ns) {
			axis.n_timeless++;
			continue;
		}
		axis.first_ns = axis.first_ns ? axis.first_ns : e.time_ns;
		last_ns = e.time_ns;
	}
	axis.length_ns = last_ns - axis.first_ns + 1;
}

static uint32_t slice_of(uint64_t time_ns)
{
	return (uint32_t)((unsigned __int128)(time_ns - axis.first_ns) * axis.n / axis.length_ns);
}

/* Returns the start of a slice in ns; for slice number axis.n, the end of the last one. */
static uint64_t begin_of(uint32_t slice)
{
	return axis.first_ns + (uint64_t)(((unsigned __int128)axis.length_ns * slice + axis.n - 1) / axis.n);
}

/* ---- sums ---- */

/* The key of a cell.  Nodes are numbered from 1; 0 means not known. */
static uint64_t cell_of(uint32_t object, uint32_t slice, uint32_t node)
{
	return (uint64_t)object << (SLICE_BITS + NODE_BITS) | (uint64_t)slice << NODE_BITS | node;
}

enum { TIMELESS = (1 << SLICE_BITS) - 1 };

static uint64_t cell_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	return cell_of(ompp_flow_nth_object(look->flow, e, k), e->time_ns ? slice_of(e->time_ns) : TIMELESS,
	               e->node + 1u);
}

static uint64_t object_node_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	return cell_of(ompp_flow_nth_object(look->flow, e, k), 0, e->node + 1u);
}

static uint64_t object_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	return ompp_flow_nth_object(look->flow, e, k);
}

/* ---- the view of time ---- */

static void cell_line(struct ompp_flow_look *look, uint32_t object, uint32_t slice, uint32_t node,
                      const struct ompp_flow_sum *sum)
{
	static const struct ompp_flow_sum none;

	sum = sum ? sum : &none;
	ompp_table_text(&look->table, ompp_flow_object_name(look, object));
	ompp_flow_time(look, begin_of(slice));
	ompp_flow_time(look, begin_of(slice + 1));
	ompp_flow_number(look, node - 1u);
	ompp_flow_count_value(look, sum->sum.n);
	ompp_flow_count_value(look, sum->sum.n_timed);
	ompp_sampled_mean_values(&sum->sum, look->look.is_text, &look->table);
	ompp_flow_share(look, sum->n_far, sum->n_homed);
}

/* Adds the lines of an object: each slice, by each node that the object is accessed from at any time. */
static void object_lines(struct ompp_flow_look *look, uint32_t object, const struct ompp_flow_sums *nodes,
                         const struct ompp_flow_sums *cells)
{
	size_t from = 0, to;

	while (from < nodes->n && nodes->all[from].key < cell_of(object, 0, 0))
		from++;
	for (to = from; to < nodes->n && nodes->all[to].key >> (SLICE_BITS + NODE_BITS) == object;)
		to++;
	for (uint32_t slice = 0; slice < axis.n; slice++)
		for (size_t i = from; i < to; i++) {
			uint32_t node = (uint32_t)(nodes->all[i].key & ((1u << NODE_BITS) - 1));

			cell_line(look, object, slice, node, ompp_flow_sums_find(cells, cell_of(object, slice, node)));
		}
}

/* n, most: how many objects there are, and are shown */
static void time_columns(struct ompp_flow_look *look, size_t n, size_t most)
{
	const char *unit = ompp_flow_info(look->flow)->latencies;
	char heading[HEADING_BYTES], cut[CUT_BYTES] = "";
	const char *kept;

	if (most < n)
		snprintf(cut, sizeof(cut), ";\n%zu of %zu objects, those with most accesses: --top=N has more", most,
		         n);

	snprintf(heading, sizeof(heading),
	         "Latency over time%s%s, by object and by the NUMA node that accesses come from (from, to: seconds of "
	         "the run;\ntimed: samples that have a latency, of which it is the mean; - where there are none%s%s):",
	         unit[0] ? ", in " : "", unit, look->look.is_text ? ", or fewer than 10" : "", cut);
	kept = ompp_arena_strdup(look->arena, heading);
	ompp_flow_table(look, "", kept ? kept : "");
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "from", "to", "node", "samples", "timed");
	look->look.by_latency = 1;
	ompp_sampled_mean_columns(&look->look, &look->table);
	look->look.by_latency = 0;
	ompp_flow_share_columns(look, "remote %", "remote % +-");
}

int ompp_flow_time_view(struct ompp_flow_look *look)
{
	struct ompp_flow_sums objects = { 0 }, nodes = { 0 }, cells = { 0 };
	size_t most = look->top ? look->top : look->look.is_text ? TEXT_OBJECTS : SIZE_MAX;
	int status;

	find_axis(look);
	if (ompp_flow_add_up(look, &objects, object_key, 1) || ompp_flow_add_up(look, &nodes, object_node_key, 1) ||
	    ompp_flow_add_up(look, &cells, cell_key, 1)) {
		status = ompp_flow_no_memory();
	} else {
		ompp_flow_sums_sort_by_key(&nodes);
		ompp_flow_sums_sort_by_key(&cells);
		time_columns(look, objects.n, most);
		for (size_t i = 0; axis.first_ns && i < objects.n && i < most; i++)
			object_lines(look, (uint32_t)objects.all[i].key, &nodes, &cells);
		if (axis.n_timeless)
			ompp_complain("--view=time", "%" PRIu64 " samples have no time, and are left out",
			              axis.n_timeless);
		status = ompp_flow_print(look);
	}
	ompp_flow_sums_free(&objects);
	ompp_flow_sums_free(&nodes);
	ompp_flow_sums_free(&cells);
	return status;
}

/* ---- the view of call paths ---- */

static uint64_t path_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	(void)look;
	(void)k;
	return e->region + UINT64_C(1) > UINT32_MAX ? 0 : e->region + UINT64_C(1);
}

int ompp_flow_paths_view(struct ompp_flow_look *look)
{
	struct ompp_flow_sums sums = { 0 };
	int status;

	if (ompp_flow_add_up(look, &sums, path_key, 0)) {
		ompp_flow_sums_free(&sums);
		return ompp_flow_no_memory();
	}
	ompp_flow_table(look, "",
	                "Call paths of regions by the accesses that were sampled in them, without those below (a "
	                "trace has no calls of functions between regions; \"-\": outside of all regions):");
	ompp_flow_left(look, "call path", OMPP_IN_BOTH);
	ompp_flow_cost_columns(look);
	ompp_flow_share_columns(look, "remote %", "remote % +-");
	ompp_flow_columns(look, OMPP_IN_BOTH, "from", "to");
	for (size_t i = 0; i < sums.n && (!look->top || i < look->top); i++) {
		const struct ompp_flow_sum *s = &sums.all[i];

		ompp_flow_text(look, s->key ? ompp_flow_region_name(look, (uint32_t)s->key - 1) : "");
		ompp_flow_cost_values(look, s);
		ompp_flow_share(look, s->n_far, s->n_homed);
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->from));
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->to));
	}
	status = ompp_flow_print(look);
	ompp_flow_sums_free(&sums);
	return status;
}
