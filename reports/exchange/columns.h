/*
 * Columns: the arrays of a profile as tables of named columns, each with its type, unit and certainty.
 *
 * The tables are data for programs: numbers have their full size, and references are indices.  What the columns mean
 * stands in env/ompp-profile-1.schema.json; a name that was published there is never changed.
 */
#ifndef OMPP_COLUMNS_H
#define OMPP_COLUMNS_H

#include "reports/analysis/analysis.h"

enum ompp_column_type {
	OMPP_COLUMN_U32,
	OMPP_COLUMN_LINE,  /* a uint32_t of which 0 is missing */
	OMPP_COLUMN_INDEX, /* a uint32_t of which OMPP_NONE is missing */
	OMPP_COLUMN_FLAG,  /* an int that is 0 or 1 */
	OMPP_COLUMN_U64,
	OMPP_COLUMN_I64, /* of which OMPP_MISSING is missing */
	OMPP_COLUMN_TEXT,
	OMPP_COLUMN_WORD,  /* a uint32_t that word() names */
	OMPP_COLUMN_ERROR, /* the standard error whose square, an int64_t, stands there */
	OMPP_COLUMN_LEAST, /* the least value of a bucket of latencies */
	OMPP_COLUMN_MOST   /* and the greatest one */
};

struct ompp_data_column {
	const char *name;
	enum ompp_column_type type;
	size_t offset; /* in a row */
	int in_second; /* 1 when it stands in the second array */
	const char *unit;
	const char *certainty;         /* "exact", "measured" (by a clock), "sampled", "scaled" or "modelled" */
	const char *(*word)(uint32_t); /* of WORD */
	unsigned int forms;            /* a bit for each enum ompp_form that has it; 0 for all */
};

struct ompp_data_table {
	const char *name;
	const struct ompp_data_column *columns;
	size_t n_columns, n_rows;
	/* its rows: in one array, and what was added to them in a second one of as many rows */
	const void *rows, *second;
	size_t row_bytes, second_bytes;
	const uint8_t *constructs; /* by row, where columns have forms; else NULL */
};

/* One value. */
struct ompp_data_value {
	enum { OMPP_DATA_MISSING, OMPP_DATA_NUMBER, OMPP_DATA_FLAG, OMPP_DATA_TEXT } kind;
	int is_negative;
	uint64_t number; /* its size */
	const char *text;
};

struct ompp_data_value ompp_data_value(const struct ompp_data_table *table, size_t column, size_t row);

enum { OMPP_MAX_DATA_TABLES = 32 };

/* Fills in all tables of a profile.  Returns their number, or -ENOMEM. */
int ompp_data_tables(const struct ompp_analysis *a, struct ompp_data_table tables[OMPP_MAX_DATA_TABLES]);

#endif
