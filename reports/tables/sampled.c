/*
 * Sampled: see sampled.h.
 */
#include "reports/tables/sampled.h"

#include "runtime/base/array.h"

/* A share is kept in 10^-9, and shown in thousandths of a per cent.  No error is shown as less than a tenth of a per
 * cent. */
enum { SHARES_A_MILLI_PERCENT = 10000, LEAST_ERROR = 1000000 };

const char *ompp_sampled_kind(uint32_t kind)
{
	return kind == OMPP_MEM_STORES ? "stores" : "loads";
}

const char *ompp_sampled_none(const struct ompp_profile *p)
{
	if (p->sample_source[0])
		return "No access was sampled.";
	if (p->touched)
		return "No accesses were sampled, but first touches alone; ompp counters says what this machine can "
		       "sample.";
	return "No accesses were sampled; run the program by ompp run --sample, or set OMPP_SAMPLE=auto.";
}

/* Adds a column that has another title in text; a joined column stays beside the one before it. */
static void sampled_column(struct ompp_table *table, const char *title, const char *text_title, enum ompp_where where,
                           int joined)
{
	ompp_table_column(table, title, where);
	if (table->rc)
		return;
	table->columns[table->n_columns - 1].text_title = text_title;
	table->columns[table->n_columns - 1].joined = joined;
}

void ompp_sampled_accesses(const struct ompp_sampled_sum *sum, int is_text, struct ompp_table *table)
{
	int64_t error = sum->n ? ompp_sampled_error(sum) : OMPP_MISSING;
	int64_t accesses = sum->n ? sum->estimate : OMPP_MISSING;

	ompp_table_number(table, OMPP_KIND_METRIC, is_text ? ompp_round_to(accesses, error) : accesses);
	ompp_table_number(table, OMPP_KIND_METRIC, is_text ? ompp_round_to(error, error) : error);
}

/* ---- beside the times of a construct ---- */

/* Text has columns of rounded numbers, and records have others with all digits.  Each error stands beside its number.
 */
static void block_columns(const char *suffix, struct ompp_table *table)
{
	static const char *const records[] = { "sampled", "sampled +-", "latency", "latency +-" };
	static const char *const text[] = { "sampled", "+-", "latency", "+-" };
	enum { N = OMPP_COUNT_OF(text) };

	for (int i = 0; i < N; i++)
		sampled_column(table, ompp_table_title(records[i], suffix, table->arena), NULL, OMPP_IN_RECORDS, 0);
	for (int i = 0; i < N; i++) {
		int is_error = i % 2;
		const char *title = ompp_table_title(text[i], suffix, table->arena);

		sampled_column(table, title ? ompp_table_title(title, is_error ? "" : "~", table->arena) : NULL, NULL,
		               OMPP_IN_TEXT, i > 0);
		if (!table->rc && !is_error)
			table->columns[table->n_columns - 1].min_width = 10;
	}
}

void ompp_sampled_columns(int with_exclusive, struct ompp_table *table)
{
	block_columns(with_exclusive ? "/I" : "", table);
	if (with_exclusive)
		block_columns("/E", table);
}

/* Adds a number in thousandths and its error: rounded in text, with all digits in records. */
static void put_rough(int is_text, int64_t milli, int64_t error, struct ompp_table *table)
{
	if (is_text)
		ompp_table_rounded(table, milli, error);
	else
		ompp_table_decimal(table, (struct ompp_decimal){ milli, -3 });
}

void ompp_sampled_mean_columns(const struct ompp_sampled_look *look, struct ompp_table *table)
{
	enum ompp_where where = look->by_latency ? OMPP_IN_BOTH : OMPP_IN_RECORDS;

	sampled_column(table, "latency", "latency~", where, 0);
	sampled_column(table, "latency +-", "+-", where, 1);
}

void ompp_sampled_mean_values(const struct ompp_sampled_sum *sum, int is_text, struct ompp_table *table)
{
	int is_enough = !is_text || sum->n_timed >= OMPP_LEAST_SAMPLES;
	int64_t mean = is_enough ? ompp_sampled_mean(sum) : OMPP_MISSING;
	int64_t error = is_enough ? ompp_sampled_mean_error(sum) : OMPP_MISSING;

	put_rough(is_text, mean, error, table);
	put_rough(is_text, error, error, table);
}

static void block_values(const struct ompp_sampled_sum *sum, struct ompp_table *table)
{
	for (int is_text = 0; is_text < 2; is_text++) {
		ompp_sampled_accesses(sum, is_text, table);
		ompp_sampled_mean_values(sum, is_text, table);
	}
}

void ompp_sampled_values(int with_exclusive, const struct ompp_block *b, uint32_t row, struct ompp_table *table)
{
	struct ompp_sampled_sum sums[2] = { { 0 }, { 0 } };

	for (size_t line = 0; line < b->n_lines; line++)
		if (row == OMPP_NONE || b->line_of[row] == line) {
			ompp_sampled_add(&sums[0], &b->sampled[line]);
			ompp_sampled_add(&sums[1], &b->sampled_exclusive[line]);
		}
	block_values(&sums[0], table);
	if (with_exclusive)
		block_values(&sums[1], table);
}

/* ---- in tables of their own ---- */

void ompp_sampled_look(struct ompp_sampled_look *look, const struct ompp_profile *p, int is_text)
{
	*look = (struct ompp_sampled_look){ .is_text = is_text, .by_latency = ompp_sample_stats_has_latencies(p) };
	for (size_t i = 0; i < p->n_samples; i++) {
		uint32_t level = p->samples[i].sum.level;

		look->occurs[level] = 1;
		look->has_levels |= level != OMPP_MEM_LEVEL_UNKNOWN;
		look->has_homes |= p->samples[i].home != OMPP_NONE;
		look->has_many |= p->samples[i].n_far != 0;
	}
	look->has_many |= p->n_numa_nodes > 1;
}

void ompp_sampled_cost_columns(const struct ompp_sampled_look *look, struct ompp_table *table)
{
	sampled_column(table, "samples", NULL, OMPP_IN_BOTH, 0);
	sampled_column(table, "accesses", "accesses~", OMPP_IN_BOTH, 0);
	sampled_column(table, "accesses +-", "+-", OMPP_IN_BOTH, 1);
	sampled_column(table, look->by_latency ? "latency share" : "access share", "%~", OMPP_IN_BOTH, 1);
	sampled_column(table, look->by_latency ? "latency share +-" : "access share +-", "+-", OMPP_IN_BOTH, 1);
}

/* Adds a share or its error in per cent, rounded to the first digit of the error, but not finer than a tenth. */
static void put_percent(int64_t share, int64_t error, struct ompp_table *table)
{
	int64_t milli = 10 * (error / SHARES_A_MILLI_PERCENT), least = 1000;

	ompp_table_rounded(table, share / SHARES_A_MILLI_PERCENT, milli > least ? milli : least);
}

void ompp_sampled_share(int64_t share, int64_t error, int is_text, struct ompp_table *table)
{
	if (!is_text || share == OMPP_MISSING || error == OMPP_MISSING) {
		ompp_table_number(table, OMPP_KIND_SHARE, share);
		ompp_table_number(table, OMPP_KIND_SHARE, error);
	} else {
		put_percent(share, error, table);
		put_percent(error < LEAST_ERROR ? LEAST_ERROR : error, error, table);
	}
}

void ompp_sampled_share_alone(int64_t share, int64_t error, struct ompp_table *table)
{
	if (share == OMPP_MISSING || error == OMPP_MISSING)
		ompp_table_number(table, OMPP_KIND_SHARE, OMPP_MISSING);
	else
		put_percent(share, error, table);
}

void ompp_sampled_cost_values(const struct ompp_sampled_look *look, const struct ompp_sampled_sum *sum,
                              unsigned __int128 variance, struct ompp_table *table)
{
	int64_t cost = ompp_sampled_cost(look->by_latency, sum), share = ompp_share(cost, look->cost);
	int64_t error = ompp_sample_stats_cost_error(cost, variance, look->cost, look->variance);

	if (look->by_latency && !sum->n_timed)
		share = error = OMPP_MISSING;
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(sum->n));
	ompp_sampled_accesses(sum, look->is_text, table);
	ompp_sampled_share(share, error, look->is_text, table);
}

static void quantile_columns(const struct ompp_sampled_look *look, const char *name, const char *text_title,
                             struct ompp_table *table)
{
	sampled_column(table, name, text_title, look->by_latency ? OMPP_IN_TEXT : OMPP_IN_RECORDS, 1);
	sampled_column(table, ompp_table_title(name, " at least", table->arena), NULL, OMPP_IN_RECORDS, 1);
	sampled_column(table, ompp_table_title(name, " at most", table->arena), NULL, OMPP_IN_RECORDS, 1);
}

void ompp_sampled_latency_columns(const struct ompp_sampled_look *look, struct ompp_table *table)
{
	ompp_sampled_mean_columns(look, table);
	quantile_columns(look, "median", "median~", table);
	quantile_columns(look, "95 %", "95 %~", table);
}

static void quantile_values(const struct ompp_sample_stats *s, unsigned int percent, int is_enough,
                            struct ompp_table *table)
{
	uint32_t least = 0, most = 0;
	int is_known = ompp_sample_stats_quantile(s, percent, &least, &most);

	if (is_known && is_enough)
		ompp_table_range(table, least, most);
	else
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_COUNT, is_known ? least : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_COUNT, is_known ? most : OMPP_MISSING);
}

void ompp_sampled_latency_values(const struct ompp_sampled_look *look, const struct ompp_sample_stats *s,
                                 struct ompp_table *table)
{
	int is_enough = !look->is_text || s->sum.n_timed >= OMPP_LEAST_SAMPLES;

	ompp_sampled_mean_values(&s->sum, look->is_text, table);
	quantile_values(s, 50, is_enough, table);
	quantile_values(s, 95, is_enough, table);
}

void ompp_sampled_level_columns(const struct ompp_sampled_look *look, struct ompp_table *table)
{
	int is_first = 1;

	for (uint32_t i = 0; i < OMPP_MEM_N_LEVELS; i++) {
		uint32_t level = (i + 1) % OMPP_MEM_N_LEVELS; /* unknown is the last one */

		sampled_column(table, ompp_sample_stats_level_name(level), ompp_sample_stats_level_title(level),
		               look->occurs[level] && look->has_levels ? OMPP_IN_BOTH : OMPP_IN_RECORDS, !is_first);
		is_first = is_first && !look->occurs[level];
	}
	sampled_column(table, "levels +-", "+-", look->has_levels ? OMPP_IN_BOTH : OMPP_IN_RECORDS, 1);
	sampled_column(table, "other node", "far", look->has_homes && look->has_many ? OMPP_IN_BOTH : OMPP_IN_RECORDS,
	               1);
}

/* Adds the share of k of n samples: in text in per cent, with the digits that are significant by its error. */
static void put_share(const struct ompp_sampled_look *look, uint64_t k, uint64_t n, struct ompp_table *table)
{
	int64_t share = ompp_share(ompp_count(k), ompp_count(n)), error = ompp_sample_stats_share_error(k, n);

	if (!look->is_text)
		ompp_table_number(table, OMPP_KIND_SHARE, share);
	else if (n < OMPP_LEAST_SAMPLES)
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	else
		put_percent(share, error, table);
}

void ompp_sampled_level_values(const struct ompp_sampled_look *look, const struct ompp_sample_stats *s,
                               struct ompp_table *table)
{
	uint64_t n_known = ompp_sample_stats_n_levels(s), n = n_known ? s->sum.n : 0;
	int64_t error = ompp_sample_stats_level_error(s);

	for (uint32_t level = 1; level < OMPP_MEM_N_LEVELS; level++)
		put_share(look, s->levels[level], n, table);
	put_share(look, s->levels[OMPP_MEM_LEVEL_UNKNOWN], s->sum.n, table);
	if (!look->is_text)
		ompp_table_number(table, OMPP_KIND_SHARE, error);
	else if (n < OMPP_LEAST_SAMPLES)
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	else
		put_percent(error < LEAST_ERROR ? LEAST_ERROR : error, error, table);
	put_share(look, s->n_far, s->n_homed, table);
}
