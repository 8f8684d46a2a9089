/*
 * View: the list of sections, and how all of them name a region in records.
 */
#include "reports/views/view.h"

#include "reports/views/label.h"

const struct ompp_view *const ompp_views[] = {
	&ompp_view_summary, &ompp_view_general, &ompp_view_overview, &ompp_view_callgraph, &ompp_view_flat, &ompp_view_callpath,
	&ompp_view_overhead, &ompp_view_data, &ompp_view_properties, NULL
};

void ompp_view_region_columns(struct ompp_table *table)
{
	static const char *const titles[] = { "region", "type", "file", "begin", "end", "name" };

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		ompp_table_column(table, titles[i], OMPP_IN_RECORDS);
}

void ompp_view_region_values(struct ompp_table *table, const struct ompp_region *region,
                             enum ompp_construct construct)
{
	ompp_table_text(table, ompp_region_tag(region, "", table->arena));
	ompp_table_text(table, ompp_construct_name(construct));
	ompp_table_text(table, region->file);
	ompp_table_number(table, OMPP_KIND_COUNT, region->begin_line);
	ompp_table_number(table, OMPP_KIND_COUNT, region->end_line);
	ompp_table_text(table, region->name);
}

void ompp_view_region_record(struct ompp_table *table, const struct ompp_region *region,
                             enum ompp_construct construct)
{
	ompp_record_text(table, ompp_region_tag(region, "", table->arena));
	ompp_record_text(table, ompp_construct_name(construct));
	ompp_record_text(table, region->file);
	ompp_record_number(table, region->begin_line);
	ompp_record_number(table, region->end_line);
	ompp_record_text(table, region->name);
}
