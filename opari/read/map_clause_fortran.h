/*
 * Map clause, in Fortran: which bytes the clauses of a target directive ask to be copied (map_clause.h).
 */
#ifndef KINST_MAP_CLAUSE_FORTRAN_H
#define KINST_MAP_CLAUSE_FORTRAN_H

#include "opari/read/map_clause.h"
#include "opari/read/statements.h"

/*
 * The bytes of one item: an expression of an integer with 8 bytes, and, of an allocatable variable, its name, as it has
 * no bytes before it is allocated.
 */
struct kinst_map_item {
	int ways;
	char *bytes;     /* "-1_8" when they are not known; the caller frees it */
	char *allocated; /* NULL for other variables; the caller frees it */
};

/* Returns 1 when nothing in the text hides the functions that the expressions call, nor declares mappers. */
int kinst_map_clause_is_readable(const struct kinst_statements *statements);

/*
 * Returns the bytes of the item at *p in the list of a clause, and leaves *p behind its comma.
 *
 * Sizes are known of variables of intrinsic types that are declared in the unit of the directive, and not of pointers,
 * dummy arguments that may be absent, and components.
 *
 * i: the directive
 */
struct kinst_map_item kinst_map_clause_fortran(const struct kinst_statements *statements, size_t i,
                                               const struct kinst_map_list *list, const char **p);

#endif
