/*
 * Map clause: which bytes the clauses map, to and from of a target directive ask to be copied to the device and back.
 *
 * What they ask for is not what is copied: an OpenMP library copies nothing to the host, and leaves out what the device
 * has already.  The sizes become expressions, which are evaluated once more than in the plain program.  So an
 * expression that could do something else than read variables makes the bytes unknown.
 */
#ifndef KINST_MAP_CLAUSE_H
#define KINST_MAP_CLAUSE_H

#include <stddef.h>

#include "opari/base/kinst_text.h"
#include "opari/read/directive.h"

/* Which ways bytes go, as a set. */
enum { KINST_MAPS_TO = 1, KINST_MAPS_FROM = 2 };

/* The list of a clause.  It is not known what its items map when they have a mapper or an iterator. */
struct kinst_map_list {
	int ways;
	int is_known;
	const char *p, *end;
};

/* Returns 1 for target and the directives of its data. */
int kinst_map_clause_is(const struct kinst_directive *directive);

/* Returns the ways that a clause of such a directive asks for, and its list; 0 when it maps nothing. */
struct kinst_map_list kinst_map_clause_read(const struct kinst_directive *directive, const struct kinst_clause *clause);

/* Returns the end of the list's item at p, where a comma or the end of the list stands. */
const char *kinst_map_clause_item_end(const char *p, const char *end);

/*
 * Adds the bytes that go each way as expressions of C and C++, of type unsigned long long; "-1" where they are not
 * known.
 *
 * text: all of the source: it says which variables are volatile, and whether mappers are declared
 */
void kinst_map_clauses(const struct kinst_directive *directive, const char *text, size_t length, struct kinst_text *to,
                       struct kinst_text *from);

#endif
