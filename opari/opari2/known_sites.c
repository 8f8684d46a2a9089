/*
 * Known: see known_sites.h.
 */
#include "opari/opari2/known_sites.h"

/* Returns 1 for the combined directives that opari2 knows.  It would take any other for its first word alone. */
static int knows_combined(const struct kinst_directive *d)
{
	if (d->n_leaves > 2)
		return 0;
	if (d->leaves[0] == KINST_OMP_PARALLEL)
		return d->leaves[1] == KINST_OMP_FOR || d->leaves[1] == KINST_OMP_SECTIONS ||
		       (d->is_fortran && d->leaves[1] == KINST_OMP_WORKSHARE);
	return d->leaves[0] == KINST_OMP_FOR && d->leaves[1] == KINST_OMP_SIMD;
}

int kinst_opari2_knows(const struct kinst_directive *d)
{
	if (d->n_leaves > 1)
		return knows_combined(d);
	switch (d->leaves[0]) {
	case KINST_OMP_PARALLEL:
	case KINST_OMP_FOR:
	case KINST_OMP_SECTIONS:
	case KINST_OMP_SINGLE:
	case KINST_OMP_MASTER:
	case KINST_OMP_CRITICAL:
	case KINST_OMP_ATOMIC:
	case KINST_OMP_BARRIER:
	case KINST_OMP_FLUSH:
	case KINST_OMP_TASK:
		return 1;
	case KINST_OMP_WORKSHARE:
		return d->is_fortran;
	case KINST_OMP_ORDERED: /* with one of these it has no block */
		return !kinst_directive_clause(d, "depend") && !kinst_directive_clause(d, "doacross");
	case KINST_OMP_TASKWAIT: /* with this it is a task without a body */
		return !kinst_directive_clause(d, "depend");
	default:
		return 0;
	}
}
