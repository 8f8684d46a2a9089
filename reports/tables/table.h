/*
 * Table: typed values in rows and columns.  It is the interface between a view, which knows what they mean, and a
 * writer, which knows how they look.  Views never format numbers, and writers never compute.
 *
 * A section of a report is a sequence of tables.  One struct is reused for all of them: the view fills it, the writer
 * prints it, and ompp_table_start() empties it.
 */
#ifndef OMPP_TABLE_H
#define OMPP_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/counters/expression.h"

enum ompp_kind {
	OMPP_KIND_NONE, /* not measured: "-" */
	OMPP_KIND_TEXT,
	OMPP_KIND_COUNT,
	OMPP_KIND_METRIC,  /* a count that text shows in groups of three digits */
	OMPP_KIND_TIME,    /* ns, shown in seconds */
	OMPP_KIND_SHARE,   /* 10^-9 of a whole, shown in per cent */
	OMPP_KIND_DECIMAL, /* computed: four to six digits in text, all of them in records */
	OMPP_KIND_ROUNDED, /* a decimal that is printed with exactly its digits */
	OMPP_KIND_RANGE    /* an interval: a number between two bounds */
};

struct ompp_value {
	enum ompp_kind kind;
	union {
		int64_t number;
		const char *text;
		struct ompp_decimal decimal;
		struct {
			uint32_t least, most;
		} range;
	};
};

/* Which reports have a column.  Text for people and records for programs differ where a sentence or a tree is easier to
 * read. */
enum ompp_where { OMPP_IN_BOTH, OMPP_IN_TEXT, OMPP_IN_RECORDS };

struct ompp_column {
	const char *title;
	const char *text_title; /* the title in text, when that is another one; else NULL */
	enum ompp_where where;
	int left;               /* 1 when text aligns it to the left */
	unsigned int min_width; /* how many columns it has in text at least */
	int joined;             /* 1 when text keeps it beside the column before it */
};

enum ompp_style {
	OMPP_STYLE_GRID,  /* aligned columns under their titles */
	OMPP_STYLE_FACTS, /* label : value */
	OMPP_STYLE_LINES  /* sentences, one value a row, wrapped */
};

/* What a row is about, for terminals with colours. */
enum ompp_tone {
	OMPP_TONE_NONE,
	OMPP_TONE_WORK,
	OMPP_TONE_SYNCH,
	OMPP_TONE_IMBAL,
	OMPP_TONE_LIMPAR,
	OMPP_TONE_MGMT,
	OMPP_TONE_SERIAL,
	OMPP_TONE_BAD,
	OMPP_N_TONES
};

/* A record above the table, for programs: "R00004,PARALLEL,a.c,1,5,". */
enum { OMPP_RECORD_MAX = 8 };
struct ompp_record {
	size_t n;
	struct ompp_value values[OMPP_RECORD_MAX];
};

struct ompp_table {
	struct ompp_arena *arena;
	int rc; /* -ENOMEM after something did not fit; the rest is ignored */
	enum ompp_style style;
	const char *tag;      /* of the marks "##BEG tag" and "##END tag" in records; "" for none */
	const char *heading;  /* lines above the table in text, or "" */
	int is_tight;         /* 1 when text has no empty line behind it */
	int has_bars;         /* 1 when a terminal may have a bar of each row's share in front of the last column */
	unsigned char *tones; /* by row, enum ompp_tone; NULL for none */
	struct ompp_record *records;
	size_t n_records, have_records;
	struct ompp_column *columns;
	size_t n_columns, have_columns;
	struct ompp_value *values;
	size_t n_values, have_values; /* by rows */
};

void ompp_table_init(struct ompp_table *table, struct ompp_arena *arena);

/* Empties the table for the next content. */
void ompp_table_start(struct ompp_table *table, enum ompp_style style, const char *tag, const char *heading);

/* Add a column.  All columns come before the values. */
void ompp_table_column(struct ompp_table *table, const char *title, enum ompp_where where);
void ompp_table_left_column(struct ompp_table *table, const char *title, enum ompp_where where);

/* Add several columns, which the same reports have: ompp_table_columns(table, OMPP_IN_BOTH, "loads", "stores"). */
#define ompp_table_columns(table, where, ...) \
	ompp_table_columns_of(table, where, 0, (const char *const[]){ __VA_ARGS__, NULL })
#define ompp_table_left_columns(table, where, ...) \
	ompp_table_columns_of(table, where, 1, (const char *const[]){ __VA_ARGS__, NULL })
void ompp_table_columns_of(struct ompp_table *table, enum ompp_where where, int left, const char *const *titles);

/* Adds a column of numbers, as wide as most of them are. */
void ompp_table_wide_column(struct ompp_table *table, const char *title);

/* Add a column of times or, where some are estimates, one marked ~ in text and one of standard errors, "+-". */
void ompp_table_time_column(struct ompp_table *table, const char *title, int has_errors);
void ompp_table_wide_time_column(struct ompp_table *table, const char *title, int has_errors);

/* Returns a title and its suffix, "bodyT" and "/I", as one text in the arena; NULL without memory. */
const char *ompp_table_title(const char *name, const char *suffix, struct ompp_arena *arena);

/* Add the next value, row by row.  OMPP_MISSING is a value of OMPP_KIND_NONE; NULL is the text "".  Texts are not
 * copied. */
void ompp_table_text(struct ompp_table *table, const char *text);
void ompp_table_number(struct ompp_table *table, enum ompp_kind kind, int64_t number);
void ompp_table_decimal(struct ompp_table *table, struct ompp_decimal decimal);

/* Adds a time and, where its column has them, its error. */
void ompp_table_time(struct ompp_table *table, int64_t ns, int64_t error_ns, int has_errors);
void ompp_table_range(struct ompp_table *table, uint32_t least, uint32_t most);

/* Adds a number in thousandths and rounds it by its error, also in thousandths: to the second digit of the error. */
void ompp_table_rounded(struct ompp_table *table, int64_t milli, int64_t error_milli);

/* Add a new record above the table, and its next value.  Values beyond OMPP_RECORD_MAX are ignored. */
void ompp_table_record(struct ompp_table *table);
void ompp_record_text(struct ompp_table *table, const char *text);
void ompp_record_number(struct ompp_table *table, int64_t number);

size_t ompp_table_n_rows(const struct ompp_table *table);

#endif
