/*
 * Clauses: what the directive of a construct says ("schedule(dynamic, 4) nowait").
 */
#ifndef OMPP_CLAUSES_H
#define OMPP_CLAUSES_H

#include <stddef.h>
#include <stdint.h>

/* Is there a clause of this name?  If so, *args is the text in its parentheses, of *n bytes; "" without parentheses. */
int ompp_clause(const char *clauses, const char *name, const char **args, size_t *n);

static inline int ompp_has_clause(const char *clauses, const char *name)
{
	const char *args;
	size_t n;

	return ompp_clause(clauses, name, &args, &n);
}

/* Is there a schedule?  If so, *args is what it is, without its modifiers: "dynamic, 1" of "monotonic: dynamic, 1". */
int ompp_schedule(const char *clauses, const char **args, size_t *n);

/* Is the schedule of this kind: "static", "guided"?  Without a clause it is of none. */
int ompp_schedule_is(const char *clauses, const char *word);

/* Does each thread get the iterations behind those of the thread before, as by schedule(static)? */
int ompp_schedule_is_in_order(const char *clauses);

/* Returns the number of iterations of a chunk; 0 where there is none, or one that is not known before the run. */
uint64_t ompp_schedule_chunk(const char *clauses);

/* Are iterations handed out on demand, by a schedule other than static? */
int ompp_schedule_is_on_demand(const char *clauses);

#endif
