/*
 * Page tables: sections of the report (views) as typed tables in JSON, for a page that draws or lists them.
 */
#ifndef OMPP_WEB_PAGE_TABLES_H
#define OMPP_WEB_PAGE_TABLES_H

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"
#include "reports/web/embed.h"

/* Adds those of the sections that a page does not draw from its own data.  Returns 0 or -errno. */
int ompp_page_tables(struct ompp_embed *e, const struct ompp_analysis *a);

/* Adds a table of a view: its columns, each with its title and the kind of its values (time in ns, share in 10^-9,
 * count, decimal as the text of its digits, text), and its rows. */
void ompp_embed_table(struct ompp_embed *e, const char *view, const struct ompp_table *table);

#endif
