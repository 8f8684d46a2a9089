/*
 * Data section: what the tables of the section on data have in common.
 */
#ifndef OMPP_TABLES_DATA_SECTION_H
#define OMPP_TABLES_DATA_SECTION_H

#include "reports/analysis/usage.h"
#include "reports/tables/view.h"

enum { OMPP_DATA_MOST_LINES = 40 }; /* of a table in text */

struct ompp_text;

struct ompp_data_section {
	struct ompp_usage usage;
	int is_text;    /* 0 for records */
	uint8_t *named; /* by object: 1 once a line of a table has named it */
};

/* Starts a section; of its usage only analysis and profile are filled in.  Returns 0 or -ENOMEM. */
int ompp_data_start(struct ompp_data_section *d, const struct ompp_analysis *a, const struct ompp_sheet *sheet);

/* Puts the name of an object, which the line is about. */
void ompp_data_object(const struct ompp_data_section *d, uint32_t object, struct ompp_table *table);

/* Returns "(12 more)". */
const char *ompp_data_more_text(const struct ompp_data_section *d, size_t n);

/* Returns how many of n lines are printed: text shows the first of many, records show all. */
size_t ompp_data_n_printed(const struct ompp_data_section *d, size_t n);

/* Returns where a part of an object's use took place, "R00002 main.c (30-37) LOOP"; NULL without memory. */
const char *ompp_data_region_text(const struct ompp_data_section *d, const struct ompp_object_part *part);

/* Puts the same into the columns of ompp_region_columns().  They are empty when part is NULL. */
void ompp_data_region_values(const struct ompp_data_section *d, const struct ompp_object_part *part,
                             struct ompp_table *table);

/* Returns the name of an object as a part of a text for people. */
const char *ompp_data_name(const struct ompp_data_section *d, uint32_t object);

/* Returns the same for narrow columns: a long name loses its middle, unless another object's name would then look the
 * same. */
const char *ompp_data_short_name(const struct ompp_data_section *d, uint32_t object);

/* Puts a sentence into text reports.  Returns 0 or -errno. */
int ompp_data_remark(const char *text, struct ompp_sheet *sheet);

/* Writes a size for people, "48K", "1.25M"; "-" when it is missing. */
void ompp_data_size(struct ompp_text *t, int64_t bytes);

#endif
