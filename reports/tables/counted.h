/*
 * Counted: the columns of counters, and of numbers computed from them, behind the times of a construct.
 */
#ifndef OMPP_COUNTED_H
#define OMPP_COUNTED_H

#include "reports/tables/line.h"
#include "reports/tables/view.h"

/* Add the columns, and the values of a line.
 *
 *   has_counters: 1 if counters cover the construct; otherwise only numbers that need no counters have columns
 *
 *   with_exclusive: inclusive and exclusive numbers stand beside each other */
void ompp_counted_columns(const struct ompp_analysis *a, int has_counters, int with_exclusive,
                          struct ompp_table *table);
void ompp_counted_values(const struct ompp_analysis *a, int has_counters, int with_exclusive,
                         const struct ompp_line *line, struct ompp_table *table);

/* Returns the name and unit of metric number i as text shows them, "cas_count_read~ in MiB", with a mark where it is
 * not exact.  A name that is too long is replaced by the variable that asked for it, which General Information
 * explains.  It is in the arena; NULL without memory. */
const char *ompp_counted_name(const struct ompp_metric *metric, size_t i, struct ompp_arena *arena);

/* Puts the meaning of the mark at the end of a section, in text, where something has it.  Returns 0 or -errno. */
int ompp_counted_legend(const struct ompp_analysis *a, struct ompp_sheet *sheet);

#endif
