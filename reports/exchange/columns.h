/*
 * Columns: the arrays of a profile as tables of named columns, each with its type, unit, certainty and sentence.
 *
 * The tables are data for programs: numbers have their full size, and references are indices.  They are made of the
 * rows of profile/fields.def, profile/head.def and derived.def; a name that was published there is never changed.
 */
#ifndef OMPP_COLUMNS_H
#define OMPP_COLUMNS_H

#include "reports/analysis/analysis.h"
#include "reports/profile/schema.h"

enum ompp_column_type {
	OMPP_COLUMN_U32,
	OMPP_COLUMN_KNOWN32, /* a uint32_t; 0 means missing */
	OMPP_COLUMN_INDEX,   /* a uint32_t; OMPP_NONE means missing */
	OMPP_COLUMN_LEAST,   /* a uint32_t: the least value of this bucket of latencies */
	OMPP_COLUMN_MOST,    /* and the greatest one */
	OMPP_COLUMN_INT,
	OMPP_COLUMN_FLAG,      /* an int: whether it is not 0 */
	OMPP_COLUMN_RANK,      /* an int; negative means missing */
	OMPP_COLUMN_KNOWN_INT, /* an int; missing unless it is positive */
	OMPP_COLUMN_U64,
	OMPP_COLUMN_KNOWN64, /* a uint64_t; 0 means missing */
	OMPP_COLUMN_I64,     /* OMPP_MISSING means missing, also in the next three */
	OMPP_COLUMN_MILLI,   /* an int64_t in thousandths */
	OMPP_COLUMN_SHARE,   /* an int64_t in 10^-9 */
	OMPP_COLUMN_ERROR,   /* a standard error, stored as its square, an int64_t */
	OMPP_COLUMN_TEXT,
	OMPP_COLUMN_KNOWN_TEXT, /* "" means missing */
	/* Enumerated numbers of 32 bits, which have names. */
	OMPP_COLUMN_CONSTRUCT,
	OMPP_COLUMN_ORIGIN,
	OMPP_COLUMN_PARTS,
	OMPP_COLUMN_PATTERN,
	OMPP_COLUMN_SCOPE,
	OMPP_COLUMN_KIND,
	OMPP_COLUMN_LEVEL,
	OMPP_COLUMN_CERTAINTY
};

struct ompp_data_column {
	const char *name; /* "" if exports leave it out */
	enum ompp_column_type type;
	size_t offset;         /* in a row, bytes */
	size_t gate;           /* if not 0: offset of a text; the value is missing when that text is empty */
	size_t beside;         /* if not 0: offset of a time; a 0 is missing where that time is */
	unsigned int forms;    /* a bit for each enum ompp_form with this column; 0 for all */
	const char *unit;      /* "" of a name, an index or a number of something */
	const char *certainty; /* "exact", "measured" (by a clock), "sampled", "scaled" or "modelled" */
	const char *sentence;  /* what it is */
};

struct ompp_data_columns {
	const struct ompp_data_column *list;
	size_t n;
};

struct ompp_data_table {
	const char *name, *sentence;
	struct ompp_data_columns first; /* columns of `second`; they come before the others */
	struct ompp_data_columns columns;
	size_t n_rows;
	const void *rows, *second; /* the rows, and a second array with further values for each row */
	size_t row_bytes, second_bytes;
	const uint8_t *constructs; /* by row, where columns have forms; else NULL */
};

/* One value. */
struct ompp_data_value {
	enum { OMPP_DATA_MISSING, OMPP_DATA_NUMBER, OMPP_DATA_FLAG, OMPP_DATA_TEXT } kind;
	int is_negative;
	uint64_t number;       /* its size */
	unsigned int n_digits; /* of the number behind the decimal point */
	const char *text;
};

/* Returns exported column number i of a table, from 0; NULL past the last. */
const struct ompp_data_column *ompp_data_column(const struct ompp_data_table *table, size_t i);

struct ompp_data_value ompp_data_value(const struct ompp_data_table *table, const struct ompp_data_column *column,
                                       size_t row);

/* One for each section of the profile at most, but six for the cells. */
enum { OMPP_MAX_DATA_TABLES = OMPP_SECTION_VALUES + 6 };

/* Fills in all tables of a profile; with NULL, the tables without rows.  Returns their number, or -ENOMEM. */
int ompp_data_tables(const struct ompp_analysis *a, struct ompp_data_table tables[OMPP_MAX_DATA_TABLES]);

/* Returns the profile's own numbers as a table of one row; of none with NULL. */
struct ompp_data_table ompp_data_head(const struct ompp_profile *p);

#endif
