/*
 * Region: see region.h.
 */
#include "reports/views/region.h"

#include "reports/analysis/label.h"
#include "runtime/base/array.h"

void ompp_region_columns(struct ompp_table *table)
{
	static const char *const titles[] = { "region", "type", "file", "begin", "end", "name" };

	for (size_t i = 0; i < OMPP_COUNT_OF(titles); i++)
		ompp_table_column(table, titles[i], OMPP_IN_RECORDS);
}

void ompp_region_values(struct ompp_table *table, const struct ompp_region *region, enum ompp_construct construct)
{
	ompp_table_text(table, ompp_region_tag(region, "", table->arena));
	ompp_table_text(table, ompp_construct_name(construct));
	ompp_table_text(table, region->file);
	ompp_table_number(table, OMPP_KIND_COUNT, region->begin_line);
	ompp_table_number(table, OMPP_KIND_COUNT, region->end_line);
	ompp_table_text(table, region->name);
}

void ompp_region_record(struct ompp_table *table, const struct ompp_region *region, enum ompp_construct construct)
{
	ompp_record_text(table, ompp_region_tag(region, "", table->arena));
	ompp_record_text(table, ompp_construct_name(construct));
	ompp_record_text(table, region->file);
	ompp_record_number(table, region->begin_line);
	ompp_record_number(table, region->end_line);
	ompp_record_text(table, region->name);
}
