/*
 * Columns: see columns.h.
 */
#include "reports/exchange/columns.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/sample_stats.h"
#include "reports/analysis/untimed.h"
#include "reports/exchange/flat.h"
#include "reports/profile/schema.h"
#include "runtime/base/array.h"
#include "runtime/base/histogram.h"

/* ---- words ---- */

static const char *name_in(const char *const *names, size_t n, uint32_t number)
{
	return number < n && names[number] ? names[number] : "unknown";
}

#define WORDS(function, ...) \
	static const char *function(uint32_t number) \
	{ \
		static const char *const names[] = { __VA_ARGS__ }; \
		return name_in(names, OMPP_COUNT_OF(names), number); \
	}

WORDS(origin_word, [OMPP_ORIGIN_NONE] = "none", [OMPP_ORIGIN_PRAGMA] = "pragma", [OMPP_ORIGIN_CALL] = "call",
      [OMPP_ORIGIN_ADDRESS] = "address", [OMPP_ORIGIN_SYMBOL] = "symbol", [OMPP_ORIGIN_HEAP] = "heap",
      [OMPP_ORIGIN_FILE] = "file")
WORDS(parts_word, [OMPP_PARTS_OVERLAP] = "overlap", [OMPP_PARTS_WRITTEN] = "written", [OMPP_PARTS_OWN] = "own",
      [OMPP_PARTS_ONE] = "one")
WORDS(pattern_word, [OMPP_PATTERN_FALSE_SHARING] = "false sharing", [OMPP_PATTERN_STRIDE] = "stride",
      [OMPP_PATTERN_FOREIGN] = "first written by another thread")
WORDS(scope_word, [OMPP_PAGED_RUN] = "run", [OMPP_PAGED_REGION] = "region")
WORDS(kind_word, [OMPP_MEM_LOADS] = "loads", [OMPP_MEM_STORES] = "stores")

static const char *level_word(uint32_t level)
{
	return level < OMPP_MEM_N_LEVELS && level != OMPP_MEM_LEVEL_UNKNOWN ? ompp_sample_stats_level_name(level)
	                                                                    : "unknown";
}

static const char *construct_word(uint32_t construct)
{
	return ompp_construct_name((enum ompp_construct)construct);
}

static const char *certainty_word(uint32_t certainty)
{
	return ompp_certainty_name((enum ompp_certainty)certainty);
}

/* ---- the columns ---- */

#define FORM(f) (1u << OMPP_FORM_##f)
enum {
	TEAMS = FORM(TEAM) | FORM(TEAM_SECTIONS),
	BODIES = FORM(SINGLE) | FORM(SECTIONS) | FORM(TEAM_SECTIONS),
	ENTERED = FORM(CRITICAL) | FORM(LOCK),
	BARRIERS = FORM(LOOP) | FORM(SINGLE) | FORM(SECTIONS) | TEAMS,
	HAVE_BODY = ENTERED | BARRIERS,
	MANAGED = FORM(SINGLE) | FORM(SECTIONS),
	RUN_TASKS = FORM(TASKS) | FORM(WAIT) | BARRIERS
};

/* clang-format off */
#define COLUMN(name, type, s, field, unit, sure) { name, OMPP_COLUMN_##type, offsetof(struct s, field), 0, unit, sure, NULL, 0 }
#define WORD(name, s, field, word) { name, OMPP_COLUMN_WORD, offsetof(struct s, field), 0, "", "exact", word, 0 }
#define SECOND(name, type, s, field, unit, sure) { name, OMPP_COLUMN_##type, offsetof(struct s, field), 1, unit, sure, NULL, 0 }
#define TIME(name, s, field) COLUMN(name, I64, s, field, "ns", "measured")
#define PART(name, type, s, field, unit, sure, forms) { name, OMPP_COLUMN_##type, offsetof(struct s, field), 0, unit, sure, NULL, forms }
#define CELL(s, c)                                                                                              \
	COLUMN("executions", U64, s, c n_exec, "1", "exact"),                                                   \
	PART("bodies", U64, s, c n_body, "1", "exact", BODIES),                                                 \
	TIME("exec_ns", s, c exec_ns),                                                                          \
	PART("body_ns", I64, s, c body_ns, "ns", "measured", HAVE_BODY),                                        \
	PART("enter_ns", I64, s, c enter_ns, "ns", "measured", ENTERED),                                        \
	PART("exit_ns", I64, s, c exit_ns, "ns", "measured", ENTERED),                                          \
	PART("exit_bar_ns", I64, s, c exit_bar_ns, "ns", "measured", BARRIERS),                                 \
	PART("startup_ns", I64, s, c startup_ns, "ns", "measured", TEAMS),                                      \
	PART("shutdown_ns", I64, s, c shutdown_ns, "ns", "measured", TEAMS),                                    \
	PART("mgmt_ns", I64, s, c mgmt_ns, "ns", "measured", MANAGED),                                          \
	PART("task_ns", I64, s, c task_ns, "ns", "measured", RUN_TASKS),                                        \
	TIME("incl_ns", s, c incl_ns), TIME("cost_ns", s, c cost_ns),                                           \
	TIME("cost_least_ns", s, c cost_least_ns), TIME("cost_most_ns", s, c cost_most_ns),                     \
	COLUMN("untimed", U64, s, c n_untimed, "1", "exact"),                                                    \
	COLUMN("exec_error_ns", I64, s, c error_ns, "ns", "sampled")
#define SUM(s)                                                                                                  \
	WORD("kind", s, sum.kind, kind_word), WORD("level", s, sum.level, level_word), SUM_ALONE(s)
#define SUM_ALONE(s)                                                                                            \
	COLUMN("samples", U64, s, sum.n, "1", "exact"), COLUMN("timed", U64, s, sum.n_timed, "1", "exact"),     \
	COLUMN("accesses", I64, s, sum.estimate, "1", "sampled"),                                               \
	COLUMN("standard_error", ERROR, s, sum.variance, "1", "sampled"),                                       \
	COLUMN("variance", I64, s, sum.variance, "1", "sampled"),                                               \
	COLUMN("latency_sum", I64, s, sum.latency_ticks, "tick", "sampled"),                                    \
	COLUMN("latency_squares", I64, s, sum.squares, "tick^2", "sampled")
#define CAUSE(name, f) COLUMN("cause_" name "_ns", I64, ompp_wait, cause_ns[OMPP_CAUSE_##f], "ns", "sampled")
#define ERROR_OF(name, f) COLUMN(name "_error_ns", I64, ompp_parallel, error_ns[OMPP_##f], "ns", "sampled")
#define ACCESS(name, f, unit, sure) COLUMN(name, I64, ompp_access, values[OMPP_ACCESS_##f], unit, sure)

/* What the profile has no array of. */
struct path { uint32_t parent, region; const char *construct; int64_t wall_ns, exclusive_ns, wall_error_ns, exclusive_error_ns; };
struct of_cell { uint32_t path; };

static const struct ompp_data_column regions[] = {
	COLUMN("id", U32, ompp_region, id, "", "exact"), WORD("construct", ompp_region, construct, construct_word),
	COLUMN("file", TEXT, ompp_region, file, "", "exact"), COLUMN("begin_line", LINE, ompp_region, begin_line, "", "exact"),
	COLUMN("end_line", LINE, ompp_region, end_line, "", "exact"), COLUMN("name", TEXT, ompp_region, name, "", "exact"),
	COLUMN("clauses", TEXT, ompp_region, clauses, "", "exact"), COLUMN("sites", TEXT, ompp_region, sites, "", "exact"),
	COLUMN("locks", LINE, ompp_region, n_locks, "1", "exact"), COLUMN("is_costly", FLAG, ompp_region, costly, "", "exact"),
};
static const struct ompp_data_column threads[] = {
	COLUMN("label", TEXT, ompp_row, label, "", "exact"), COLUMN("host", U32, ompp_row, host, "", "exact"),
	COLUMN("depth", U32, ompp_row, depth, "1", "exact"), COLUMN("rank", U32, ompp_row, rank, "", "exact"),
	COLUMN("parent", INDEX, ompp_row, parent, "", "exact"),
};
static const struct ompp_data_column paths[] = {
	COLUMN("parent", INDEX, path, parent, "", "exact"), COLUMN("region", INDEX, path, region, "", "exact"),
	COLUMN("construct", TEXT, path, construct, "", "exact"),
	TIME("wall_ns", path, wall_ns), TIME("exclusive_wall_ns", path, exclusive_ns),
	COLUMN("wall_error_ns", I64, path, wall_error_ns, "ns", "sampled"),
	COLUMN("exclusive_wall_error_ns", I64, path, exclusive_error_ns, "ns", "sampled"),
};
static const struct ompp_data_column cells[] = {
	SECOND("path", INDEX, of_cell, path, "", "exact"), COLUMN("thread", INDEX, ompp_cell, row, "", "exact"),
	CELL(ompp_cell,),
};
static const struct ompp_data_column flat_columns[] = {
	COLUMN("region", INDEX, ompp_flat_line, region, "", "exact"), WORD("construct", ompp_flat_line, construct, construct_word),
	COLUMN("thread", INDEX, ompp_flat_line, row, "", "exact"), CELL(ompp_flat_line, cell.),
};
static const struct ompp_data_column parallel[] = {
	COLUMN("region", INDEX, ompp_parallel, region, "", "exact"), TIME("total_ns", ompp_parallel, total_ns),
	TIME("own_ns", ompp_parallel, own_ns), TIME("wall_ns", ompp_parallel, wall_ns), TIME("cost_ns", ompp_parallel, cost_ns),
	TIME("synchronisation_ns", ompp_parallel, overhead_ns[OMPP_SYNCH]), TIME("imbalance_ns", ompp_parallel, overhead_ns[OMPP_IMBAL]),
	TIME("limited_parallelism_ns", ompp_parallel, overhead_ns[OMPP_LIMPAR]), TIME("management_ns", ompp_parallel, overhead_ns[OMPP_MGMT]),
	ERROR_OF("synchronisation", SYNCH), ERROR_OF("imbalance", IMBAL),
	ERROR_OF("limited_parallelism", LIMPAR), ERROR_OF("management", MGMT),
};
static const struct ompp_data_column waits[] = {
	COLUMN("cell", INDEX, ompp_wait, cell, "", "exact"), COLUMN("arrivals", U64, ompp_wait, n, "1", "exact"),
	TIME("work_ns", ompp_wait, work_ns), TIME("spread_ns", ompp_wait, spread_ns), TIME("off_ns", ompp_wait, off_ns),
	TIME("asleep_ns", ompp_wait, asleep_ns), COLUMN("looked", U64, ompp_wait, n_looked, "1", "exact"),
	TIME("looked_ns", ompp_wait, looked_ns), CAUSE("off_here", OFF_HERE), CAUSE("leave", LEAVE), CAUSE("asleep", ASLEEP),
	CAUSE("body", BODY), CAUSE("before", BEFORE), CAUSE("off", OFF), CAUSE("made", MADE), CAUSE("start", START),
	TIME("made_ns", ompp_wait, made_ns), TIME("least_ns", ompp_wait, least_ns), TIME("most_ns", ompp_wait, most_ns),
};
static const struct ompp_data_column numa_values[] = {
	COLUMN("path", INDEX, ompp_numa_value, node, "", "exact"), COLUMN("numa_node", U32, ompp_numa_value, place, "", "exact"),
	COLUMN("process", U32, ompp_numa_value, process, "", "exact"), COLUMN("counter", TEXT, ompp_numa_value, metric.name, "", "exact"),
	COLUMN("unit", TEXT, ompp_numa_value, metric.unit, "", "exact"), WORD("certainty", ompp_numa_value, metric.certainty, certainty_word),
	COLUMN("detail", TEXT, ompp_numa_value, metric.detail, "", "exact"), COLUMN("value", I64, ompp_numa_value, value, "", ""),
};
static const struct ompp_data_column objects[] = {
	COLUMN("name", TEXT, ompp_object, name, "", "exact"), WORD("origin", ompp_object, origin, origin_word),
	COLUMN("address", I64, ompp_object, address, "", "exact"), COLUMN("size_bytes", I64, ompp_object, bytes, "B", "exact"),
	COLUMN("ranges", U32, ompp_object, n_ranges, "1", "exact"), COLUMN("is_private", FLAG, ompp_object, is_private, "", "exact"),
	COLUMN("is_live", FLAG, ompp_object, is_live, "", "exact"), COLUMN("is_measured", FLAG, ompp_object, measured, "", "exact"),
	WORD("parts", ompp_object, parts, parts_word),
};
static const struct ompp_data_column accesses[] = {
	COLUMN("path", INDEX, ompp_access, node, "", "exact"), COLUMN("thread", INDEX, ompp_access, row, "", "exact"),
	COLUMN("object", INDEX, ompp_access, object, "", "exact"), ACCESS("loads", LOADS, "1", "exact"), ACCESS("stores", STORES, "1", "exact"),
	ACCESS("atomics", ATOMICS, "1", "exact"), ACCESS("load_bytes", LOAD_BYTES, "B", "exact"), ACCESS("store_bytes", STORE_BYTES, "B", "exact"),
	ACCESS("atomic_bytes", ATOMIC_BYTES, "B", "exact"), ACCESS("accesses", ALL, "1", "exact"), ACCESS("l1_misses", L1_MISSES, "1", "modelled"),
	ACCESS("l2_misses", L2_MISSES, "1", "modelled"), ACCESS("l3_misses", L3_MISSES, "1", "modelled"),
};
static const struct ompp_data_column shared_lines[] = {
	COLUMN("object", INDEX, ompp_shared_line, object, "", "exact"), COLUMN("region", INDEX, ompp_shared_line, region, "", "exact"),
	COLUMN("offset_bytes", I64, ompp_shared_line, offset_bytes, "B", "exact"), COLUMN("stores", U64, ompp_shared_line, n_stores, "1", "exact"),
	COLUMN("transfers", U64, ompp_shared_line, n_transfers, "1", "exact"), COLUMN("threads", TEXT, ompp_shared_line, rows, "", "exact"),
};
static const struct ompp_data_column patterns[] = {
	COLUMN("object", INDEX, ompp_pattern, object, "", "exact"), COLUMN("region", INDEX, ompp_pattern, region, "", "exact"),
	WORD("kind", ompp_pattern, kind, pattern_word), COLUMN("part", U64, ompp_pattern, n, "1", "modelled"),
	COLUMN("whole", U64, ompp_pattern, n_of, "1", "modelled"), COLUMN("lines", U64, ompp_pattern, n_lines, "1", "modelled"),
	COLUMN("step_bytes", I64, ompp_pattern, step_bytes, "B", "exact"), COLUMN("threads", TEXT, ompp_pattern, rows, "", "exact"),
};
static const struct ompp_data_column cache_levels[] = {
	COLUMN("name", TEXT, ompp_cache_level, name, "", "exact"), COLUMN("size_bytes", I64, ompp_cache_level, bytes, "B", "exact"),
	COLUMN("ways", I64, ompp_cache_level, ways, "1", "exact"), COLUMN("line_bytes", I64, ompp_cache_level, line_bytes, "B", "exact"),
	COLUMN("is_shared", FLAG, ompp_cache_level, shared, "", "exact"),
};
static const struct ompp_data_column samples[] = {
	COLUMN("path", INDEX, ompp_sampled, node, "", "exact"), COLUMN("thread", INDEX, ompp_sampled, row, "", "exact"),
	COLUMN("object", INDEX, ompp_sampled, object, "", "exact"), COLUMN("home", INDEX, ompp_sampled, home, "", "exact"),
	COLUMN("far_samples", U64, ompp_sampled, n_far, "1", "exact"), SUM(ompp_sampled),
};
static const struct ompp_data_column latencies[] = {
	COLUMN("sample", INDEX, ompp_sampled_latency, sampled, "", "exact"), COLUMN("least", LEAST, ompp_sampled_latency, bucket, "tick", "exact"),
	COLUMN("most", MOST, ompp_sampled_latency, bucket, "tick", "exact"), COLUMN("samples", U64, ompp_sampled_latency, n, "1", "exact"),
};
static const struct ompp_data_column sample_lines[] = {
	COLUMN("file", TEXT, ompp_sampled_line, file, "", "exact"), COLUMN("line", LINE, ompp_sampled_line, line, "", "exact"),
	COLUMN("function", TEXT, ompp_sampled_line, function, "", "exact"), COLUMN("object", INDEX, ompp_sampled_line, object, "", "exact"),
	SUM(ompp_sampled_line),
};
static const struct ompp_data_column first_touches[] = {
	COLUMN("path", INDEX, ompp_first_touch, node, "", "exact"), COLUMN("thread", INDEX, ompp_first_touch, row, "", "exact"),
	COLUMN("object", INDEX, ompp_first_touch, object, "", "exact"), COLUMN("home", INDEX, ompp_first_touch, home, "", "exact"),
	COLUMN("file", TEXT, ompp_first_touch, file, "", "exact"), COLUMN("line", LINE, ompp_first_touch, line, "", "exact"),
	COLUMN("pages", U64, ompp_first_touch, n_pages, "1", "exact"), COLUMN("variable", TEXT, ompp_first_touch, small, "", "exact"),
};
static const struct ompp_data_column uses[] = {
	COLUMN("path", INDEX, ompp_use, node, "", "exact"), COLUMN("thread", INDEX, ompp_use, row, "", "exact"),
	COLUMN("object", INDEX, ompp_use, object, "", "exact"), COLUMN("home", INDEX, ompp_use, home, "", "exact"),
	COLUMN("from", INDEX, ompp_use, from, "", "exact"), COLUMN("toucher", INDEX, ompp_use, toucher, "", "exact"),
	COLUMN("touched_at", INDEX, ompp_use, touched_at, "", "exact"), COLUMN("least_address", I64, ompp_use, lo, "", "sampled"),
	COLUMN("most_address", I64, ompp_use, hi, "", "sampled"), SUM(ompp_use),
	COLUMN("variable", TEXT, ompp_use, small, "", "exact"),
};
static const struct ompp_data_column spots[] = {
	COLUMN("path", INDEX, ompp_spot, node, "", "exact"), COLUMN("thread", INDEX, ompp_spot, row, "", "exact"),
	COLUMN("object", INDEX, ompp_spot, object, "", "exact"), COLUMN("from", INDEX, ompp_spot, from, "", "exact"),
	COLUMN("block", INDEX, ompp_spot, block, "", "exact"), COLUMN("slice", U32, ompp_spot, slice, "", "exact"),
	COLUMN("page", U64, ompp_spot, page, "", "exact"), COLUMN("pages", U64, ompp_spot, n_pages, "1", "exact"),
	COLUMN("samples", U64, ompp_spot, n, "1", "exact"), COLUMN("accesses", I64, ompp_spot, estimate, "1", "sampled"),
	COLUMN("half_accesses", I64, ompp_spot, half, "1", "sampled"),
};
static const struct ompp_data_column extents[] = {
	COLUMN("object", INDEX, ompp_extent, object, "", "exact"), COLUMN("order", U32, ompp_extent, order, "", "exact"),
	COLUMN("thread", INDEX, ompp_extent, row, "", "exact"), COLUMN("is_reused", FLAG, ompp_extent, is_reused, "", "exact"),
	COLUMN("pages", U64, ompp_extent, n_pages, "1", "exact"),
};
static const struct ompp_data_column pages[] = {
	WORD("scope", ompp_paged, scope, scope_word), COLUMN("object", INDEX, ompp_paged, object, "", "exact"),
	COLUMN("region", INDEX, ompp_paged, region, "", "exact"), COLUMN("threads", U32, ompp_paged, n_threads, "1", "exact"),
	COLUMN("pages", U64, ompp_paged, n_pages, "1", "exact"), COLUMN("private", U64, ompp_paged, n_private, "1", "exact"),
	COLUMN("read_shared", U64, ompp_paged, n_read_shared, "1", "exact"), COLUMN("read_only", U64, ompp_paged, n_read_only, "1", "exact"),
	COLUMN("written_once", U64, ompp_paged, n_written_once, "1", "exact"), COLUMN("parts", U64, ompp_paged, n_parts, "1", "exact"),
	COLUMN("loads", U64, ompp_paged, loads, "1", "exact"), COLUMN("stores", U64, ompp_paged, stores, "1", "exact"),
};
static const struct ompp_data_column hot_pages[] = {
	COLUMN("address", U64, ompp_hot_page, address, "", "exact"), COLUMN("object", INDEX, ompp_hot_page, object, "", "exact"),
	COLUMN("region", INDEX, ompp_hot_page, region, "", "exact"), COLUMN("is_shared", FLAG, ompp_hot_page, is_shared, "", "exact"),
	COLUMN("parts", U32, ompp_hot_page, n_parts, "1", "exact"), COLUMN("loads", U64, ompp_hot_page, loads, "1", "exact"),
	COLUMN("stores", U64, ompp_hot_page, stores, "1", "exact"), COLUMN("variables", TEXT, ompp_hot_page, smalls, "", "exact"),
};
static const struct ompp_data_column page_variables[] = {
	COLUMN("object", INDEX, ompp_page_variable, object, "", "exact"), COLUMN("variable", TEXT, ompp_page_variable, small, "", "exact"),
	COLUMN("bytes", U64, ompp_page_variable, n_bytes, "B", "exact"), COLUMN("parts", U64, ompp_page_variable, n_parts, "1", "exact"),
	COLUMN("parts_alone", U64, ompp_page_variable, n_alone, "1", "exact"),
};
static const struct ompp_data_column placements[] = {
	COLUMN("object", INDEX, ompp_placement, object, "", "exact"), COLUMN("home", INDEX, ompp_placement, home, "", "exact"),
	COLUMN("pages", U64, ompp_placement, n_pages, "1", "scaled"), COLUMN("moved_pages", U64, ompp_placement, n_moved, "1", "scaled"),
	COLUMN("step", U64, ompp_placement, step, "1", "exact"),
};
static const struct ompp_data_column bindings[] = {
	COLUMN("thread", INDEX, ompp_binding, row, "", "exact"), COLUMN("allowed", LINE, ompp_binding, n_allowed, "1", "exact"),
	COLUMN("allowed_cpus", TEXT, ompp_binding, allowed, "", "exact"), COLUMN("seen", U32, ompp_binding, n_seen, "1", "sampled"),
	COLUMN("looks", U64, ompp_binding, n_looks, "1", "exact"), COLUMN("moves", U64, ompp_binding, n_moves, "1", "sampled"),
	COLUMN("node_moves", U64, ompp_binding, n_node_moves, "1", "sampled"),
};
static const struct ompp_data_column numa_nodes[] = {
	COLUMN("number", U32, ompp_numa_node, number, "", "exact"), COLUMN("cpus", TEXT, ompp_numa_node, cpus, "", "exact"),
	COLUMN("memory_bytes", I64, ompp_numa_node, bytes, "B", "exact"), COLUMN("distances", TEXT, ompp_numa_node, distances, "", "exact"),
	COLUMN("read_bandwidth", I64, ompp_numa_node, read_bandwidth, "MB/s", "exact"),
	COLUMN("write_bandwidth", I64, ompp_numa_node, write_bandwidth, "MB/s", "exact"),
	COLUMN("read_latency_ns", I64, ompp_numa_node, read_latency, "ns", "exact"),
	COLUMN("write_latency_ns", I64, ompp_numa_node, write_latency, "ns", "exact"),
};
static const struct ompp_data_column allocations[] = {
	COLUMN("name", TEXT, ompp_allocation, name, "", "exact"), COLUMN("calls", TEXT, ompp_allocation, path, "", "exact"),
	COLUMN("object", INDEX, ompp_allocation, object, "", "exact"), COLUMN("thread", INDEX, ompp_allocation, row, "", "exact"),
	COLUMN("region", INDEX, ompp_allocation, region, "", "exact"), COLUMN("has_several_threads", FLAG, ompp_allocation, several_threads, "", "exact"),
	COLUMN("blocks", U64, ompp_allocation, n_blocks, "1", "exact"), COLUMN("live_blocks", U64, ompp_allocation, n_live, "1", "exact"),
	COLUMN("all_bytes", I64, ompp_allocation, bytes, "B", "exact"), COLUMN("live_bytes", I64, ompp_allocation, live_bytes, "B", "exact"),
	COLUMN("peak_bytes", I64, ompp_allocation, peak_bytes, "B", "exact"), COLUMN("peak_error_bytes", I64, ompp_allocation, peak_error, "B", "exact"),
	TIME("lifetime_ns", ompp_allocation, lifetime_ns), COLUMN("allocator", TEXT, ompp_allocation, allocator, "", "exact"),
	COLUMN("large_blocks", U64, ompp_allocation, n_large, "1", "exact"), COLUMN("told_blocks", U64, ompp_allocation, n_told, "1", "exact"),
};
static const struct ompp_data_column instances[] = {
	COLUMN("object", INDEX, ompp_instance, object, "", "exact"), COLUMN("number", I64, ompp_instance, order, "1", "exact"),
	COLUMN("bytes", I64, ompp_instance, bytes, "B", "exact"), COLUMN("address", I64, ompp_instance, address, "", "exact"),
	COLUMN("thread", INDEX, ompp_instance, row, "", "exact"), COLUMN("region", INDEX, ompp_instance, region, "", "exact"),
	TIME("begun_ns", ompp_instance, begun_ns), TIME("ended_ns", ompp_instance, ended_ns),
	COLUMN("is_live", FLAG, ompp_instance, is_live, "", "exact"), COLUMN("is_partial", FLAG, ompp_instance, is_partial, "", "exact"),
	COLUMN("loads", I64, ompp_instance, loads, "1", "exact"), COLUMN("stores", I64, ompp_instance, stores, "1", "exact"),
	COLUMN("atomics", I64, ompp_instance, atomics, "1", "exact"), COLUMN("load_bytes", I64, ompp_instance, load_bytes, "B", "exact"),
	COLUMN("store_bytes", I64, ompp_instance, store_bytes, "B", "exact"), COLUMN("atomic_bytes", I64, ompp_instance, atomic_bytes, "B", "exact"),
	COLUMN("samples", U64, ompp_instance, n_samples, "1", "exact"), COLUMN("sampled_accesses", I64, ompp_instance, estimate, "1", "sampled"),
	COLUMN("sampled_accesses_error", ERROR, ompp_instance, variance, "1", "sampled"),
	COLUMN("answered_accesses", I64, ompp_instance, known, "1", "sampled"),
	COLUMN("answered_accesses_error", ERROR, ompp_instance, known_variance, "1", "sampled"),
	COLUMN("memory_accesses", I64, ompp_instance, memory, "1", "sampled"),
	COLUMN("memory_accesses_error", ERROR, ompp_instance, memory_variance, "1", "sampled"),
	COLUMN("l1_misses", I64, ompp_instance, misses[0], "1", "modelled"), COLUMN("l2_misses", I64, ompp_instance, misses[1], "1", "modelled"),
	COLUMN("l3_misses", I64, ompp_instance, misses[2], "1", "modelled"),
};
/* clang-format on */

/* ---- values ---- */

struct ompp_data_value ompp_data_value(const struct ompp_data_table *t, size_t column, size_t row)
{
	const struct ompp_data_column *c = &t->columns[column];
	const char *at = c->in_second ? (const char *)t->second + row * t->second_bytes
	                              : (const char *)t->rows + row * t->row_bytes;
	struct ompp_data_value v = { .kind = OMPP_DATA_NUMBER };
	const void *field = at + c->offset;
	uint32_t u32 = 0;
	int64_t i64 = 0;

	if (c->forms && !(c->forms >> ompp_constructs[t->constructs[row]].form & 1))
		return (struct ompp_data_value){ .kind = OMPP_DATA_MISSING };
	switch (c->type) {
	case OMPP_COLUMN_U32:
	case OMPP_COLUMN_LINE:
	case OMPP_COLUMN_INDEX:
	case OMPP_COLUMN_FLAG:
	case OMPP_COLUMN_WORD:
	case OMPP_COLUMN_LEAST:
	case OMPP_COLUMN_MOST:
		memcpy(&u32, field, sizeof(u32));
		break;
	case OMPP_COLUMN_U64:
	case OMPP_COLUMN_I64:
	case OMPP_COLUMN_ERROR:
		memcpy(&i64, field, sizeof(i64));
		break;
	case OMPP_COLUMN_TEXT:
		v.kind = OMPP_DATA_TEXT;
		memcpy(&v.text, field, sizeof(v.text));
		return v;
	}
	v.number = u32;
	switch (c->type) {
	case OMPP_COLUMN_LINE:
		v.kind = u32 ? OMPP_DATA_NUMBER : OMPP_DATA_MISSING;
		break;
	case OMPP_COLUMN_INDEX:
		v.kind = u32 != OMPP_NONE ? OMPP_DATA_NUMBER : OMPP_DATA_MISSING;
		break;
	case OMPP_COLUMN_FLAG:
		v.kind = OMPP_DATA_FLAG;
		break;
	case OMPP_COLUMN_WORD:
		v.kind = OMPP_DATA_TEXT;
		v.text = c->word(u32);
		break;
	case OMPP_COLUMN_LEAST:
		v.number = ompp_histogram_least(u32);
		break;
	case OMPP_COLUMN_MOST:
		v.number = u32 + 1 < OMPP_HISTOGRAM_BUCKETS ? ompp_histogram_least(u32 + 1) - 1 : UINT32_MAX;
		break;
	case OMPP_COLUMN_U64:
		v.number = (uint64_t)i64;
		break;
	case OMPP_COLUMN_I64:
		v.kind = i64 == OMPP_MISSING ? OMPP_DATA_MISSING : OMPP_DATA_NUMBER;
		v.is_negative = i64 < 0;
		v.number = i64 < 0 ? -(uint64_t)i64 : (uint64_t)i64;
		break;
	case OMPP_COLUMN_ERROR:
		v.kind = i64 < 0 ? OMPP_DATA_MISSING : OMPP_DATA_NUMBER;
		v.number = ompp_root(i64 < 0 ? 0 : (unsigned __int128)i64);
		break;
	default:
		break;
	}
	return v;
}

/* ---- tables ---- */

/* A new section of the profile is a new table here, or stands elsewhere in the formats. */
_Static_assert((int)OMPP_N_SECTIONS == 33, "a section that no table has");

static struct path *make_paths(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct path *list = ompp_analysis_array(a, p->n_nodes + 1, sizeof(*list), 0);

	for (uint32_t i = 0; list && i < p->n_nodes; i++)
		list[i] = (struct path){ p->nodes[i].parent,
			                 p->nodes[i].region,
			                 i ? ompp_construct_name(p->nodes[i].construct) : "",
			                 a->wall_ns[i],
			                 ompp_analysis_exclusive_ns(a, i),
			                 ompp_untimed_wall_error_ns(a, i),
			                 ompp_untimed_exclusive_error_ns(a, i) };
	return list;
}

/* Gets the path and the construct of each cell. */
static int find_paths(const struct ompp_analysis *a, struct of_cell **of, uint8_t **constructs)
{
	const struct ompp_profile *p = a->profile;

	*of = ompp_analysis_array(a, p->n_cells + 1, sizeof(**of), 0);
	*constructs = ompp_analysis_array(a, p->n_cells + 1, 1, 0);
	if (!*of || !*constructs)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_nodes; i++)
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			(*of)[p->nodes[i].first_cell + k].path = i;
			(*constructs)[p->nodes[i].first_cell + k] = i ? (uint8_t)p->nodes[i].construct
			                                              : (uint8_t)OMPP_USER_REGION;
		}
	return 0;
}

int ompp_data_tables(const struct ompp_analysis *a, struct ompp_data_table tables[OMPP_MAX_DATA_TABLES])
{
	const struct ompp_profile *p = a->profile;
	const struct path *path_rows = make_paths(a);
	struct ompp_classes *classes = ompp_analysis_array(a, 1, sizeof(*classes), 0);
	struct of_cell *of_cell;
	uint8_t *constructs, *flat_constructs;
	struct ompp_flat flat;
	int n = 0;

	if (!path_rows || !classes || find_paths(a, &of_cell, &constructs) || ompp_flat(a, &flat) ||
	    ompp_classes(a, classes))
		return -ENOMEM;
	flat_constructs = ompp_analysis_array(a, flat.n + 1, 1, 0);
	if (!flat_constructs)
		return -ENOMEM;
	for (size_t i = 0; i < flat.n; i++)
		flat_constructs[i] = (uint8_t)flat.lines[i].construct;
#define TABLE(title, columns, array, n_of) \
	tables[n++] = (struct ompp_data_table){ title, columns, OMPP_COUNT_OF(columns), n_of, \
		                                array, NULL,    sizeof(*(array)),       0, \
		                                NULL }
	TABLE("regions", regions, p->regions, p->n_regions);
	TABLE("threads", threads, p->rows, p->n_rows);
	TABLE("paths", paths, path_rows, p->n_nodes);
	TABLE("cells", cells, p->cells, p->n_cells);
	tables[n - 1].second = of_cell;
	tables[n - 1].second_bytes = sizeof(*of_cell);
	tables[n - 1].constructs = constructs;
	TABLE("flat", flat_columns, flat.lines, flat.n);
	tables[n - 1].constructs = flat_constructs;
	TABLE("parallel", parallel, classes->list, classes->n);
	TABLE("waits", waits, p->waits, p->n_waits);
	TABLE("numa_counters", numa_values, p->numa_values, p->n_numa_values);
	TABLE("objects", objects, p->objects, p->n_objects);
	TABLE("accesses", accesses, p->accesses, p->n_accesses);
	TABLE("shared_lines", shared_lines, p->shared_lines, p->n_shared_lines);
	TABLE("patterns", patterns, p->patterns, p->n_patterns);
	TABLE("cache_levels", cache_levels, p->cache_levels, p->n_cache_levels);
	TABLE("samples", samples, p->samples, p->n_samples);
	TABLE("latencies", latencies, p->sample_histogram, p->n_sample_histogram);
	TABLE("sample_lines", sample_lines, p->sample_lines, p->n_sample_lines);
	TABLE("first_touches", first_touches, p->first_touches, p->n_first_touches);
	TABLE("uses", uses, p->uses, p->n_uses);
	TABLE("spots", spots, p->spots, p->n_spots);
	TABLE("extents", extents, p->extents, p->n_extents);
	TABLE("pages", pages, p->paged, p->n_paged);
	TABLE("hot_pages", hot_pages, p->hot_pages, p->n_hot_pages);
	TABLE("page_variables", page_variables, p->page_variables, p->n_page_variables);
	TABLE("placements", placements, p->placements, p->n_placements);
	TABLE("bindings", bindings, p->bindings, p->n_bindings);
	TABLE("numa_nodes", numa_nodes, p->numa_nodes, p->n_numa_list);
	TABLE("allocations", allocations, p->allocations, p->n_allocations);
	TABLE("instances", instances, p->instances, p->n_instances);
#undef TABLE
	return n;
}
