/*
 * Data facts: what General Information says of data objects and of the modelled caches.
 */
#ifndef OMPP_TABLES_DATA_FACTS_H
#define OMPP_TABLES_DATA_FACTS_H

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"
#include "runtime/base/text.h"

/* Adds the lines for a profile that has objects. t is an empty text for their values.  Returns 0 or -ENOMEM. */
int ompp_data_facts(const struct ompp_analysis *a, struct ompp_table *table, struct ompp_text *t);

#endif
