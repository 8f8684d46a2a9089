/*
 * Clause: what a construct's directive says, as far as advice depends on it ("schedule(dynamic, 4) nowait").
 */
#ifndef OMPP_CLAUSE_H
#define OMPP_CLAUSE_H

#include <stddef.h>

/* Is there a clause of this name?  1, and what stands in its parentheses ("" without), which are *n bytes. */
int ompp_clause(const char *clauses, const char *name, const char **args, size_t *n);

static inline int ompp_has_clause(const char *clauses, const char *name)
{
	const char *args;
	size_t n;

	return ompp_clause(clauses, name, &args, &n);
}

#endif
