/*
 * Counted: the columns of counters, and of what is computed from them, behind a construct's times.
 */
#ifndef OMPP_COUNTED_H
#define OMPP_COUNTED_H

#include "reports/views/layout.h"

/* has_counters: counters cover the construct; else it has only what needs none.  with_exclusive: inclusive and
 * exclusive numbers beside each other. */
void ompp_counted_columns(const struct ompp_analysis *a, int has_counters, int with_exclusive,
                          struct ompp_table *table);
void ompp_counted_values(const struct ompp_analysis *a, int has_counters, int with_exclusive,
                         const struct ompp_line *line, struct ompp_table *table);

/* The name and unit of metric number i as text shows them, "cas_count_read~ in MiB": with a mark where it is not exact;
 * a name that is too long is the variable that General Information explains.  In the arena, or NULL without memory. */
const char *ompp_counted_name(const struct ompp_metric *metric, size_t i, struct ompp_arena *arena);

/* At the end of a section, in text: what the mark means; nothing where nothing has it. */
int ompp_counted_legend(const struct ompp_analysis *a, struct ompp_sheet *sheet);

#endif
