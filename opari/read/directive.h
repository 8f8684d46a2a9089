/*
 * Directive: an OpenMP directive of C, C++ or Fortran, taken apart: the constructs that it combines, and its clauses.
 *
 * The text is what follows `#pragma omp` or `!$omp`, with continued lines joined.  All of OpenMP 5.2 is known.
 */
#ifndef KINST_DIRECTIVE_H
#define KINST_DIRECTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "opari/base/kinst_text.h"
#include "opari/read/clause.h"

/* What a word of a directive's name means.  Fortran's `do` is FOR. */
enum kinst_leaf {
	KINST_OMP_PARALLEL,
	KINST_OMP_FOR,
	KINST_OMP_SIMD,
	KINST_OMP_SECTIONS,
	KINST_OMP_SECTION,
	KINST_OMP_SINGLE,
	KINST_OMP_MASTER,
	KINST_OMP_MASKED,
	KINST_OMP_WORKSHARE,
	KINST_OMP_SCOPE,
	KINST_OMP_GENERIC_LOOP,
	KINST_OMP_CRITICAL,
	KINST_OMP_ORDERED,
	KINST_OMP_ATOMIC,
	KINST_OMP_BARRIER,
	KINST_OMP_FLUSH,
	KINST_OMP_TASK,
	KINST_OMP_TASKLOOP,
	KINST_OMP_TASKGROUP,
	KINST_OMP_TASKWAIT,
	KINST_OMP_TASKYIELD,
	KINST_OMP_TEAMS,
	KINST_OMP_DISTRIBUTE,
	KINST_OMP_TARGET,
	KINST_OMP_TARGET_DATA,
	KINST_OMP_TARGET_ENTER_DATA,
	KINST_OMP_TARGET_EXIT_DATA,
	KINST_OMP_TARGET_UPDATE,
	KINST_OMP_CANCEL,
	KINST_OMP_CANCELLATION_POINT,
	KINST_OMP_DEPOBJ,
	KINST_OMP_OTHER /* unknown, or nothing at run time that could be measured: declarations */
};

enum { KINST_MOST_LEAVES = 6 };

struct kinst_directive {
	int is_fortran; /* all text is in lower case then, but for literals */
	int is_end;     /* Fortran: it begins with `end` */
	enum kinst_leaf leaves[KINST_MOST_LEAVES];
	size_t n_leaves;  /* at least 1 */
	const char *name; /* as written, "parallel for"; not terminated */
	size_t n_name;
	struct kinst_clause arg; /* the parentheses behind the name: critical (x), flush (a, b), depobj (d) */
	int has_comma;           /* a comma follows the name, where clang stops reading */
	struct kinst_clause *clauses;
	size_t n_clauses;
	char *text; /* the text that all these point into */
};

/*
 * Takes a directive apart.  Returns 0, or -EINVAL for a text that is none: its brackets do not match, or it has no
 * word.  In Fortran the words of a name may stand together (`endparalleldo`).
 */
int kinst_directive_read(struct kinst_directive *directive, const char *text, size_t length, int fortran);
void kinst_directive_free(struct kinst_directive *directive);

/* Returns the clause of this name, in any case, or NULL. */
const struct kinst_clause *kinst_directive_clause(const struct kinst_directive *directive, const char *name);

/* Returns word i of those with which directives of OpenMP begin; NULL behind the last. */
const char *kinst_directive_word(size_t i);

int kinst_directive_has(const struct kinst_directive *directive, enum kinst_leaf leaf);

/* Returns 1 when the directive stands alone, so that the next statement does not belong to it.  For C and C++. */
int kinst_directive_is_alone(const struct kinst_directive *directive);

/* Returns 1 for a directive without effect on the compiled program: `error`, `nothing`, and unknown ones. */
int kinst_directive_is_passed_over(const struct kinst_directive *directive);

/* Returns 1 when the body is a loop. */
int kinst_directive_is_loop(const struct kinst_directive *directive);

/* Returns 1 when it has a reduction with the modifier `task`, which forbids nowait. */
int kinst_directive_reduces_tasks(const struct kinst_directive *directive);

/* Returns 1 when it has a reduction of a scan (inscan). */
int kinst_directive_scans(const struct kinst_directive *directive);

/* Returns how many loops it is about; 0 where the source does not have that as a number. */
size_t kinst_directive_n_loops(const struct kinst_directive *directive);

#endif
