/*
 * Region: see table_region.h.
 */
#include "reports/tables/table_region.h"

#include "reports/analysis/label.h"
#include "runtime/base/array.h"

void ompp_region_error(struct ompp_text *t, const struct ompp_cell *sum)
{
	int64_t share = sum->error_ns == OMPP_MISSING ? OMPP_MISSING : ompp_share(sum->error_ns, sum->exec_ns);

	ompp_text_char(t, '~');
	if (share == OMPP_MISSING) {
		ompp_text_char(t, '?');
		return;
	}
	share = (share + 500000) / 1000000; /* thousandths */
	if (share < 1)
		ompp_text_str(t, "<0.1");
	else if (share < 100)
		ompp_text_fixed(t, share, 1, 1);
	else
		ompp_text_i64(t, (share + 5) / 10);
	ompp_text_str(t, " %");
}

void ompp_region_mark(struct ompp_text *text, const struct ompp_analysis *a, uint32_t region)
{
	const struct ompp_cell *sum = &a->sums[0][region];
	int is_costly = a->profile->regions[region].costly;

	if (!is_costly && !sum->n_untimed)
		return;
	ompp_text_str(text, is_costly ? " [costly" : " [");
	if (sum->n_untimed) {
		ompp_text_str(text, is_costly ? ", " : "");
		ompp_region_error(text, sum);
	}
	ompp_text_char(text, ']');
}

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
	ompp_table_text(table, region->name[0] ? region->name : ompp_region_instantiation(region));
}

void ompp_region_record(struct ompp_table *table, const struct ompp_region *region, enum ompp_construct construct)
{
	ompp_record_text(table, ompp_region_tag(region, "", table->arena));
	ompp_record_text(table, ompp_construct_name(construct));
	ompp_record_text(table, region->file);
	ompp_record_number(table, region->begin_line);
	ompp_record_number(table, region->end_line);
	ompp_record_text(table, region->name[0] ? region->name : ompp_region_instantiation(region));
}
