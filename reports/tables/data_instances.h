/*
 * Data instances: those blocks of an object that stand out, in the section on data.
 */
#ifndef OMPP_TABLES_DATA_INSTANCES_H
#define OMPP_TABLES_DATA_INSTANCES_H

#include "reports/tables/data_section.h"

/* Puts the table of the instances of the objects that are shown: into records, and into text where it was asked for.
 * Else text gets a sentence about those that have most of an object's accesses.  The section's usage needs analysis
 * and profile alone.  Returns 0 or -errno. */
int ompp_data_instances(const struct ompp_data_section *d, struct ompp_sheet *sheet);

#endif
