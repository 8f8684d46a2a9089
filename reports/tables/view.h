/*
 * View: one section of the report, from the profile to typed tables.  A new section is a file with one of these and a
 * line in view.def.
 */
#ifndef OMPP_VIEW_H
#define OMPP_VIEW_H

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"

/* Where a view puts its tables: the view fills the table and calls put(), after which the table is empty again. */
struct ompp_sheet {
	struct ompp_table table;
	int (*put)(struct ompp_sheet *sheet); /* returns 0, or -errno to stop */
	enum ompp_where prints; /* OMPP_IN_TEXT or OMPP_IN_RECORDS: the view may skip what the other shows */
};

struct ompp_view {
	const char *title; /* in the banner of the text */
	const char *tag;   /* in the marks of the records */
	int (*build)(const struct ompp_analysis *analysis, struct ompp_sheet *sheet);
	int (*is_empty)(const struct ompp_analysis *analysis); /* NULL for never; see ompp_view_is_empty() */
	int has_times;
	int is_detail;     /* 1 when reports that cannot be gone through have the section only if it is asked for */
	int is_for_people; /* 1 when records have the section only if it is asked for */
};

#define VIEW(name, view) extern const struct ompp_view view;
#include "runtime/terms/view.def"
#undef VIEW

/* Return section number i in the order of the report, and its name; NULL past the last. */
const struct ompp_view *ompp_view(size_t i);
const char *ompp_view_name(size_t i);

/* Has the section nothing to show?  Then it is left out unless it is asked for. */
int ompp_view_is_empty(const struct ompp_view *view, const struct ompp_analysis *analysis);

#endif
