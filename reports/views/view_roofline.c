/*
 * Roofline: operations and bytes of each region and of its objects, how many operations there are to a byte, what that
 * is a second, and which of the machine's roofs is nearest.
 */
#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/bounds/roof_use.h"
#include "reports/bounds/roofline.h"
#include "reports/findings/finding_say.h"
#include "reports/tables/data_section.h"
#include "reports/tables/fit.h"
#include "reports/tables/table_region.h"
#include "reports/tables/view.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { TITLE_BYTES = 64, SENTENCE_BYTES = 2048, MOST_OBJECTS = 8, RATIO_SCALE = 1000000 };

struct roofline_view {
	const struct ompp_analysis *a;
	const struct ompp_roofline *r;
	struct ompp_data_section data;
	int is_text;
};

/* ---- values ---- */

/* Puts part / whole × 10^exponent; "-" when one is not known. */
static void put_ratio(struct ompp_table *table, int64_t part, int64_t whole, int32_t exponent)
{
	__int128 ratio;

	if (part == OMPP_MISSING || whole == OMPP_MISSING || whole <= 0) {
		ompp_table_number(table, OMPP_KIND_NONE, 0);
		return;
	}
	ratio = (__int128)part * RATIO_SCALE / whole;
	ompp_table_decimal(table, ompp_decimal(ratio < INT64_MAX ? (int64_t)ratio : INT64_MAX, exponent - 6));
}

/* Puts an amount a second, in 10^9: amount / ns is just that. */
static void put_rate(struct ompp_table *table, int64_t amount, int64_t ns)
{
	put_ratio(table, amount, ns, 0);
}

/* Puts a share as per cent; it may be above 100, as a roof is what was measured once, and not a law. */
static void put_percent(struct ompp_table *table, int64_t share)
{
	put_ratio(table, share, 10000000, 0);
}

/* Returns a title with the name of a level in it, "flop/B L1". */
static const char *level_title(const struct roofline_view *v, const char *before, int level, const char *behind)
{
	char buffer[TITLE_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, before);
	ompp_text_char(&t, 'L');
	ompp_text_u64(&t, (uint64_t)level + 1);
	ompp_text_str(&t, behind);
	return ompp_arena_strdup(v->a->arena, buffer);
}

/* Returns "R00002 stream.c (13-14)", or an object below it. */
static const char *line_label(const struct roofline_view *v, const struct ompp_roofline_line *line)
{
	char buffer[OMPP_FIT_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	if (line->object != OMPP_NONE)
		ompp_text_str(&t, "  ");
	ompp_fit_middle(&t,
	                line->object == OMPP_NONE ? ompp_region_label(v->a, &v->a->profile->regions[line->region])
	                                          : ompp_data_short_name(&v->data, line->object),
	                OMPP_FIT_NAME_COLUMNS);
	return ompp_arena_strdup(v->a->arena, buffer);
}

/* ---- text: what was done ---- */

static void amount_columns(const struct roofline_view *v, struct ompp_table *table)
{
	ompp_table_left_column(table, "region, object", OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "flops", "bytes");
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i))
			ompp_table_column(table, level_title(v, "below ", i, "~"), OMPP_IN_BOTH);
	ompp_table_column(table, "flop/byte", OMPP_IN_BOTH);
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i))
			ompp_table_column(table, level_title(v, "below ", i, "~"), OMPP_IN_BOTH);
}

static void amount_row(const struct roofline_view *v, const struct ompp_roofline_line *line,
                       const struct ompp_roofline_line *region, struct ompp_table *table)
{
	ompp_table_text(table, line_label(v, line));
	ompp_table_number(table, OMPP_KIND_METRIC, line->flops);
	ompp_table_number(table, OMPP_KIND_METRIC, line->bytes);
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i))
			ompp_table_number(table, OMPP_KIND_METRIC, ompp_roofline_below(line, i));
	put_ratio(table, line == region ? line->flops : OMPP_MISSING, line->bytes, 0);
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i))
			put_ratio(table, line == region ? line->flops : OMPP_MISSING, ompp_roofline_below(line, i), 0);
}

static int put_amounts(const struct roofline_view *v, struct ompp_sheet *sheet)
{
	const struct ompp_roofline_line *region = NULL;
	size_t n_objects = 0;

	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "",
	                 "Operations and bytes of each region, with those below it, and of its objects:");
	amount_columns(v, &sheet->table);
	for (size_t i = 0; i < v->r->n; i++) {
		const struct ompp_roofline_line *line = &v->r->lines[i];

		region = line->object == OMPP_NONE ? line : region;
		n_objects = line->object == OMPP_NONE ? 0 : n_objects + 1;
		if (n_objects <= MOST_OBJECTS)
			amount_row(v, line, region, &sheet->table);
	}
	return sheet->put(sheet);
}

/* ---- text: how fast ---- */

static void rate_columns(const struct roofline_view *v, struct ompp_table *table)
{
	ompp_table_left_column(table, "region", OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "time", "Gflop/s", "GB/s");
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i))
			ompp_table_column(table, level_title(v, "below ", i, "~"), OMPP_IN_BOTH);
	ompp_table_left_column(table, "roof", OMPP_IN_BOTH);
	ompp_table_column(table, "of it (%)", OMPP_IN_BOTH);
	ompp_table_left_column(table, "bound by", OMPP_IN_BOTH);
}

/* Returns the name of the nearest roof, "memory"; "-" without one. */
static const char *roof_name(const struct ompp_roofline_line *line)
{
	return line->nearest ? line->nearest->roof->name : "-";
}

/* Returns what bounds the region, with the level where that is one: "L2 bandwidth". */
static const char *ceiling_text(const struct roofline_view *v, const struct ompp_roofline_line *line)
{
	char buffer[TITLE_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	if (line->ceiling == OMPP_CEILING_BYTES) {
		ompp_text_str(&t, roof_name(line));
		ompp_text_char(&t, ' ');
	}
	ompp_text_str(&t, ompp_ceiling_name(line->ceiling));
	return ompp_arena_strdup(v->a->arena, buffer);
}

static void rate_row(const struct roofline_view *v, const struct ompp_roofline_line *line, struct ompp_table *table)
{
	ompp_table_text(table, line_label(v, line));
	ompp_table_number(table, OMPP_KIND_TIME, line->wall_ns);
	put_rate(table, line->flops, line->wall_ns);
	put_rate(table, line->bytes, line->wall_ns);
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i))
			put_rate(table, ompp_roofline_below(line, i), line->wall_ns);
	ompp_table_text(table, roof_name(line));
	put_percent(table, line->share);
	ompp_table_text(table, ceiling_text(v, line));
}

static int put_rates(const struct roofline_view *v, struct ompp_sheet *sheet)
{
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "", "Rates, and the nearest roof:");
	rate_columns(v, &sheet->table);
	for (size_t i = 0; i < v->r->n; i++)
		if (v->r->lines[i].object == OMPP_NONE)
			rate_row(v, &v->r->lines[i], &sheet->table);
	return sheet->put(sheet);
}

/* ---- records ---- */

static void record_columns(const struct roofline_view *v, struct ompp_table *table)
{
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_RECORDS, "object", "threads", "flops", "intops", "divisions", "accesses",
	                   "bytes", "flop/byte");
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i)) {
			ompp_table_column(table, level_title(v, "fetched below ", i, " (modelled)"), OMPP_IN_RECORDS);
			ompp_table_column(table, level_title(v, "written below ", i, " (modelled)"), OMPP_IN_RECORDS);
			ompp_table_column(table, level_title(v, "flop/byte below ", i, " (modelled)"), OMPP_IN_RECORDS);
		}
	ompp_table_columns(table, OMPP_IN_RECORDS, "times of", "wall time", "overhead", "Gflop/s", "GB/s");
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i))
			ompp_table_column(table, level_title(v, "GB/s below ", i, " (modelled)"), OMPP_IN_RECORDS);
	ompp_table_columns(table, OMPP_IN_RECORDS, "roof", "of roof (%)", "bound by");
}

/* Returns whose times they are: "plain.ompp", or "this run"; "-" where there are none. */
static const char *times_name(const struct roofline_view *v, const struct ompp_roofline_line *line)
{
	if (line->wall_ns == OMPP_MISSING)
		return "-";
	return v->a->times ? v->a->times->file : "this run";
}

static void record_row(const struct roofline_view *v, const struct ompp_roofline_line *line, struct ompp_table *table)
{
	const struct ompp_region *region = &v->a->profile->regions[line->region];
	int is_region = line->object == OMPP_NONE;

	ompp_region_values(table, region, region->construct);
	ompp_table_text(table, is_region ? "" : v->a->profile->objects[line->object].name);
	ompp_table_number(table, OMPP_KIND_COUNT, is_region ? line->n_threads : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_COUNT, line->flops);
	ompp_table_number(table, OMPP_KIND_COUNT, line->intops);
	ompp_table_number(table, OMPP_KIND_COUNT, line->n_divisions);
	ompp_table_number(table, OMPP_KIND_COUNT, line->n_accesses);
	ompp_table_number(table, OMPP_KIND_COUNT, line->bytes);
	put_ratio(table, line->flops, line->bytes, 0);
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i)) {
			ompp_table_number(table, OMPP_KIND_COUNT, line->fetched[i]);
			ompp_table_number(table, OMPP_KIND_COUNT, line->written[i]);
			put_ratio(table, line->flops, ompp_roofline_below(line, i), 0);
		}
	ompp_table_text(table, times_name(v, line));
	ompp_table_number(table, OMPP_KIND_TIME, line->wall_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, line->overhead);
	put_rate(table, line->flops, line->wall_ns);
	put_rate(table, line->bytes, line->wall_ns);
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		if (ompp_roofline_has_level(v->a, i))
			put_rate(table, ompp_roofline_below(line, i), line->wall_ns);
	ompp_table_text(table, is_region ? roof_name(line) : "");
	put_percent(table, line->share);
	ompp_table_text(table, is_region ? ceiling_text(v, line) : "");
}

static int put_records(const struct roofline_view *v, struct ompp_sheet *sheet)
{
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "roofline by region", "");
	record_columns(v, &sheet->table);
	for (size_t i = 0; i < v->r->n; i++)
		record_row(v, &v->r->lines[i], &sheet->table);
	return sheet->put(sheet);
}

/* ---- the machine ---- */

static const char *roofs_heading(const struct roofline_view *v)
{
	const struct ompp_roofs *roofs = v->a->roofs;
	char buffer[SENTENCE_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "Roofs of ");
	ompp_fit_name(&t, roofs->host, v->a->arena);
	ompp_text_str(&t, roofs->cpu[0] ? ", " : "");
	ompp_fit_name(&t, roofs->cpu, v->a->arena);
	ompp_text_str(&t, ", measured ");
	ompp_fit_name(&t, roofs->date, v->a->arena);
	if (roofs->others > OMPP_ROOFS_MOST_OTHERS) {
		ompp_text_str(&t, " (busy: others used ");
		ompp_text_fixed(&t, roofs->others, 7, 0);
		ompp_text_str(&t, " % of its processors)");
	}
	ompp_text_char(&t, ':');
	return ompp_arena_strdup(v->a->arena, buffer);
}

static const char *const roof_units[OMPP_N_ROOF_KINDS] = {
	[OMPP_ROOF_FLOPS] = "Gflop/s", [OMPP_ROOF_DIVISIONS] = "Gdiv/s", [OMPP_ROOF_BYTES] = "GB/s"
};

static void roof_row(const struct ompp_roof *roof, struct ompp_table *table)
{
	ompp_table_text(table, roof->name);
	ompp_table_text(table, roof_units[roof->kind]);
	ompp_table_number(table, OMPP_KIND_COUNT, roof->n_threads);
	ompp_table_decimal(table, ompp_decimal(roof->rate, -9));
	put_percent(table, roof->spread);
}

/* Puts all roofs; in text those of as many threads as regions have. */
static int put_roofs(const struct roofline_view *v, struct ompp_sheet *sheet)
{
	const struct ompp_roofs *roofs = v->a->roofs;
	uint32_t least = v->is_text ? OMPP_NONE : 0;

	for (size_t i = 0; i < v->r->n; i++)
		if (v->r->lines[i].object == OMPP_NONE && v->r->lines[i].n_threads < least)
			least = v->r->lines[i].n_threads;
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "roofs", roofs_heading(v));
	ompp_table_left_columns(&sheet->table, OMPP_IN_BOTH, "roof", "unit");
	ompp_table_columns(&sheet->table, OMPP_IN_BOTH, "threads", "rate", "spread (%)");
	for (size_t i = 0; i < roofs->n; i++)
		if (roofs->list[i].n_threads >= (least < roofs->n_threads ? least : roofs->n_threads))
			roof_row(&roofs->list[i], &sheet->table);
	return sheet->put(sheet);
}

/* ---- sentences ---- */

static void say_times(const struct roofline_view *v, struct ompp_text *t)
{
	const struct ompp_profile *p = v->a->profile;

	if (v->a->times) {
		ompp_text_str(t, "Times are those of ");
		ompp_fit_name(t, v->a->times->file, v->a->arena);
		ompp_text_str(t, ". ");
	} else if (ompp_profile_is_emulated(p)) {
		ompp_text_str(t, "Times are the emulator's and not the program's, so there are no rates: --times=FILE "
		                 "takes them from a run without it. ");
	} else if (p->hooked) {
		ompp_text_str(t, "Times include the access hooks and are not the program's, so there are no rates: "
		                 "--times=FILE takes them from a run of a build without hooks (kinst --no-access). ");
	} else {
		ompp_text_str(t, "Times are those of this run, which counted its operations. ");
	}
}

/* Says that times are longer than the program's, as others had the processors. */
static void say_delayed(const struct roofline_view *v, struct ompp_text *t)
{
	if (!v->r->has_times || v->r->delayed <= OMPP_ROOFLINE_MOST_DELAYED)
		return;
	ompp_text_str(t, "For ");
	ompp_say_share(t, v->r->delayed);
	ompp_text_str(t,
	              " of that run its threads had no processor, so rates are too low, and what is far from all roofs "
	              "has no verdict: measure while nothing else runs. ");
}

static void say_missing(const struct roofline_view *v, struct ompp_text *t)
{
	int is_emulated = ompp_profile_is_emulated(v->a->profile);

	if (!v->r->has_flops)
		ompp_text_str(t, is_emulated ? "Operations were not counted: run with OMPP_CTR=@roofline. "
		                             : "Operations were not counted: build with kinst --work, run with "
		                               "OMPP_CTR=@roofline. ");
	if (!v->r->has_bytes)
		ompp_text_str(t, "Bytes were not counted: build with kinst --access. ");
	else if (!v->a->profile->n_cache_levels)
		ompp_text_str(t, "Caches were not modelled: run with OMPP_CACHE=1. ");
	if (v->a->profile->n_merged > 1)
		ompp_text_str(t,
		              "One machine's roofs do not bound the sums of several processes: give the profile of one "
		              "rank for a verdict. ");
	else if (!v->a->roofs)
		ompp_text_str(t, "The machine's roofs are not known: 'ompp machine' measures them. ");
}

/* Says that roofs are those of a machine that this process may have had to share. */
static void say_shared(const struct roofline_view *v, struct ompp_text *t)
{
	const struct ompp_profile *p = v->a->profile;

	if (p->n_merged || p->mpi_size < 2 || !v->a->roofs)
		return;
	ompp_text_str(t, "This is one of ");
	ompp_text_i64(t, p->mpi_size);
	ompp_text_str(t, " ranks: what others on its machine took of the roofs is not in its shares. ");
}

static const char *legend(const struct roofline_view *v)
{
	char buffer[SENTENCE_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	say_times(v, &t);
	say_delayed(v, &t);
	say_missing(v, &t);
	say_shared(v, &t);
	ompp_text_str(&t,
	              "Operations and bytes of the program are exact counts. ~: below a cache, modelled: lines that "
	              "it fetched, and wrote back. Gflop/s, GB/s: by wall-clock time, waiting included. roof: the one "
	              "at which the region would take longest; of it: that time as a share of the region's. spread: "
	              "how far the median of repeated measurements is below the best. ompp-roofline(7) has the "
	              "formulas.");
	return ompp_arena_strdup(v->a->arena, buffer);
}

/* Says of each region without a time why, and which regions of the other profile have no counts. */
static int say_unmatched(const struct roofline_view *v, struct ompp_sheet *sheet)
{
	const struct ompp_times *times = v->a->times;
	struct ompp_table *table = &sheet->table;

	if (!times)
		return 0;
	ompp_table_start(table, OMPP_STYLE_LINES, "roofline without times", "");
	ompp_table_column(table, "", OMPP_IN_BOTH);
	for (size_t i = 0; i < v->r->n; i++)
		if (v->r->lines[i].object == OMPP_NONE && times->why[v->r->lines[i].region])
			ompp_table_text(table, times->why[v->r->lines[i].region]);
	for (size_t i = 0; i < times->n_others; i++)
		ompp_table_text(table, times->others[i]);
	return table->n_values ? sheet->put(sheet) : 0;
}

static int roofline_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct roofline_view v = { .a = a, .r = ompp_roofline(a), .is_text = sheet->prints == OMPP_IN_TEXT };
	int rc = v.r ? ompp_data_start(&v.data, a, sheet) : -ENOMEM;

	if (!rc && v.r->n && v.is_text)
		rc = put_amounts(&v, sheet);
	if (!rc && v.r->n && v.is_text)
		rc = put_rates(&v, sheet);
	if (!rc && !v.is_text)
		rc = put_records(&v, sheet);
	if (!rc && a->roofs)
		rc = put_roofs(&v, sheet);
	if (!rc)
		rc = say_unmatched(&v, sheet);
	return rc ? rc : ompp_data_remark(legend(&v), sheet);
}

static int roofline_is_empty(const struct ompp_analysis *a)
{
	return !ompp_roofline_is_there(a->profile);
}

const struct ompp_view ompp_view_roofline = {
	.title = "Roofline", .tag = "roofline", .build = roofline_build, .is_empty = roofline_is_empty
};
