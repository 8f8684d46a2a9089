/*
 * Symbol query: one name of a list such as "buf,file.c:f.x,/common/,name@0x4080", and how well variables fit it.
 */
#ifndef OMPP_RANGES_SYMBOL_QUERY_H
#define OMPP_RANGES_SYMBOL_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"
#include "runtime/program/variable.h"

/* How well a name fits.  OMPP_FITS_RESERVED means that it is the symbol of a variable that is not the program's. */
enum ompp_fit { OMPP_FITS_NOT, OMPP_FITS_RESERVED, OMPP_FITS_SHORTENED, OMPP_FITS_WHOLE };

struct ompp_query {
	const char *written, *text, *word; /* all of the query, its name, and the last word of the name */
	const char *file;                  /* "file" in "file:name"; n_file is 0 when any file will do */
	uintptr_t address;                 /* in the file, from "name@0x4080"; 0 when any will do */
	size_t n_written, n, n_word, n_file;
	const char *name; /* the last word, terminated; "__BLNK__" for "//" */
};

/* Returns 1 when the first n characters are the same.
 * any_case: upper and lower case are, too */
int ompp_query_same(const char *a, const char *b, size_t n, int any_case);

/* Compares a name with the query's, which may be the whole name or its end after a "::", '.' or '/'. */
enum ompp_fit ompp_query_fit(const char *name, const struct ompp_query *query, int any_case);

/* Returns how well a variable fits.
 * path: of its program or library */
enum ompp_fit ompp_query_rank(struct ompp_variables *variables, const char *path, struct ompp_variable *variable,
                              const struct ompp_query *query);

/* Reads the next item of a comma list; commas in brackets belong to the item.  Returns 0 when there are no more. */
int ompp_query_next(const char **list, struct ompp_query *query);

/* Splits "file.c:name@0x4080", and finds the last word of the name, which is the arena's. */
void ompp_query_read(struct ompp_arena *arena, struct ompp_query *query);

/* Returns 1 when the same query stands in the list before this one. */
int ompp_query_is_repeated(const char *names, const struct ompp_query *query);

/* Returns 1 for "*", all of the program. */
int ompp_query_is_star(const struct ompp_query *query);

#endif
