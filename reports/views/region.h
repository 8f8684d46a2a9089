/*
 * Region: how all sections name a region in records.
 */
#ifndef OMPP_VIEWS_REGION_H
#define OMPP_VIEWS_REGION_H

#include "reports/profile/profile.h"
#include "reports/views/table.h"

/* Add the columns that identify a region in records ("R00004", type, file, begin, end, name), and its values; or its
 * values as a record above the table. */
void ompp_region_columns(struct ompp_table *table);
void ompp_region_values(struct ompp_table *table, const struct ompp_region *region, enum ompp_construct construct);
void ompp_region_record(struct ompp_table *table, const struct ompp_region *region, enum ompp_construct construct);

#endif
