/*
 * Write, in Fortran: copies a text statement by statement and puts lines of ours in between, as patch.h does for C.
 *
 * Lines of ours count as lines of the statement before or behind which they stand; a line marker leads back to the
 * text's own line.  The caller names places in ascending order.
 */
#ifndef KINST_WRITE_FORTRAN_H
#define KINST_WRITE_FORTRAN_H

#include "opari/read/extent_fortran.h"

struct kinst_writer {
	const struct kinst_statements *s; /* the statements of the text that is copied */
	struct kinst_text *out;
	size_t at;   /* all lines before this one are copied */
	int n_calls; /* how many calls were put in */
	/* the place of the last marker, and whether the next line belongs to it */
	unsigned long marker_line;
	struct kinst_span marker_file;
	int is_marked;
	int is_whole;   /* no marker may stand inside of a statement, as flang 19 takes its literals apart there */
	int reads_maps; /* 1 when sizes of what target directives map can be found, else -1; 0 before it was asked */
};

/* Copies the text up to a line. */
void kinst_write_copy(struct kinst_writer *writer, size_t line);

/* Writes the marker of a line of a file. */
void kinst_write_marker(struct kinst_writer *writer, unsigned long line, struct kinst_span file);

/* From here on lines of ours stand before statement i, or behind it, until kinst_write_resume(). */
void kinst_write_before(struct kinst_writer *writer, size_t i);
void kinst_write_behind(struct kinst_writer *writer, size_t i);

/* Lets the text go on with statement i, or with what follows it when `behind` is 1. */
void kinst_write_resume(struct kinst_writer *writer, size_t i, int behind);

/* Copies the text up to statement i, which is left out. */
void kinst_write_drop(struct kinst_writer *writer, size_t i);

/*
 * Writes a statement or directive of ours in lines that are not too long.
 *
 * head: the beginning of its first line
 * more: the beginning of each further line
 */
void kinst_write_long(struct kinst_writer *writer, const char *head, const char *more, const char *text);

/* Writes another text in place of statement i. */
void kinst_write_exchange(struct kinst_writer *writer, size_t i, const char *text);

/* Writes a directive of OpenMP.
 * text: the directive from the word behind !$omp on */
void kinst_write_directive(struct kinst_writer *writer, const char *text);

/* Writes `call ompp_f_NAME('string' more)`. */
void kinst_write_call(struct kinst_writer *writer, const char *name, const char *string, const char *more);

/*
 * Writes calls before statement i, a target directive, that tell how many bytes its clauses map; nothing for others.
 *
 * string:           its context string
 * has_storage_size: the standard has that function
 */
void kinst_write_maps(struct kinst_writer *writer, size_t i, const struct kinst_directive *directive,
                      const char *string, int has_storage_size);

/*
 * Makes two directives of one that begins with PARALLEL.
 *
 * outer: gets the PARALLEL and its clauses
 * inner: gets the remaining directive and its clauses, or nothing when PARALLEL is all
 */
void kinst_write_split(const struct kinst_statements *s, const struct kinst_fortran_extent *extent,
                       struct kinst_text *outer, struct kinst_text *inner);

/* Returns what the call before a PARALLEL tells about num_threads, besides the region: "", ", 4", or ", 0" when the
 * number is not known before.  The caller frees it. */
char *kinst_write_threads(const struct kinst_directive *directive);

#endif
