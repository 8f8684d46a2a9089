/*
 * NUMA table: the sums of numa.h as a small table below that of the region.
 */
#ifndef OMPP_TABLES_NUMA_TABLE_H
#define OMPP_TABLES_NUMA_TABLE_H

#include "reports/analysis/numa.h"
#include "reports/tables/table.h"

/* Fills in heading, columns and rows. words stand behind the number of the region in the heading. */
void ompp_numa_table(const struct ompp_analysis *a, const struct ompp_region *region, const char *words,
                     struct ompp_table *table);

#endif
