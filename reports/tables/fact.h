/*
 * Fact: a line "label : value" of a section.
 */
#ifndef OMPP_TABLES_FACT_H
#define OMPP_TABLES_FACT_H

#include "reports/tables/table.h"
#include "runtime/base/text.h"

/* Adds a line whose value is a copy of the text t. t is empty afterwards. */
void ompp_fact(struct ompp_table *table, const char *label, struct ompp_text *t);

/* Add a line whose value lives as long as the table, and one whose value is a number. */
void ompp_text_fact(struct ompp_table *table, const char *label, const char *value);
void ompp_number_fact(struct ompp_table *table, const char *label, int64_t value);

/* Adds a date to a text, "Fri Nov 20 21:10:58 2026 UTC".  Older profiles have the offset of their local time; then the
 * date is in local time, "Fri Nov 20 22:10:58 2026 +0100". */
void ompp_fact_date(struct ompp_text *t, int64_t unix_ns, int64_t offset_s);

#endif
