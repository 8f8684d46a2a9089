/*
 * Formula: a number that reports compute from counters and times (an eval of the profile), ready to be computed.
 *
 * Its counters are the metrics of the profile with their names.  If a counter was not measured, the formula's value is
 * missing.  A formula has the certainty of its least certain counter.
 */
#ifndef OMPP_FORMULA_H
#define OMPP_FORMULA_H

#include "reports/profile/profile.h"
#include "runtime/counters/expression.h"

struct ompp_formula {
	const struct ompp_eval *eval;
	struct ompp_expression expression;
	uint32_t metrics[OMPP_EXPRESSION_NAMES]; /* by name of the expression; OMPP_NONE when missing */
	enum ompp_certainty certainty;           /* NOT_COUNTED when it has no value anywhere */
	const char *why;                         /* why it has no value; "" when it has */
};

/* Returns the formulas of all evals of the profile, in the arena; NULL without memory. */
struct ompp_formula *ompp_formulas(const struct ompp_profile *profile, struct ompp_arena *arena);

/* Returns the value of a formula for one line of a table.
 *
 *   values: the line's values, by metric
 *
 *   exec_ns, n_exec: its time and executions
 *
 *   n_threads: how many rows it sums */
struct ompp_decimal ompp_formula_value(const struct ompp_formula *formula, const struct ompp_profile *profile,
                                       const int64_t *values, int64_t exec_ns, uint64_t n_exec, uint64_t n_threads);

/* Does it need counters?  Constructs that counters do not cover have no column of such a formula. */
int ompp_formula_has_counters(const struct ompp_formula *formula);

#endif
