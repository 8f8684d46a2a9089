/*
 * Data instances: those blocks of an object that stand out, in the section on data.
 */
#ifndef OMPP_TABLES_DATA_INSTANCES_H
#define OMPP_TABLES_DATA_INSTANCES_H

#include "reports/tables/data_section.h"

/* Puts the table of the instances of the objects that are shown: always into records, and into text if it was asked
 * for.  Otherwise text gets a sentence about the instances with most of an object's accesses.  Of the section's usage
 * only analysis and profile are needed.  Returns 0 or -errno. */
int ompp_data_instances(const struct ompp_data_section *d, struct ompp_sheet *sheet);

#endif
