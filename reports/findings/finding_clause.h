/*
 * Clause: what the directive of a construct says ("schedule(dynamic, 4) nowait"), as far as advice depends on it.
 */
#ifndef OMPP_FINDING_CLAUSE_H
#define OMPP_FINDING_CLAUSE_H

#include <stddef.h>

/* Is there a clause of this name?  If so, *args is the text in its parentheses, of *n bytes; "" without parentheses. */
int ompp_clause(const char *clauses, const char *name, const char **args, size_t *n);

static inline int ompp_has_clause(const char *clauses, const char *name)
{
	const char *args;
	size_t n;

	return ompp_clause(clauses, name, &args, &n);
}

#endif
