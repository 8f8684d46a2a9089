/*
 * Listing: tables that a command prints.
 */
#include "reports/command/listing.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/report.h"
#include "reports/tables/table.h"

void ompp_list_start(struct ompp_table *table, struct ompp_arena *arena, const char *const *titles, size_t n_titles)
{
	ompp_table_init(table, arena);
	for (size_t i = 0; i < n_titles; i++)
		ompp_table_column(table, titles[i], OMPP_IN_RECORDS);
}

int ompp_print_table(const char *format, const struct ompp_table *table)
{
	int rc = fflush(stdout) ? -errno : ompp_report_table(format, table, STDOUT_FILENO, table->arena);

	return ompp_print_status(rc);
}
