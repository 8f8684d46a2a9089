/*
 * Fact: see fact.h.
 */
#include "reports/tables/fact.h"

#include <errno.h>

void ompp_fact(struct ompp_table *table, const char *label, struct ompp_text *t)
{
	char *copy = ompp_arena_strdup(table->arena, t->data);

	if (!copy)
		table->rc = -ENOMEM;
	ompp_table_text(table, label);
	ompp_table_text(table, copy);
	t->n_bytes = 0;
	t->data[0] = '\0';
}

void ompp_text_fact(struct ompp_table *table, const char *label, const char *value)
{
	ompp_table_text(table, label);
	ompp_table_text(table, value);
}

void ompp_number_fact(struct ompp_table *table, const char *label, int64_t value)
{
	ompp_table_text(table, label);
	ompp_table_number(table, OMPP_KIND_COUNT, value);
}

/* Computes with years that begin in March, so that the leap day is their last day. */
void ompp_fact_date(struct ompp_text *t, int64_t unix_ns, int64_t offset_s)
{
	static const char weekdays[] = "ThuFriSatSunMonTueWed", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	int64_t offset = offset_s > -86400 && offset_s < 86400 ? offset_s : 0, s = unix_ns / 1000000000 + offset;
	int64_t day = s / 86400 - (s % 86400 < 0), second = s - day * 86400;
	int64_t shifted = day + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	int64_t of_era = shifted - era * 146097;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
	int64_t date = of_year - (153 * month + 2) / 5 + 1, weekday = (day % 7 + 7) % 7;
	size_t from;

	month += month < 10 ? 2 : -10;
	ompp_text_strn(t, weekdays + 3 * weekday, 3);
	ompp_text_char(t, ' ');
	ompp_text_strn(t, months + 3 * month, 3);
	ompp_text_char(t, ' ');
	from = t->n_bytes;
	ompp_text_i64(t, date);
	ompp_text_pad_left(t, from, 2);
	ompp_text_char(t, ' ');
	ompp_text_zeros(t, (uint64_t)(second / 3600), 2);
	ompp_text_char(t, ':');
	ompp_text_zeros(t, (uint64_t)(second / 60 % 60), 2);
	ompp_text_char(t, ':');
	ompp_text_zeros(t, (uint64_t)(second % 60), 2);
	ompp_text_char(t, ' ');
	ompp_text_i64(t, year + era * 400 + (month <= 1));
	if (!offset) {
		ompp_text_str(t, " UTC");
		return;
	}
	ompp_text_str(t, offset < 0 ? " -" : " +");
	ompp_text_zeros(t, (uint64_t)(offset < 0 ? -offset : offset) / 3600, 2);
	ompp_text_zeros(t, (uint64_t)(offset < 0 ? -offset : offset) / 60 % 60, 2);
}
