/*
 * View: one section of the report, from the profile to typed tables.  A new section is a file with one of these and a
 * line in view.c.
 */
#ifndef OMPP_VIEW_H
#define OMPP_VIEW_H

#include "reports/views/analysis.h"
#include "reports/views/table.h"

/* Where a view puts its tables: fill table, then put it; it is empty again afterwards. */
struct ompp_sheet {
	struct ompp_table table;
	int (*put)(struct ompp_sheet *sheet);   /* 0, or -errno: stop */
	enum ompp_where prints;                 /* text or records: what only the other shows need not be filled in */
};

struct ompp_view {
	const char *name;               /* as in OMPP_VIEW */
	const char *title;              /* in the banner of the text */
	const char *tag;                /* in the marks of the records */
	int (*build)(const struct ompp_analysis *analysis, struct ompp_sheet *sheet);
	int (*is_empty)(const struct ompp_analysis *analysis);  /* 1: left out, unless asked for; NULL: never */
	int has_times;
	int is_for_people;              /* 1: no part of what programs read, unless asked for */
};

extern const struct ompp_view ompp_view_summary, ompp_view_general, ompp_view_overview, ompp_view_callgraph, ompp_view_flat,
	ompp_view_callpath, ompp_view_overhead, ompp_view_data, ompp_view_properties;

/* All views in the order of the report, NULL at the end. */
extern const struct ompp_view *const ompp_views[];

/* The identity of a region in records: "R00004", type, file, begin, end, name; and its columns. */
void ompp_view_region_columns(struct ompp_table *table);
void ompp_view_region_values(struct ompp_table *table, const struct ompp_region *region,
                             enum ompp_construct construct);
void ompp_view_region_record(struct ompp_table *table, const struct ompp_region *region,
                             enum ompp_construct construct);

#endif
