/*
 * Listing: tables that a command prints.
 */
#ifndef OMPP_LISTING_H
#define OMPP_LISTING_H

#include <stddef.h>

struct ompp_arena;
struct ompp_table;

/* Starts a table that lists something for programs, with these columns. */
void ompp_list_start(struct ompp_table *table, struct ompp_arena *arena, const char *const *titles, size_t n_titles);

/* Prints a table on stdout.  Returns the exit status. */
int ompp_print_table(const char *format, const struct ompp_table *table);

#endif
