/*
 * Layouts: see layouts.h.
 */
#include "reports/tables/layouts.h"

#include "reports/tables/sampled.h"

void ompp_layouts_columns(int is_text, struct ompp_table *table)
{
	ompp_table_column(table, is_text ? "now %~" : "far share", OMPP_IN_BOTH);
	ompp_table_column(table, is_text ? "+-" : "far share +-", OMPP_IN_BOTH);
	for (int way = 0; way < OMPP_N_WAYS; way++) {
		const char *name = ompp_placing_name((enum ompp_way)way);

		ompp_table_column(table, is_text ? ompp_table_title(name, " %~", table->arena) : name, OMPP_IN_BOTH);
		ompp_table_column(table, ompp_table_title(name, " +-", table->arena), OMPP_IN_RECORDS);
	}
	ompp_table_left_column(table, "best", OMPP_IN_BOTH);
	ompp_table_left_column(table, "place", OMPP_IN_RECORDS);
}

void ompp_layouts_values(const struct ompp_choice *c, int64_t share, int64_t error, const uint32_t *numbers,
                         int is_text, struct ompp_table *table)
{
	const char *place = ompp_placing_text(c, c->best_placed, numbers, table->arena);

	ompp_sampled_share(share, error, is_text, table);
	for (int way = 0; way < OMPP_N_WAYS; way++) {
		if (is_text)
			ompp_sampled_share_alone(c->far[way], c->error[way], table);
		else
			ompp_table_number(table, OMPP_KIND_SHARE, c->far[way]);
		ompp_table_number(table, OMPP_KIND_SHARE, c->error[way]);
	}
	ompp_table_text(table, ompp_placing_name(c->best));
	ompp_table_text(table, place ? place : "");
}
