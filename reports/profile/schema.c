/*
 * Schema: see schema.h.
 */
#include "reports/profile/schema.h"

#include "reports/profile/profile.h"

/* clang-format off */
#define U32(s, f)  { OMPP_FIELD_U32, offsetof(struct s, f) }
#define I32(s, f)  { OMPP_FIELD_I32, offsetof(struct s, f) }
#define W64(s, f)  { OMPP_FIELD_64, offsetof(struct s, f) }
#define TEXT(s, f) { OMPP_FIELD_TEXT, offsetof(struct s, f) }
#define CAUSE(f)   W64(ompp_wait, cause_ns[OMPP_CAUSE_##f])
#define COUNT(f)   W64(ompp_access, values[OMPP_ACCESS_##f])
#define SUM(s)                                                                                              \
	U32(s, sum.kind), U32(s, sum.level), W64(s, sum.n), W64(s, sum.n_timed), W64(s, sum.estimate),      \
		W64(s, sum.variance), W64(s, sum.latency_ticks), W64(s, sum.squares)
/* clang-format on */

/* It begins with a byte that text transfers change and has a line end of each kind, so that damage by such a transfer
 * shows. */
const unsigned char ompp_profile_magic[8] = { 0x8f, 'o', 'm', 'p', 'p', '\r', '\n', '\n' };

/* clang-format off */
const struct ompp_schema ompp_schemas[OMPP_N_SECTIONS] = {
	[OMPP_SECTION_HEAD] = { "HEAD", sizeof(struct ompp_profile), 43, {
		TEXT(ompp_profile, app), TEXT(ompp_profile, version), W64(ompp_profile, start_unix_ns),
		W64(ompp_profile, end_unix_ns), W64(ompp_profile, utc_offset_s), W64(ompp_profile, duration_ns),
		W64(ompp_profile, user_ns), W64(ompp_profile, system_ns), I32(ompp_profile, final),
		U32(ompp_profile, n_dump), I32(ompp_profile, signal), U32(ompp_profile, max_threads),
		W64(ompp_profile, pid), I32(ompp_profile, mpi_rank), I32(ompp_profile, mpi_size),
		TEXT(ompp_profile, clock), W64(ompp_profile, cost_ps), W64(ompp_profile, cost_ns),
		W64(ompp_profile, n_events), TEXT(ompp_profile, filter), TEXT(ompp_profile, data_method),
		I32(ompp_profile, hooked), I32(ompp_profile, sharing), W64(ompp_profile, off_ns),
		W64(ompp_profile, processors_milli), W64(ompp_profile, cost_least_ns),
		W64(ompp_profile, cost_most_ns), U32(ompp_profile, n_numa_nodes),
		W64(ompp_profile, queued_ns), TEXT(ompp_profile, sample_source), U32(ompp_profile, sample_kinds),
		W64(ompp_profile, sample_period), U32(ompp_profile, sample_latency),
		TEXT(ompp_profile, sample_latencies), I32(ompp_profile, touched), I32(ompp_profile, all_objects),
		U32(ompp_profile, numa_emulated), TEXT(ompp_profile, pages_method), W64(ompp_profile, page_bytes),
		W64(ompp_profile, n_pages_lost), I32(ompp_profile, pages_told), U32(ompp_profile, sample_tick_fs),
		W64(ompp_profile, sample_seed) } },
	[OMPP_SECTION_CONDITIONS] = { "COND", sizeof(struct ompp_condition), 2, {
		TEXT(ompp_condition, label), TEXT(ompp_condition, value) } },
	[OMPP_SECTION_REGIONS] = { "REGN", sizeof(struct ompp_region), 10, {
		U32(ompp_region, id), U32(ompp_region, construct), TEXT(ompp_region, file), U32(ompp_region, begin_line),
		U32(ompp_region, end_line), TEXT(ompp_region, name), I32(ompp_region, costly),
		U32(ompp_region, n_locks), TEXT(ompp_region, sites),
		TEXT(ompp_region, clauses) } },
	[OMPP_SECTION_ROWS] = { "ROWS", sizeof(struct ompp_row), 5, {
		TEXT(ompp_row, label), U32(ompp_row, host), U32(ompp_row, depth), U32(ompp_row, rank),
		U32(ompp_row, parent) } },
	[OMPP_SECTION_METRICS] = { "METR", sizeof(struct ompp_metric), 4, {
		TEXT(ompp_metric, name), TEXT(ompp_metric, unit), U32(ompp_metric, certainty),
		TEXT(ompp_metric, detail) } },
	[OMPP_SECTION_EVALS] = { "EVAL", sizeof(struct ompp_eval), 3, {
		TEXT(ompp_eval, name), TEXT(ompp_eval, expression), TEXT(ompp_eval, unit) } },
	[OMPP_SECTION_NOTES] = { "NOTE", sizeof(struct ompp_profile_note), 2, {
		TEXT(ompp_profile_note, text), W64(ompp_profile_note, n) } },
	[OMPP_SECTION_NODES] = { "NODE", sizeof(struct ompp_node), 5, {
		U32(ompp_node, parent), U32(ompp_node, region), U32(ompp_node, construct), U32(ompp_node, first_cell),
		U32(ompp_node, n_cells) } },
	[OMPP_SECTION_CELLS] = { "CELL", sizeof(struct ompp_cell), 18, {
		U32(ompp_cell, row), W64(ompp_cell, n_exec), W64(ompp_cell, n_body), W64(ompp_cell, exec_ns),
		W64(ompp_cell, body_ns), W64(ompp_cell, enter_ns), W64(ompp_cell, exit_ns), W64(ompp_cell, exit_bar_ns),
		W64(ompp_cell, startup_ns), W64(ompp_cell, shutdown_ns), W64(ompp_cell, mgmt_ns), W64(ompp_cell, task_ns),
		W64(ompp_cell, incl_ns), W64(ompp_cell, cost_ns), W64(ompp_cell, cost_least_ns),
		W64(ompp_cell, cost_most_ns), W64(ompp_cell, n_untimed), W64(ompp_cell, error_ns) } },
	[OMPP_SECTION_VALUES] = { "VALU", sizeof(int64_t), 1, { { OMPP_FIELD_64, 0 } } },
	[OMPP_SECTION_NUMA_VALUES] = { "NUMA", sizeof(struct ompp_numa_value), 8, {
		U32(ompp_numa_value, node), U32(ompp_numa_value, place), TEXT(ompp_numa_value, metric.name),
		TEXT(ompp_numa_value, metric.unit), U32(ompp_numa_value, metric.certainty),
		TEXT(ompp_numa_value, metric.detail), W64(ompp_numa_value, value), U32(ompp_numa_value, process) } },
	[OMPP_SECTION_OBJECTS] = { "OBJE", sizeof(struct ompp_object), 9, {
		TEXT(ompp_object, name), U32(ompp_object, origin), W64(ompp_object, address), W64(ompp_object, bytes),
		U32(ompp_object, n_ranges), I32(ompp_object, is_private), I32(ompp_object, is_live),
		I32(ompp_object, measured), U32(ompp_object, parts) } },
	[OMPP_SECTION_LEVELS] = { "CACH", sizeof(struct ompp_cache_level), 5, {
		TEXT(ompp_cache_level, name), W64(ompp_cache_level, bytes), W64(ompp_cache_level, ways),
		W64(ompp_cache_level, line_bytes), I32(ompp_cache_level, shared) } },
	[OMPP_SECTION_ACCESSES] = { "ACCS", sizeof(struct ompp_access), 13, {
		U32(ompp_access, node), U32(ompp_access, row), U32(ompp_access, object), COUNT(LOADS), COUNT(STORES),
		COUNT(ATOMICS), COUNT(LOAD_BYTES), COUNT(STORE_BYTES), COUNT(ATOMIC_BYTES), COUNT(ALL),
		COUNT(L1_MISSES), COUNT(L2_MISSES), COUNT(L3_MISSES) } },
	[OMPP_SECTION_LINES] = { "LINE", sizeof(struct ompp_shared_line), 6, {
		U32(ompp_shared_line, object), U32(ompp_shared_line, region), W64(ompp_shared_line, offset_bytes),
		W64(ompp_shared_line, n_stores), W64(ompp_shared_line, n_transfers), TEXT(ompp_shared_line, rows) } },
	[OMPP_SECTION_WAITS] = { "WAIT", sizeof(struct ompp_wait), 19, {
		U32(ompp_wait, cell), W64(ompp_wait, n), W64(ompp_wait, work_ns), W64(ompp_wait, spread_ns),
		W64(ompp_wait, off_ns), W64(ompp_wait, asleep_ns), W64(ompp_wait, n_looked), W64(ompp_wait, looked_ns),
		CAUSE(OFF_HERE), CAUSE(LEAVE), CAUSE(ASLEEP), CAUSE(BODY), CAUSE(BEFORE), CAUSE(OFF), CAUSE(MADE),
		CAUSE(START),
		W64(ompp_wait, made_ns), W64(ompp_wait, least_ns), W64(ompp_wait, most_ns) } },
	[OMPP_SECTION_PATTERNS] = { "PATT", sizeof(struct ompp_pattern), 9, {
		U32(ompp_pattern, object), U32(ompp_pattern, region), U32(ompp_pattern, kind), W64(ompp_pattern, n),
		W64(ompp_pattern, n_lines), W64(ompp_pattern, step_bytes), TEXT(ompp_pattern, rows),
		U32(ompp_pattern, n_rows), W64(ompp_pattern, n_of) } },
	[OMPP_SECTION_SAMPLES] = { "SAMP", sizeof(struct ompp_sampled), 13, {
		U32(ompp_sampled, node), U32(ompp_sampled, row), U32(ompp_sampled, object), U32(ompp_sampled, home),
		W64(ompp_sampled, n_far), SUM(ompp_sampled) } },
	[OMPP_SECTION_SAMPLE_HISTOGRAM] = { "SLAT", sizeof(struct ompp_sampled_latency), 3, {
		U32(ompp_sampled_latency, sampled), U32(ompp_sampled_latency, bucket), W64(ompp_sampled_latency, n) } },
	[OMPP_SECTION_SAMPLE_LINES] = { "SLIN", sizeof(struct ompp_sampled_line), 12, {
		TEXT(ompp_sampled_line, file), U32(ompp_sampled_line, line), TEXT(ompp_sampled_line, function),
		U32(ompp_sampled_line, object), SUM(ompp_sampled_line) } },
	[OMPP_SECTION_FIRST_TOUCHES] = { "TOUC", sizeof(struct ompp_first_touch), 8, {
		U32(ompp_first_touch, node), U32(ompp_first_touch, row), U32(ompp_first_touch, object),
		U32(ompp_first_touch, home), TEXT(ompp_first_touch, file), U32(ompp_first_touch, line),
		W64(ompp_first_touch, n_pages), TEXT(ompp_first_touch, small) } },
	[OMPP_SECTION_ALLOCATIONS] = { "ALLO", sizeof(struct ompp_allocation), 17, {
		TEXT(ompp_allocation, name), TEXT(ompp_allocation, path), U32(ompp_allocation, object),
		U32(ompp_allocation, row), U32(ompp_allocation, region), I32(ompp_allocation, several_threads),
		W64(ompp_allocation, n_blocks), W64(ompp_allocation, n_live), W64(ompp_allocation, bytes),
		W64(ompp_allocation, live_bytes), W64(ompp_allocation, peak_bytes),
		W64(ompp_allocation, lifetime_ns), W64(ompp_allocation, peak_error),
		TEXT(ompp_allocation, allocator), TEXT(ompp_allocation, calls), W64(ompp_allocation, n_large),
		W64(ompp_allocation, n_told) } },
	[OMPP_SECTION_USES] = { "USES", sizeof(struct ompp_use), 18, {
		U32(ompp_use, node), U32(ompp_use, row), U32(ompp_use, object), U32(ompp_use, home), U32(ompp_use, from),
		U32(ompp_use, toucher), U32(ompp_use, touched_at), W64(ompp_use, lo), W64(ompp_use, hi),
		SUM(ompp_use), TEXT(ompp_use, small) } },
	[OMPP_SECTION_SPOTS] = { "SPOT", sizeof(struct ompp_spot), 11, {
		U32(ompp_spot, node), U32(ompp_spot, row), U32(ompp_spot, object), U32(ompp_spot, from),
		U32(ompp_spot, block), U32(ompp_spot, slice), W64(ompp_spot, page), W64(ompp_spot, n_pages),
		W64(ompp_spot, n), W64(ompp_spot, estimate), W64(ompp_spot, half) } },
	[OMPP_SECTION_EXTENTS] = { "EXTE", sizeof(struct ompp_extent), 5, {
		U32(ompp_extent, object), U32(ompp_extent, order), U32(ompp_extent, row), U32(ompp_extent, is_reused),
		W64(ompp_extent, n_pages) } },
	[OMPP_SECTION_PLACEMENTS] = { "PLAC", sizeof(struct ompp_placement), 5, {
		U32(ompp_placement, object), U32(ompp_placement, home), W64(ompp_placement, n_pages),
		W64(ompp_placement, n_moved), W64(ompp_placement, step) } },
	[OMPP_SECTION_BINDINGS] = { "BIND", sizeof(struct ompp_binding), 7, {
		U32(ompp_binding, row), U32(ompp_binding, n_allowed), TEXT(ompp_binding, allowed),
		U32(ompp_binding, n_seen), W64(ompp_binding, n_looks), W64(ompp_binding, n_moves),
		W64(ompp_binding, n_node_moves) } },
	[OMPP_SECTION_NUMA_NODES] = { "NNOD", sizeof(struct ompp_numa_node), 8, {
		U32(ompp_numa_node, number), TEXT(ompp_numa_node, cpus), W64(ompp_numa_node, bytes),
		TEXT(ompp_numa_node, distances), W64(ompp_numa_node, read_bandwidth),
		W64(ompp_numa_node, write_bandwidth), W64(ompp_numa_node, read_latency),
		W64(ompp_numa_node, write_latency) } },
	[OMPP_SECTION_PAGED] = { "PAGD", sizeof(struct ompp_paged), 14, {
		U32(ompp_paged, scope), U32(ompp_paged, object), U32(ompp_paged, region), U32(ompp_paged, n_threads),
		W64(ompp_paged, n_pages), W64(ompp_paged, n_private), W64(ompp_paged, n_read_shared),
		W64(ompp_paged, n_read_only), W64(ompp_paged, n_written_once), W64(ompp_paged, n_parts),
		W64(ompp_paged, loads), W64(ompp_paged, stores), W64(ompp_paged, n_unhooked),
		W64(ompp_paged, n_uncounted) } },
	[OMPP_SECTION_HOT_PAGES] = { "HOTP", sizeof(struct ompp_hot_page), 8, {
		W64(ompp_hot_page, address), U32(ompp_hot_page, object), U32(ompp_hot_page, region),
		U32(ompp_hot_page, is_shared), U32(ompp_hot_page, n_parts), W64(ompp_hot_page, loads),
		W64(ompp_hot_page, stores), TEXT(ompp_hot_page, smalls) } },
	[OMPP_SECTION_PAGE_VARIABLES] = { "PVAR", sizeof(struct ompp_page_variable), 5, {
		U32(ompp_page_variable, object), TEXT(ompp_page_variable, small), W64(ompp_page_variable, n_bytes),
		W64(ompp_page_variable, n_parts), W64(ompp_page_variable, n_alone) } },
	[OMPP_SECTION_INSTANCES] = { "INST", sizeof(struct ompp_instance), 27, {
		U32(ompp_instance, object), U32(ompp_instance, row), U32(ompp_instance, region),
		W64(ompp_instance, order), W64(ompp_instance, bytes), W64(ompp_instance, address),
		W64(ompp_instance, begun_ns), W64(ompp_instance, ended_ns), I32(ompp_instance, is_live),
		I32(ompp_instance, is_partial), W64(ompp_instance, loads), W64(ompp_instance, stores),
		W64(ompp_instance, atomics), W64(ompp_instance, load_bytes), W64(ompp_instance, store_bytes),
		W64(ompp_instance, atomic_bytes), W64(ompp_instance, n_samples), W64(ompp_instance, estimate),
		W64(ompp_instance, variance), W64(ompp_instance, known), W64(ompp_instance, known_variance),
		W64(ompp_instance, memory), W64(ompp_instance, memory_variance), I32(ompp_instance, has_misses),
		W64(ompp_instance, misses[0]), W64(ompp_instance, misses[1]), W64(ompp_instance, misses[2]) } },
	[OMPP_SECTION_END] = { "END ", 0, 0, { { OMPP_FIELD_64, 0 } } },
};
/* clang-format on */

#define CHECKSUM_PRIME UINT64_C(0x100000001b3)

uint64_t ompp_checksum(uint64_t sum, const void *data, size_t n_bytes)
{
	const unsigned char *p = data;

	while (n_bytes--)
		sum = (sum ^ *p++) * CHECKSUM_PRIME;
	return sum;
}

/* Multiplications that a processor has under way at a time: one begins in each cycle, and takes three or four. */
enum { LANES = 4 };

/* Sums n_bytes of each lane up; those from n_lanes on do what the first one does, for nothing. */
static void sum_lanes(struct ompp_summed *const *lanes, size_t n_lanes, size_t n_bytes)
{
	const struct ompp_summed *of[LANES];
	const unsigned char *p0, *p1, *p2, *p3;
	uint64_t s0, s1, s2, s3;

	for (size_t k = 0; k < LANES; k++)
		of[k] = lanes[k < n_lanes ? k : 0];
	p0 = of[0]->data, p1 = of[1]->data, p2 = of[2]->data, p3 = of[3]->data;
	s0 = of[0]->sum, s1 = of[1]->sum, s2 = of[2]->sum, s3 = of[3]->sum;
	for (size_t i = 0; i < n_bytes; i++) { /* written out, so that the sums stay in registers */
		s0 = (s0 ^ p0[i]) * CHECKSUM_PRIME;
		s1 = (s1 ^ p1[i]) * CHECKSUM_PRIME;
		s2 = (s2 ^ p2[i]) * CHECKSUM_PRIME;
		s3 = (s3 ^ p3[i]) * CHECKSUM_PRIME;
	}
	for (size_t k = 0; k < n_lanes; k++) {
		lanes[k]->sum = k == 0 ? s0 : k == 1 ? s1 : k == 2 ? s2 : s3;
		lanes[k]->data += n_bytes;
		lanes[k]->n_bytes -= n_bytes;
	}
}

void ompp_checksums(struct ompp_summed *pieces, size_t n)
{
	struct ompp_summed *lanes[LANES];
	size_t n_lanes = 0, next = 0;

	for (;;) {
		size_t n_bytes, n_left = 0;

		for (; n_lanes < LANES && next < n; next++)
			if (pieces[next].n_bytes)
				lanes[n_lanes++] = &pieces[next];
		if (!n_lanes)
			return;
		n_bytes = lanes[0]->n_bytes;
		for (size_t k = 1; k < n_lanes; k++)
			n_bytes = lanes[k]->n_bytes < n_bytes ? lanes[k]->n_bytes : n_bytes;
		sum_lanes(lanes, n_lanes, n_bytes);
		for (size_t k = 0; k < n_lanes; k++)
			if (lanes[k]->n_bytes)
				lanes[n_left++] = lanes[k];
		n_lanes = n_left;
	}
}
