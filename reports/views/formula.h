/*
 * Formula: a number that reports compute from counters and times (an eval of the profile), ready to be computed.
 *
 * Its counters are those metrics of the profile that have their names.  One that is not there is missing, and so is
 * what depends on it.  A formula is as sure as the least sure of its counters.
 */
#ifndef OMPP_FORMULA_H
#define OMPP_FORMULA_H

#include "reports/profile/profile.h"
#include "runtime/base/expression.h"

struct ompp_formula {
	const struct ompp_eval *eval;
	struct ompp_expression  expression;
	uint32_t                metrics[OMPP_EXPRESSION_NAMES]; /* by name of the expression; OMPP_NONE: missing */
	enum ompp_certainty     certainty;      /* NOT_COUNTED: it has no value anywhere */
	const char             *why;            /* it has none; else "" */
};

/* Formulas of all evals of the profile, in the arena; NULL without memory. */
struct ompp_formula *ompp_formulas(const struct ompp_profile *profile, struct ompp_arena *arena);

/* Its value for one line of a table: values by metric, the line's time and executions, and how many rows it sums. */
struct ompp_decimal ompp_formula_value(const struct ompp_formula *formula, const struct ompp_profile *profile,
                                       const int64_t *values, int64_t exec_ns, uint64_t n_exec, uint64_t n_threads);

/* 1: it needs counters, so that constructs without them have no such column. */
int ompp_formula_has_counters(const struct ompp_formula *formula);

#endif
