/*
 * Layouts: the columns with the share of an object's accesses that would be far with each layout of its memory.
 */
#ifndef OMPP_TABLES_LAYOUTS_H
#define OMPP_TABLES_LAYOUTS_H

#include "reports/placing/placing.h"
#include "reports/tables/table.h"

void ompp_layouts_columns(int is_text, struct ompp_table *table);

/* share, error: of what is far now, in 10^-9
 * numbers: of places */
void ompp_layouts_values(const struct ompp_choice *choice, int64_t share, int64_t error, const uint32_t *numbers,
                         int is_text, struct ompp_table *table);

#endif
