/*
 * Rank spread: see rank_spread.h.
 */
#include "reports/ranks/rank_spread.h"

#include <string.h>

#include "reports/profile/number.h"
#include "reports/profile/profile.h"

void ompp_rank_spread_add(struct ompp_rank_spread *s, int64_t number, const char *rank)
{
	if (number == OMPP_MISSING)
		return;
	if (!s->n || number < s->least) {
		s->least = number;
		s->least_rank = rank;
	}
	if (!s->n || number > s->most) {
		s->most = number;
		s->most_rank = rank;
	}
	s->all += number;
	s->n++;
}

void ompp_rank_spread_columns(struct ompp_table *table, int has_errors)
{
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	ompp_table_wide_column(table, "least");
	ompp_table_left_column(table, "rank", OMPP_IN_TEXT);
	ompp_table_wide_column(table, "mean");
	ompp_table_wide_column(table, "most");
	ompp_table_left_column(table, "rank", OMPP_IN_TEXT);
	ompp_table_wide_time_column(table, "SUM", has_errors);
}

/* Puts a number of a rank, and the rank's name; "all" where all ranks have the same number. */
static void put_of_rank(struct ompp_table *table, enum ompp_kind kind, int64_t number, const char *label,
                        const struct ompp_rank_spread *t)
{
	ompp_table_number(table, label ? kind : OMPP_KIND_NONE, label ? number : OMPP_MISSING);
	if (label && t->least == t->most && t->n > 1)
		ompp_table_text(table, "all");
	else
		ompp_table_text(table, label ? ompp_arena_strndup(table->arena, label, strcspn(label, ":")) : "-");
}

static void put_mean(struct ompp_table *table, enum ompp_kind kind, const struct ompp_rank_spread *t)
{
	__int128 milli = t->n ? t->all * 1000 / t->n : 0;

	if (!t->n)
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	else if (kind == OMPP_KIND_TIME || !(t->all % t->n) || milli > INT64_MAX)
		ompp_table_number(table, kind, (int64_t)(t->all / t->n));
	else
		ompp_table_decimal(table, ompp_decimal((int64_t)milli, -3));
}

void ompp_rank_spread_put(struct ompp_table *table, enum ompp_kind kind, const struct ompp_rank_spread *s)
{
	put_of_rank(table, kind, s->least, s->least_rank, s);
	put_mean(table, kind, s);
	put_of_rank(table, kind, s->most, s->most_rank, s);
}
