/*
 * Directive: an OpenMP directive of C, C++ or Fortran, taken apart: the constructs that it combines, and its
 * clauses; and how the clauses of a combined one are shared out when it is taken in two.
 *
 * The text is what follows `#pragma omp` or `!$omp`, continued lines joined.  Up to OpenMP 5.2.
 */
#ifndef KINST_DIRECTIVE_H
#define KINST_DIRECTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "opari/base/text.h"

/* What a word of a directive's name means.  `do` is FOR, in Fortran. */
enum kinst_leaf {
	KINST_OMP_PARALLEL, KINST_OMP_FOR, KINST_OMP_SIMD, KINST_OMP_SECTIONS, KINST_OMP_SECTION, KINST_OMP_SINGLE,
	KINST_OMP_MASTER, KINST_OMP_MASKED, KINST_OMP_WORKSHARE, KINST_OMP_SCOPE, KINST_OMP_GENERIC_LOOP,
	KINST_OMP_CRITICAL, KINST_OMP_ORDERED, KINST_OMP_ATOMIC, KINST_OMP_BARRIER, KINST_OMP_FLUSH, KINST_OMP_TASK,
	KINST_OMP_TASKLOOP, KINST_OMP_TASKGROUP, KINST_OMP_TASKWAIT, KINST_OMP_TASKYIELD, KINST_OMP_TEAMS,
	KINST_OMP_DISTRIBUTE, KINST_OMP_TARGET, KINST_OMP_TARGET_DATA, KINST_OMP_TARGET_ENTER_DATA, KINST_OMP_TARGET_EXIT_DATA,
	KINST_OMP_TARGET_UPDATE, KINST_OMP_CANCEL, KINST_OMP_CANCELLATION_POINT, KINST_OMP_DEPOBJ,
	KINST_OMP_OTHER                     /* declarative, informational, loop-transforming: nothing happens there at run time
					   that could be measured, or it is not known */
};

enum { KINST_MOST_LEAVES = 6 };

struct kinst_clause {
	const char *name;               /* not terminated */
	size_t      n_name;
	const char *args;               /* between the parentheses; NULL: it has none */
	size_t      n_args;
	const char *text;               /* all of it, from the name to the parenthesis */
	size_t      n_text;
};

struct kinst_directive {
	int is_fortran;                 /* then all text is in lower case, but for literals: names are the same in any */
	int is_end;                     /* Fortran: `end …` */
	enum kinst_leaf leaves[KINST_MOST_LEAVES];
	size_t n_leaves;                /* at least 1 */
	const char *name;               /* "parallel for", as written; not terminated */
	size_t n_name;
	struct kinst_clause arg;        /* the parentheses behind the name: critical (x), flush (a, b), depobj (d) */
	int has_comma;                  /* right behind the name: there clang stops reading */
	struct kinst_clause *clauses;
	size_t n_clauses;
	char *text;                     /* what all these point into */
};

/* Take a directive apart.  In Fortran the words of a name may stand together (`endparalleldo`).  0, or -EINVAL for what
 * is none (brackets that do not match, no word at all). */
int kinst_directive_read(struct kinst_directive *directive, const char *text, size_t length, int fortran);
void kinst_directive_free(struct kinst_directive *directive);

/* The clause of this name, in any case; NULL: there is none. */
const struct kinst_clause *kinst_directive_clause(const struct kinst_directive *directive, const char *name);

/* The first words that directives of OpenMP begin with: word i, or NULL behind the last. */
const char *kinst_directive_word(size_t i);

int kinst_directive_has(const struct kinst_directive *directive, enum kinst_leaf leaf);

/* Does it stand alone, so that the next statement is none of its business?  C and C++. */
int kinst_directive_is_alone(const struct kinst_directive *directive);

/* Is its body a loop? */
int kinst_directive_is_loop(const struct kinst_directive *directive);

/* Has it a reduction with the modifier `task`, which forbids nowait? */
int kinst_directive_reduces_tasks(const struct kinst_directive *directive);

/* Has it a reduction of a scan (inscan)? */
int kinst_directive_scans(const struct kinst_directive *directive);

/* How many loops it is about. */
size_t kinst_directive_n_loops(const struct kinst_directive *directive);

/* The directive `parallel …` as two: clauses of the PARALLEL, and of what remains, each with a blank in front.  What
 * PARALLEL must share so that the rest can say more of it is in `outer` too.  num_threads is in neither. */
void kinst_directive_split(const struct kinst_directive *directive, struct kinst_text *outer, struct kinst_text *inner);

/* The variable of a loop that the rest is about, which the rest gives back behind the loop (simd): PARALLEL must share
 * it, where its default is another. */
void kinst_directive_share_counter(const struct kinst_directive *directive, const char *name, size_t length,
				   const struct kinst_text *inner, struct kinst_text *outer);

#endif
